/**
 * Crawl allocation at the paper's size: a million pages, 60% Poisson, 30% Lomax, 10% quasi-deterministic, five million
 * crawls. Every case is first checked by its certificate. The mixed ones are also checked against Fox's greedy with a
 * heap (the same objective to 1e−9), timed in the same run, once.
 */
import { makeVector } from 'apache-arrow';
import { crawlAllocationRequest } from '../src/schemas/crawl-allocation.ts';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import {
  allocateCrawls,
  type CrawlAllocation,
  type CrawlAllocationProblem,
} from '../src/solvers/crawl-allocation/index.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import { arrowStream } from '../test/service/arrow-streams.ts';
import { closedForms, costOf, heapGreedy } from '../test/solvers/crawl-allocation/heap-greedy.ts';
import { type Mix, manyPages } from '../test/solvers/crawl-allocation/many-pages.ts';
import type { Benchmark } from './benchmark.ts';
import { postBody, solveMsOf } from './service/post-body.ts';
import { type ServerProcess, serviceFile, startServer, warmUps } from './service/server-process.ts';

interface Case {
  readonly name: string;
  readonly target?: string;
  readonly pages: number;
  readonly crawls: number;
  readonly mix: Mix;
  /** Check against the heap greedy, and time it. */
  readonly baselines?: boolean;
}

function solve(problem: CrawlAllocationProblem): CrawlAllocation {
  const result = allocateCrawls(problem, unlimitedBudget());
  if (result.status === 'infeasible') throw new Error(result.conflict.detail);
  return result;
}

function benchmark({ name, target, pages, crawls, mix, baselines = false }: Case): Benchmark {
  const figures: Record<string, string> = {};
  let problem: CrawlAllocationProblem | null = null;
  const preparedProblem = (): CrawlAllocationProblem => {
    if (problem === null) throw new Error('not prepared');
    return problem;
  };
  return {
    name: `crawl-allocation, ${pages.toExponential(0)} pages, ${crawls.toExponential(0)} crawls, ${name}`,
    ...(target !== undefined && { target }),
    check() {
      const columns = manyPages(pages, mix);
      problem = crawlAllocationRequest.parse({ interval: 1, crawls, pages: columns }).problem;
      const { objective, certificate } = solve(problem);
      if (!(certificate.maxNextGain <= certificate.minLastGain)) throw new Error('the certificate fails');
      figures['objective a page'] = (objective.value / pages).toPrecision(8);
      figures.certificate = `${certificate.maxNextGain.toPrecision(8)} ≤ ${certificate.minLastGain.toPrecision(8)}`;
      if (!baselines) return;
      const staleness = closedForms(columns);
      const start = performance.now();
      const counts = heapGreedy(staleness, columns.weight, crawls, columns.minCrawls, columns.maxCrawls);
      figures['heap greedy'] = `${(performance.now() - start).toFixed(0)} ms, once`;
      const cost = costOf(staleness, columns.weight, counts);
      if (Math.abs(cost - objective.value) > 1e-9 * cost)
        throw new Error(`heap greedy costs ${cost}, the solver ${objective.value}`);
    },
    run: () => void solve(preparedProblem()),
    repetitions: 7,
    figures() {
      problem = null;
      return {
        ...figures,
        'most memory of the process so far': `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`,
      };
    },
  };
}

const arrow = 'application/vnd.apache.arrow.stream';

/** Time limit of a request, ms: longer than the default, for busy machines. */
const options = { timeLimitMs: 60_000 };

/** Poisson pages with rates as doubles and weights as floats: ten million fit into the default body limit. */
function poissonStream(pages: number): Buffer {
  const random = seededRandom(3);
  const rate = Float64Array.from({ length: pages }, () => 0.05 + 3 * random() ** 3);
  const weight = Float32Array.from({ length: pages }, () => 0.1 + random());
  const request = { interval: 1, crawls: 2 * pages, pages: {}, options };
  return arrowStream({ changeRate: makeVector(rate), weight: makeVector(weight) }, request);
}

/** Pages sent through a server and its worker; the baseline is the solve time alone. */
function httpBenchmark(name: string, target: string, type: string, request: () => Buffer): Benchmark {
  let body: Buffer = Buffer.alloc(0);
  let service: ServerProcess | null = null;
  const ratios: number[] = [];
  const solves: number[] = [];
  const processor: number[] = [];
  let peakMiB: readonly number[] = [];
  const post = async (): Promise<Buffer> => {
    service ??= await startServer(serviceFile);
    const { url, usedMs } = service;
    const startMs = usedMs(true);
    const { body: answer, ms } = await postBody(`${url}/v1/crawl-allocation`, type, body);
    processor.push(usedMs(true) - startMs);
    peakMiB = service.peakMiB();
    solves.push(solveMsOf(answer));
    ratios.push(ms / solveMsOf(answer));
    return answer;
  };
  return {
    name: `crawl-allocation, ${name} through HTTP, request and answer`,
    target,
    async check() {
      body = request();
      for (let k = 0; k < warmUps; k++) {
        if (!(await post()).includes('"status":"optimal"')) throw new Error('not optimal');
      }
    },
    run: async () => void (await post()),
    repetitions: 3,
    async finish() {
      await service?.stop();
    },
    figures: () => ({
      'request body': `${(body.length / 2 ** 20).toFixed(0)} MiB`,
      'whole over solve': ratios.map((ratio) => ratio.toFixed(2)).join(', '),
      solve: `${solves.map((ms) => ms.toFixed(0)).join(', ')} ms`,
      'processor time of service and worker': `${processor.map((ms) => ms.toFixed(0)).join(', ')} ms`,
      'most memory of service and worker': `${peakMiB.map((each) => each.toFixed(0)).join(' and ')} MiB`,
    }),
  };
}

export const paper: Mix = { poisson: 0.6, lomax: 0.3 };

export const benchmarks: readonly Benchmark[] = [
  benchmark({ name: 'mixed', pages: 1e4, crawls: 5e4, mix: paper, baselines: true }),
  benchmark({ name: 'mixed', pages: 1e5, crawls: 5e5, mix: paper, baselines: true }),
  benchmark({
    name: 'mixed',
    target: 'under 0.6 s with its certificate, linear from 1e4',
    pages: 1e6,
    crawls: 5e6,
    mix: paper,
    baselines: true,
  }),
  benchmark({ name: 'all Poisson', target: 'under 0.25 s', pages: 1e6, crawls: 5e6, mix: { poisson: 1, lomax: 0 } }),
  benchmark({
    name: 'mixed, ages, 30% never crawled, page limits',
    target: 'under 1.2 s',
    pages: 1e6,
    crawls: 5e6,
    mix: { ...paper, start: 'ages', bounds: true },
  }),
  benchmark({
    name: 'all Poisson, ages, 30% never crawled, page limits',
    target: 'under 0.5 s',
    pages: 1e6,
    crawls: 5e6,
    mix: { poisson: 1, lomax: 0, start: 'ages', bounds: true },
  }),
  httpBenchmark('2e+5 Poisson pages in JSON columns', 'at most 4 times the solve', 'application/json', () =>
    Buffer.from(JSON.stringify({ interval: 1, crawls: 1e6, pages: manyPages(2e5, { poisson: 1, lomax: 0 }), options })),
  ),
  httpBenchmark('1e+6 Poisson pages in Arrow', 'at most 2 times the solve', arrow, () => poissonStream(1e6)),
];
