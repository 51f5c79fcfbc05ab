/**
 * Runs the benchmarks: `npm run bench` for all, `npm run bench -- crawler-count` for those whose name begins so.
 * Checks correctness first, then times; prints minimum, median and maximum of each, and the ratio to its baseline.
 */
import { readdirSync } from 'node:fs';
import { arch, cpus, totalmem } from 'node:os';
import type { Benchmark } from './benchmark.ts';

interface Spread {
  readonly minimum: number;
  readonly median: number;
  readonly maximum: number;
  /** Median processor time of this process, ms. */
  readonly processor: number;
}

/** Processor time of this process so far, of all its threads, in milliseconds. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function middle(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[values.length >> 1];
}

/** Runs the works in turn after one warm-up each, so that none gains by its position. */
async function time(works: readonly (() => void | Promise<void>)[], repetitions: number): Promise<Spread[]> {
  for (const work of works) await work();
  const runs = works.map((work) => ({ work, elapsed: [] as number[], busy: [] as number[] }));
  for (let i = 0; i < repetitions; i++) {
    for (const { work, elapsed, busy } of i % 2 === 0 ? runs : runs.toReversed()) {
      const start = performance.now();
      const startProcessor = processorMs();
      await work();
      elapsed.push(performance.now() - start);
      busy.push(processorMs() - startProcessor);
    }
  }
  return runs.map(({ elapsed, busy }) => {
    const median = middle(elapsed);
    return { minimum: elapsed[0], median, maximum: elapsed[elapsed.length - 1], processor: middle(busy) };
  });
}

/** On a busy machine processor time is more reliable than wall-clock time. */
const inMs = ({ minimum, median, maximum, processor }: Spread): string =>
  `${median.toPrecision(4)} ms (${minimum.toPrecision(4)}–${maximum.toPrecision(4)}), ` +
  `${processor.toPrecision(4)} of the processor`;

function isBenchmarkModule(module: unknown): module is { benchmarks: readonly Benchmark[] } {
  return typeof module === 'object' && module !== null && 'benchmarks' in module && Array.isArray(module.benchmarks);
}

const names = process.argv.slice(2);
const files = readdirSync(new URL('.', import.meta.url)).filter(
  (file) => file.endsWith('.ts') && file !== 'run.ts' && file !== 'benchmark.ts',
);
console.log(
  `Node ${process.version}, ${arch()}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
);
for (const file of files) {
  const module: unknown = await import(new URL(file, import.meta.url).href);
  if (!isBenchmarkModule(module)) continue;
  for (const benchmark of module.benchmarks) {
    if (names.length > 0 && !names.some((name) => benchmark.name.startsWith(name))) continue;
    await benchmark.check();
    const { baseline } = benchmark;
    const works = [() => benchmark.run(), ...(baseline ? [() => baseline.run()] : [])];
    const [spread, baselineSpread] = await time(works, benchmark.repetitions ?? 5);
    console.log(`${benchmark.name}: ${inMs(spread)}${benchmark.target ? `, target ${benchmark.target}` : ''}`);
    if (baseline) {
      console.log(
        `  ${baseline.name}: ${inMs(baselineSpread)}, ratio ${(baselineSpread.median / spread.median).toPrecision(3)}`,
      );
    }
    await benchmark.finish?.();
    for (const [label, value] of Object.entries(benchmark.figures?.() ?? {})) console.log(`  ${label}: ${value}`);
  }
}
