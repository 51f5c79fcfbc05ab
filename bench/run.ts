/**
 * Runs the benchmarks: `npm run bench` for all, `npm run bench -- crawler-count` for those of one file.
 * Checks correctness first, then times; prints minimum, median and maximum of each, and the ratio to its baseline.
 */
import { readdirSync } from 'node:fs';
import { arch, cpus, totalmem } from 'node:os';
import type { Benchmark } from './benchmark.ts';

interface Spread {
  readonly minimum: number;
  readonly median: number;
  readonly maximum: number;
}

async function time(work: () => void | Promise<void>, repetitions: number): Promise<Spread> {
  await work();
  const elapsed: number[] = [];
  for (let i = 0; i < repetitions; i++) {
    const start = performance.now();
    await work();
    elapsed.push(performance.now() - start);
  }
  elapsed.sort((a, b) => a - b);
  return { minimum: elapsed[0], median: elapsed[elapsed.length >> 1], maximum: elapsed[elapsed.length - 1] };
}

const inMs = (spread: Spread): string =>
  `${spread.median.toPrecision(4)} ms (${spread.minimum.toPrecision(4)}–${spread.maximum.toPrecision(4)})`;

function isBenchmarkModule(module: unknown): module is { benchmarks: readonly Benchmark[] } {
  return typeof module === 'object' && module !== null && 'benchmarks' in module && Array.isArray(module.benchmarks);
}

const wanted = process.argv.slice(2);
const files = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && file !== 'benchmark.ts')
  .filter((file) => wanted.length === 0 || wanted.includes(file.replace(/\.ts$/, '')));
console.log(
  `Node ${process.version}, ${arch()}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
);
for (const file of files) {
  const module: unknown = await import(new URL(file, import.meta.url).href);
  if (!isBenchmarkModule(module)) continue;
  for (const benchmark of module.benchmarks) {
    await benchmark.check();
    const spread = await time(() => benchmark.run(), benchmark.repetitions ?? 5);
    console.log(`${benchmark.name}: ${inMs(spread)}${benchmark.target ? `, target ${benchmark.target}` : ''}`);
    if (benchmark.baseline) {
      const baseline = benchmark.baseline;
      const other = await time(() => baseline.run(), benchmark.repetitions ?? 5);
      console.log(`  ${baseline.name}: ${inMs(other)}, ratio ${(other.median / spread.median).toPrecision(3)}`);
    }
    await benchmark.finish?.();
    for (const [label, value] of Object.entries(benchmark.figures?.() ?? {})) console.log(`  ${label}: ${value}`);
  }
}
