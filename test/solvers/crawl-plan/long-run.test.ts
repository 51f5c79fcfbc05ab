import { describe, expect, it } from 'vitest';
import { crawlPlan } from '../../../src/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlPlanProblem, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { objectiveNames } from '../../../src/solvers/pages/objectives/index.ts';
import { certifyCrawlPlan } from './certify-plan.ts';
import { modelsOf, now, randomProblem } from './small-plans.ts';

function planOf(problem: CrawlPlanProblem) {
  const answer = planCrawls(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  expect(certifyCrawlPlan(problem, answer)).toEqual([]);
  return answer;
}

it.each([true, false])('of many pages is proved within 1%, rates known: %s', (known) => {
  const { objective, longRun } = planOf(randomProblem(seededRandom(9), 400, 800, known));
  // one interval has no bound
  expect(objective).toMatchObject({ bound: null, gap: null });
  expect(longRun?.gap).toBeGreaterThanOrEqual(-1e-9);
  expect(longRun?.gap).toBeLessThan(known ? 1e-6 : 0.01);
});

it.each(objectiveNames.flatMap((objective) => [false, true].map((delayed) => ({ objective, delayed }))))(
  'of $objective is below what any fetch intervals cost that spend no more, a host limited: $delayed',
  ({ objective, delayed }) => {
    const random = seededRandom(10);
    for (const known of [true, false]) {
      const [pages, slots] = [15, 20];
      const free = { ...randomProblem(random, pages, slots, known), objective };
      const host = Int32Array.from({ length: pages }, (_, i) => (delayed && i < 6 ? 0 : -1));
      const most = 3 / free.interval;
      const problem = { ...free, host, hostName: ['slow.example'], hostDelay: Float64Array.of(1 / most) };
      const bound = planOf(problem).longRun?.bound ?? Number.NaN;
      const initial = modelsOf(problem)();
      const costTime = initial.costTime ?? ((i: number, from: number, to: number) => initial.staleTime(i, from, to));
      for (let trial = 0; trial < 500; trial++) {
        const share = Float64Array.from({ length: pages }, () => random() ** 3);
        const total = share.reduce((sum, x) => sum + x, 0);
        const fetches = share.map((x) => (x * slots) / total / problem.interval);
        const ofHost = fetches.reduce((sum, x, i) => sum + (host[i] === 0 ? x : 0), 0);
        let cost = 0;
        for (const [i, x] of fetches.entries()) {
          const gap = 1 / (host[i] === 0 ? x * Math.min(1, most / ofHost) : x);
          cost += (problem.weight[i] * costTime(i, 0, gap)) / gap;
        }
        expect(cost).toBeGreaterThanOrEqual(bound);
      }
    }
  },
);

describe('pages given up', () => {
  const day = 86_400;
  const pages = Array.from({ length: 60 }, (_, i) => ({
    id: `p${i}`,
    changeRate: (i < 24 ? 0.3 : 40 + i) / day,
    weight: 1 + (i % 5),
    lastCrawl: now - 3600 * (1 + (i % 24)),
  }));
  const request = { now, interval: day, crawls: 200, pages };

  it('are named with the price of keeping them, about that of a plan that keeps all pages', () => {
    const { solution, longRun, keepingAll, warnings } = crawlPlan(request);
    const kept = crawlPlan({ ...request, maxInterval: day });
    expect(solution?.givenUp.length).toBeGreaterThan(20);
    expect(keepingAll?.maxInterval).toBe(day);
    const extra = (keepingAll?.value ?? Number.NaN) - (longRun?.value ?? Number.NaN);
    const real = (kept.longRun?.value ?? Number.NaN) - (longRun?.value ?? Number.NaN);
    expect(extra).toBeGreaterThan(0);
    expect(extra).toBeLessThanOrEqual(real * (1 + 1e-6));
    expect(extra).toBeGreaterThan(0.4 * real);
    expect(warnings?.map(({ code }) => code)).toContain('given-up');
    const rows = Array.isArray(solution?.pages) ? solution.pages : [];
    for (const i of solution?.givenUp ?? []) {
      const { fetchInterval, intervalIfChanged, intervalIfUnchanged, nextFetch } = rows[i];
      expect([fetchInterval, intervalIfChanged, intervalIfUnchanged]).toEqual([null, null, null]);
      // the even share brings it back
      expect(nextFetch).toBeGreaterThanOrEqual(now);
    }
    expect(kept.solution?.givenUp).toEqual([]);
    expect(kept.warnings?.map(({ code }) => code)).not.toContain('given-up');
  });
});
