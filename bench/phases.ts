/**
 * Where the time of a large request goes, from the first byte in to the last byte out. It times the steps of the
 * pipeline in this process. Over HTTP it times the whole: until the body has left, until the answer begins, until it
 * ends. What waits for the answer beyond the steps is copies and pipes. By the clock and the processor, caller, service
 * and worker together. Both are compiled by then. `PAGES=100000` makes all of it smaller.
 */
import v8 from 'node:v8';
import { readConfig } from '../src/config.ts';
import { writeArrow } from '../src/dispatch/arrow/write.ts';
import { now } from '../src/dispatch/clock.ts';
import { type BodyFormat, parse, parseArrow, prepareParsed, solve } from '../src/dispatch/pipeline.ts';
import { serialiseBytes } from '../src/dispatch/serialise.ts';
import { boundTogether } from '../src/dispatch/start/worker-flags.ts';
import { operations } from '../src/operations/index.ts';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { manyPages } from '../test/solvers/crawl-allocation/many-pages.ts';
import type { Benchmark } from './benchmark.ts';
import { mixedStream, paper } from './crawl-allocation.ts';
import { simulatedPages } from './crawl-plan.ts';
import { posted } from './service/posted.ts';
import { serviceFile, startServer, warmUps } from './service/server-process.ts';

const types = { json: 'application/json', arrow: 'application/vnd.apache.arrow.stream' } as const;
const config = readConfig({});
// The steps run in a process that keeps its memory as the service and its workers do.
for (const flag of boundTogether(config.workerMemoryMb, process.versions.v8)) v8.setFlagsFromString(flag);
// enough on a machine that has other work
const options = { timeLimitMs: 600_000 };

const pages = Number(process.env.PAGES ?? 1e6);

interface Case {
  readonly name: string;
  readonly operation: string;
  readonly format: BodyFormat;
  readonly body: () => Buffer;
}

const cases: readonly Case[] = [
  {
    name: `${pages} mixed pages in JSON columns`,
    operation: 'crawl-allocation',
    format: 'json',
    body: () =>
      Buffer.from(JSON.stringify({ interval: 1, crawls: 5 * pages, pages: manyPages(pages, paper), options })),
  },
  {
    name: `${pages} mixed pages in Arrow`,
    operation: 'crawl-allocation',
    format: 'arrow',
    body: () => mixedStream(pages),
  },
  {
    name: `${pages / 10} pages of 30 checks in JSON rows`,
    operation: 'crawl-plan',
    format: 'json',
    body: () =>
      Buffer.from(
        JSON.stringify({
          now: 1_760_000_000,
          interval: 86_400,
          crawls: pages / 20,
          pages: simulatedPages().slice(0, pages / 10),
          options,
        }),
      ),
  },
];

/** By step: milliseconds by the clock and of the processor, of every run. */
type Steps = Map<string, { readonly clock: number[]; readonly processor: number[] }>;

/** Of this process and of the service. */
let serviceMs = (): number => 0;
const processorMs = (): number => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000 + serviceMs();

async function timed<Made>(steps: Steps, name: string, work: () => Made | Promise<Made>): Promise<Made> {
  const [start, used] = [performance.now(), processorMs()];
  const made = await work();
  add(steps, name, performance.now() - start, processorMs() - used);
  return made;
}

/** @param processor left out: not known */
function add(steps: Steps, name: string, clock: number, processor?: number): void {
  const step = steps.get(name) ?? { clock: [], processor: [] };
  step.clock.push(clock);
  if (processor !== undefined) step.processor.push(processor);
  steps.set(name, step);
}

const inMs = (clock: number, used: number): string =>
  Number.isNaN(used) ? `${clock.toFixed(0)} ms` : `${clock.toFixed(0)} ms, ${used.toFixed(0)} of the processor`;

/** NaN of none. */
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The steps, one after the other, in this process. */
async function inProcess({ operation: name, format }: Case, body: Buffer, steps: Steps): Promise<void> {
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const read = format === 'arrow' ? parseArrow : parse;
  const parsed = await timed(steps, 'parse', () => read(operation, body, config));
  if (parsed.kind === 'problem') throw new Error(parsed.problem.detail);
  const ready = await timed(steps, 'check', () => prepareParsed(operation, parsed.value, config));
  if (ready.kind === 'problem') throw new Error(ready.problem.detail);
  const solved = await timed(steps, 'solve', () => solve(ready, unlimitedBudget(), now));
  if (solved.kind === 'problem') throw new Error(solved.problem.detail);
  await timed(steps, 'write', () =>
    format === 'arrow' ? writeArrow(operation, solved.envelope) : serialiseBytes(solved.envelope),
  );
}

function benchmark(asked: Case): Benchmark {
  const steps: Steps = new Map();
  let body = Buffer.alloc(0);
  let url = '';
  let close = async (): Promise<void> => {};
  const post = () => posted(`${url}/v1/${asked.operation}`, types[asked.format], body);
  /** The clock of each stretch, and the processor's time of the whole. */
  const postTimed = async (): Promise<void> => {
    const used = processorMs();
    const { ms } = await post();
    const whole = processorMs() - used;
    add(steps, 'socket in', ms.in);
    add(steps, 'until the first byte', ms.wait);
    add(steps, 'socket out', ms.out);
    add(steps, 'over HTTP, the whole', ms.whole, whole);
  };
  return {
    name: `where the time goes: ${asked.operation}, ${asked.name}`,
    repetitions: 3,
    async check() {
      body = Buffer.from(asked.body());
      const service = await startServer(serviceFile);
      url = service.url;
      close = service.stop;
      serviceMs = () => service.usedMs(true);
      for (let k = 0; k < warmUps; k++) {
        await inProcess(asked, body, new Map());
        await post();
      }
    },
    async run() {
      await inProcess(asked, body, steps);
      await postTimed();
    },
    figures() {
      const middle = new Map(
        [...steps].map(([name, { clock, processor }]) => [name, [median(clock), median(processor)]] as const),
      );
      const sum = (k: number, names: readonly string[]): number =>
        names.reduce((all, name) => all + (middle.get(name)?.[k] ?? Number.NaN), 0);
      const rest = sum(0, ['until the first byte']) - sum(0, ['parse', 'check', 'solve', 'write']);
      const rows: [string, readonly number[]][] = [
        ...middle,
        ['copies and pipes: the rest of the wait', [rest, Number.NaN]],
      ];
      return {
        ...Object.fromEntries(rows.map(([name, [clock, used]]) => [name, inMs(clock, used)])),
        'the whole over the solve': (sum(0, ['over HTTP, the whole']) / sum(0, ['solve'])).toFixed(2),
      };
    },
    finish: () => close(),
  };
}

export const benchmarks: readonly Benchmark[] = cases.map(benchmark);
