/**
 * Where the time of a large request goes, from the first byte in to the last byte out: the steps of the pipeline in
 * this process, and over HTTP the whole, of which socket, service and pipe are the rest. By the clock and the processor.
 */
import type { AddressInfo } from 'node:net';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { writeArrow } from '../src/dispatch/arrow/write.ts';
import { now } from '../src/dispatch/clock.ts';
import { type BodyFormat, parse, parseArrow, prepareParsed, solve } from '../src/dispatch/pipeline.ts';
import { serialiseBytes } from '../src/dispatch/serialise.ts';
import { operations } from '../src/operations/index.ts';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { manyPages } from '../test/solvers/crawl-allocation/many-pages.ts';
import type { Benchmark } from './benchmark.ts';
import { mixedStream, paper } from './crawl-allocation.ts';
import { simulatedPages } from './crawl-plan.ts';
import { workersMs } from './service-processes.ts';

const types = { json: 'application/json', arrow: 'application/vnd.apache.arrow.stream' } as const;
const config = readConfig({ LOG_LEVEL: 'silent', WORKERS: '1', PORT: '0', MAX_EVENT_LOOP_DELAY_MS: '0' });
const options = { timeLimitMs: 60_000 };

interface Case {
  readonly name: string;
  readonly operation: string;
  readonly format: BodyFormat;
  readonly body: () => Buffer;
}

const cases: readonly Case[] = [
  {
    name: '1e6 mixed pages in JSON columns',
    operation: 'crawl-allocation',
    format: 'json',
    body: () => Buffer.from(JSON.stringify({ interval: 1, crawls: 5e6, pages: manyPages(1e6, paper), options })),
  },
  { name: '1e6 mixed pages in Arrow', operation: 'crawl-allocation', format: 'arrow', body: () => mixedStream(1e6) },
  {
    name: '1e5 pages of 30 checks in JSON rows',
    operation: 'crawl-plan',
    format: 'json',
    body: () =>
      Buffer.from(
        JSON.stringify({ now: 1_760_000_000, interval: 86_400, crawls: 5e4, pages: simulatedPages(), options }),
      ),
  },
];

/** By step: milliseconds by the clock and of the processor, of every run. */
type Steps = Map<string, { readonly clock: number[]; readonly processor: number[] }>;

const processorMs = (): number => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000 + workersMs();

async function timed<Made>(steps: Steps, name: string, work: () => Made | Promise<Made>): Promise<Made> {
  const [start, used] = [performance.now(), processorMs()];
  const made = await work();
  const step = steps.get(name) ?? { clock: [], processor: [] };
  step.clock.push(performance.now() - start);
  step.processor.push(processorMs() - used);
  steps.set(name, step);
  return made;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

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
    format === 'arrow' ? [writeArrow(operation, solved.envelope)] : serialiseBytes(solved.envelope),
  );
}

function benchmark(asked: Case): Benchmark {
  const steps: Steps = new Map();
  let body = Buffer.alloc(0);
  let url = '';
  let close = async (): Promise<void> => {};
  const post = async (): Promise<void> => {
    const headers = { 'content-type': types[asked.format], accept: types[asked.format] };
    const answer = await fetch(`${url}/v1/${asked.operation}`, { method: 'POST', headers, body });
    const text = await answer.arrayBuffer();
    if (!answer.ok) throw new Error(Buffer.from(text).toString().slice(0, 500));
  };
  return {
    name: `where the time goes: ${asked.operation}, ${asked.name}`,
    repetitions: 3,
    async check() {
      body = Buffer.from(asked.body());
      const app = await buildApp(config);
      await app.server.listen({ host: '127.0.0.1', port: 0 });
      const address: AddressInfo | string | null = app.server.server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      url = `http://127.0.0.1:${address.port}`;
      close = () => app.server.close();
      await new Promise((resolve) => setTimeout(resolve, 2000));
      await post();
    },
    async run() {
      await inProcess(asked, body, steps);
      await timed(steps, 'over HTTP, the whole', post);
    },
    figures: () =>
      Object.fromEntries(
        [...steps].map(([name, { clock, processor }]) => [
          name,
          `${median(clock).toFixed(0)} ms, ${median(processor).toFixed(0)} of the processor`,
        ]),
      ),
    finish: () => close(),
  };
}

export const benchmarks: readonly Benchmark[] = cases.map(benchmark);
