/** A plan for 100,000 pages with 30 checks each: over HTTP, and in process by both estimators. */
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { type CrawlPlanProblem, plainPages, planCrawls } from '../src/solvers/crawl-plan/index.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import { certifyCrawlPlan } from '../test/solvers/crawl-plan/certify-plan.ts';
import type { Benchmark } from './benchmark.ts';
import { postBody } from './service/posted.ts';
import { type ServerProcess, serviceFile, startServer, warmUps } from './service/server-process.ts';

const pages = 100_000;
const checks = 30;
const crawls = 50_000;
const day = 86_400;
const now = 1_760_000_000;

interface Page {
  readonly id: string;
  readonly lastCrawl: number;
  readonly checks: readonly (readonly [number, 0 | 1])[];
}

function simulatedPages(): Page[] {
  const random = seededRandom(1);
  return Array.from({ length: pages }, (_, i) => {
    const rate = Math.exp(6 * random() - 5) / day;
    const list = Array.from({ length: checks }, (): [number, 0 | 1] => {
      const gap = Math.round((0.2 + 2 * random()) * day);
      return [gap, random() < -Math.expm1(-rate * gap) ? 1 : 0];
    });
    return {
      id: `https://host${i % 5000}.example/${i}`,
      lastCrawl: Math.round(now - random() * 2 * day),
      checks: list,
    };
  });
}

function problemOf(list: readonly Page[]): CrawlPlanProblem {
  return {
    ...plainPages(pages),
    now,
    interval: day,
    slotsByCrawler: Uint32Array.of(crawls),
    history: {
      offsets: Uint32Array.from({ length: pages + 1 }, (_, i) => i * checks),
      elapsed: Float64Array.from(list.flatMap((page) => page.checks.map(([gap]) => gap))),
      outcome: Uint8Array.from(list.flatMap((page) => page.checks.map(([, seen]) => seen))),
    },
    lastCrawl: Float64Array.from(list, (page) => page.lastCrawl),
    evenShare: 0.05,
  };
}

let list: Page[] = [];
let problem: CrawlPlanProblem | null = null;
let stalenessText = '';
let service: ServerProcess | null = null;
let body = Buffer.alloc(0);

async function post(): Promise<Buffer> {
  service ??= await startServer(serviceFile, { DEFAULT_TIME_LIMIT_MS: '60000' });
  return (await postBody(`${service.url}/v1/crawl-plan`, 'application/json', body)).body;
}

const inProcess: Benchmark = {
  name: 'crawl-plan, 1e5 pages of 30 checks, 5e4 crawls, in process',
  repetitions: 3,
  check() {
    if (list.length === 0) list = simulatedPages();
    problem = problemOf(list);
    const result = planCrawls(problem, unlimitedBudget());
    if (result.status === 'infeasible') throw new Error(result.conflict.detail);
    const faults = certifyCrawlPlan(problem, result);
    if (faults.length > 0) throw new Error(faults[0]);
    const { value } = result.objective;
    stalenessText = `${(value / pages).toFixed(4)} a page, ${((result.plan.uniformObjective ?? Number.NaN) / pages).toFixed(4)} in turns`;
  },
  run() {
    if (problem) planCrawls(problem, unlimitedBudget());
  },
  figures: () => ({ 'expected staleness': stalenessText }),
};

export const benchmarks: readonly Benchmark[] = [
  inProcess,
  {
    name: 'crawl-plan, 1e5 pages of 30 checks in rows, 5e4 crawls, over HTTP',
    target: 'under 5 s',
    repetitions: 3,
    async check() {
      if (list.length === 0) list = simulatedPages();
      body = Buffer.from(JSON.stringify({ now, interval: day, crawls, pages: list }));
      const answer: unknown = JSON.parse((await post()).toString());
      const fits =
        typeof answer === 'object' && answer !== null && 'status' in answer && answer.status !== 'infeasible';
      if (!fits) throw new Error('no plan');
      for (let k = 1; k < warmUps; k++) await post();
    },
    run: async () => {
      await post();
    },
    figures: () => ({ 'request, MB': (body.length / 1e6).toFixed(1) }),
    async finish() {
      await service?.stop();
    },
  },
];
