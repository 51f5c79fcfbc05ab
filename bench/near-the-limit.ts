/**
 * What a caller waits for, near the limit. Each figure that is asked for has one line, by the clock; the benchmarks of
 * the other files measure it. On a machine with other work the lines say little.
 */
import type { Benchmark } from './benchmark.ts';
import { benchmarks as allocation } from './crawl-allocation.ts';
import { benchmarks as plan } from './crawl-plan.ts';
import { benchmarks as estimation } from './estimation.ts';
import { benchmarks as phases } from './phases.ts';
import { measuredRuns, benchmarks as service, warmUps } from './service.ts';
import { benchmarks as queues } from './threshold-policy.ts';

interface Aim {
  readonly what: string;
  readonly asked: string;
  readonly from: readonly Benchmark[];
  /** How the benchmark's name begins, or what it says. */
  readonly named: string;
  readonly measure: (benchmark: Benchmark) => Promise<string>;
}

const runs = 3;

async function medianMs(work: () => void | Promise<void>): Promise<number> {
  await work();
  const elapsed: number[] = [];
  for (let k = 0; k < runs; k++) {
    const start = performance.now();
    await work();
    elapsed.push(performance.now() - start);
  }
  return elapsed.sort((a, b) => a - b)[runs >> 1];
}

const seconds = async (benchmark: Benchmark): Promise<string> =>
  `${((await medianMs(() => benchmark.run())) / 1000).toPrecision(3)} s`;

async function overSolve(benchmark: Benchmark): Promise<string> {
  for (let k = 0; k < runs; k++) await benchmark.run();
  return `${benchmark.figures?.()['the whole over the solve']} of the solve`;
}

/**
 * In turn, by turns the one or the other first: what else the machine does meets both. Each run is held against the
 * other's beside it.
 */
async function ofBareRoute(benchmark: Benchmark): Promise<string> {
  const { run, baseline } = benchmark;
  if (baseline === undefined) throw new Error(`no baseline of ${benchmark.name}`);
  const elapsed = async (work: Benchmark['run']): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const shares: number[] = [];
  for (let k = 0; k < warmUps + measuredRuns; k++) {
    const [first, second] = k % 2 === 0 ? [run, baseline.run] : [baseline.run, run];
    const [its, others] = [await elapsed(first), await elapsed(second)];
    if (k >= warmUps) shares.push(k % 2 === 0 ? others / its : its / others);
  }
  const share = shares.sort((a, b) => a - b)[shares.length >> 1];
  return `${(100 * share).toFixed(0)}%; ${benchmark.figures?.()['throughput a core against the bare route']} a core`;
}

const aims: readonly Aim[] = [
  {
    what: '1e6 mixed pages in JSON, over HTTP',
    asked: '2.2 of the solve',
    from: phases,
    named: 'mixed pages in JSON',
    measure: overSolve,
  },
  {
    what: '1e6 mixed pages in Arrow, over HTTP',
    asked: '1.4 of the solve',
    from: phases,
    named: 'mixed pages in Arrow',
    measure: overSolve,
  },
  {
    what: 'a plan of 1e5 pages of 30 checks, over HTTP',
    asked: '1.0 s',
    from: plan,
    named: 'over HTTP',
    measure: seconds,
  },
  {
    what: '1e7 Poisson pages in Arrow, over HTTP',
    asked: '4 s',
    from: allocation,
    named: '1e+7 Poisson pages in Arrow',
    measure: seconds,
  },
  {
    what: 'small requests, of the throughput of the bare route',
    asked: '100%',
    from: service,
    named: 'service',
    measure: ofBareRoute,
  },
  {
    what: 'ordered phases, R = 2, K = 16',
    asked: '.3 s',
    from: queues,
    named: 'ordered phases, R = 2, K = 16',
    measure: seconds,
  },
  {
    what: 'change rates, 1e6 pages of 30 irregular checks, with intervals',
    asked: '1 s',
    from: estimation,
    named: 'irregular checks, maximum likelihood, two processors',
    measure: seconds,
  },
];

const measured: Record<string, string> = {};

export const benchmarks: readonly Benchmark[] = [
  {
    name: 'near the limit, by the clock',
    repetitions: 1,
    async check() {
      for (const { what, asked, from, named, measure } of aims) {
        const benchmark = from.find(({ name }) => name.includes(named));
        if (benchmark === undefined) throw new Error(`no benchmark ${named}`);
        await benchmark.check();
        measured[`${what}, asked ${asked}`] = await measure(benchmark);
        await benchmark.finish?.();
      }
    },
    run() {},
    figures: () => measured,
  },
];
