/** The repair of a conflict, by doing what it says. */
import { expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type CrawlPlanProblem,
  certifyCrawlPlan,
  plainPages,
  solveCrawlPlan,
} from '../../../src/solvers/crawl-plan/index.ts';
import { checkHistory } from '../../../src/solvers/estimation/index.ts';

const now = 1_760_000_000;
const day = 86_400;

function problemOf(more: Partial<CrawlPlanProblem>): CrawlPlanProblem {
  const fill = (value: number): Float64Array => new Float64Array(20).fill(value);
  return {
    ...plainPages(20),
    now,
    interval: day,
    slotsByCrawler: Uint32Array.of(24),
    history: checkHistory(Array.from({ length: 20 }, () => [])),
    changeRate: fill(1 / day),
    lastCrawl: Float64Array.from({ length: 20 }, (_, i) => now - 600 * i),
    maxInterval: fill(6 * 3600),
    floor: 0,
    estimator: 'drifting-rate',
    ...more,
  };
}

function repairOf(problem: CrawlPlanProblem): string {
  const answer = solveCrawlPlan(problem, unlimitedBudget());
  if (answer.status !== 'infeasible') throw new Error('there is a plan');
  expect(certifyCrawlPlan(problem, answer)).toEqual([]);
  return answer.conflict.repair;
}

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? Number.NaN);
const isInfeasible = (problem: CrawlPlanProblem): boolean =>
  solveCrawlPlan(problem, unlimitedBudget()).status === 'infeasible';

it('of slots that are too few says how much longer, and how many more; a little less will not do', () => {
  const problem = problemOf({});
  const repair = repairOf(problem);
  const factor = numberIn(repair, /to ([\d.]+) times/);
  const slots = numberIn(repair, /have (\d+) slots/);
  const longer = (k: number) => ({ ...problem, maxInterval: problem.maxInterval.map((m) => m * k) });
  expect(isInfeasible(longer(factor * 1.005))).toBe(false);
  expect(isInfeasible(longer(factor * 0.97))).toBe(true);
  expect(isInfeasible({ ...problem, slotsByCrawler: Uint32Array.of(slots) })).toBe(false);
  expect(isInfeasible({ ...problem, slotsByCrawler: Uint32Array.of(Math.floor(slots * 0.95)) })).toBe(true);
});

it('of a host with a long delay says how short it would have to be', () => {
  const problem = problemOf({
    slotsByCrawler: Uint32Array.of(960),
    host: new Int32Array(20).fill(0),
    hostName: ['slow.example'],
    hostDelay: Float64Array.of(3600),
  });
  const delay = numberIn(repairOf(problem), /to ([\d.]+) s$/);
  expect(isInfeasible({ ...problem, hostDelay: Float64Array.of(delay * 0.99) })).toBe(false);
  expect(isInfeasible({ ...problem, hostDelay: Float64Array.of(delay * 1.05) })).toBe(true);
});
