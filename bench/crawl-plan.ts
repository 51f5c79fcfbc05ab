/** A plan for 100,000 pages with 30 checks each, in process; bench/crawl-allocation.ts measures large requests over HTTP. */
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { type CrawlPlanProblem, plainPages, planCrawls } from '../src/solvers/crawl-plan/index.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import { certifyCrawlPlan } from '../test/solvers/crawl-plan/certify-plan.ts';
import type { Benchmark } from './benchmark.ts';

const pages = 100_000;
const checks = 30;
const crawls = 50_000;
const day = 86_400;
const now = 1_760_000_000;

function simulatedProblem(): CrawlPlanProblem {
  const random = seededRandom(1);
  const elapsed = new Float64Array(pages * checks);
  const outcome = new Uint8Array(pages * checks);
  const lastCrawl = new Float64Array(pages);
  for (let i = 0; i < pages; i++) {
    const rate = Math.exp(6 * random() - 5) / day;
    for (let k = i * checks; k < (i + 1) * checks; k++) {
      elapsed[k] = Math.round((0.2 + 2 * random()) * day);
      outcome[k] = random() < -Math.expm1(-rate * elapsed[k]) ? 1 : 0;
    }
    lastCrawl[i] = Math.round(now - random() * 2 * day);
  }
  const offsets = Uint32Array.from({ length: pages + 1 }, (_, i) => i * checks);
  const slotsByCrawler = Uint32Array.of(crawls);
  const history = { offsets, elapsed, outcome };
  return { ...plainPages(pages), now, interval: day, slotsByCrawler, history, lastCrawl, evenShare: 0.05 };
}

let problem: CrawlPlanProblem | null = null;
let stalenessText = '';

export const benchmarks: readonly Benchmark[] = [
  {
    name: 'crawl-plan, 1e5 pages of 30 checks, 5e4 crawls, in process',
    repetitions: 3,
    check() {
      problem = simulatedProblem();
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
  },
];
