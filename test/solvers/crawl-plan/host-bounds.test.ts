/** The bound of plans whose hosts ask for a delay, against all schedules that keep it, whatever the objective. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlPlanProblem, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { objectiveNames } from '../../../src/solvers/pages/objectives/index.ts';
import { costOf, modelsOf, now, randomProblem } from './small-plans.ts';

function objectiveOf(problem: CrawlPlanProblem) {
  const answer = planCrawls(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  const { value, bound } = answer.objective;
  if (bound === null) throw new Error('no bound');
  return { value, bound };
}

/** When each host may be fetched first. */
function readyAt({ host, hostDelay, lastCrawl }: CrawlPlanProblem): number[] {
  const ready = Array.from(hostDelay, () => 0);
  for (const [i, h] of host.entries()) {
    if (h >= 0 && !Number.isNaN(lastCrawl[i])) ready[h] = Math.max(ready[h], lastCrawl[i] + hostDelay[h] - now);
  }
  return ready;
}

function keepsDelays(problem: CrawlPlanProblem, page: readonly number[]): boolean {
  const ready = readyAt(problem);
  return page.every((i, s) => {
    const h = i < 0 ? -1 : problem.host[i];
    const time = (s * problem.interval) / page.length;
    if (h < 0) return true;
    if (time < ready[h] - 1e-9 * problem.interval) return false;
    ready[h] = time + problem.hostDelay[h];
    return true;
  });
}

const asked = objectiveNames.flatMap((objective) =>
  (['ever', 'interval'] as const).flatMap((planFor) => [true, false].map((known) => ({ objective, planFor, known }))),
);

describe('the bound of a plan whose hosts ask for a delay', () => {
  it.each(asked)(
    'is below every schedule of tiny plans: $objective, for $planFor, rates known: $known',
    ({ objective, planFor, known }) => {
      const random = seededRandom(41);
      for (let round = 0; round < 4; round++) {
        const [pages, slots] = [3, 5];
        const free = randomProblem(random, pages, slots, known);
        const hostDelay = Float64Array.from({ length: 2 }, () => free.interval * (0.15 + 0.4 * random()));
        const host = Int32Array.of(0, 0, round % 2 === 0 ? -1 : 1);
        const problem = { ...free, objective, planFor, host, hostName: ['a', 'b'], hostDelay };
        const { value, bound } = objectiveOf(problem);
        const working = modelsOf(problem);
        let best = Number.POSITIVE_INFINITY;
        for (let code = 0; code < (pages + 1) ** slots; code++) {
          const page = Array.from({ length: slots }, (_, s) => (Math.floor(code / (pages + 1) ** s) % (pages + 1)) - 1);
          if (keepsDelays(problem, page)) best = Math.min(best, costOf(problem, working(), page));
        }
        expect(bound).toBeLessThanOrEqual(best * (1 + 1e-12));
        expect(value).toBeGreaterThanOrEqual(best * (1 - 1e-9));
      }
    },
  );

  it.each(asked.filter(({ planFor }) => planFor === 'interval'))(
    'knows that their fetches come one after another: $objective, rates known: $known',
    ({ objective, known }) => {
      const free = randomProblem(seededRandom(42), 24, 48, known);
      const host = Int32Array.from({ length: 24 }, (_, i) => i % 3);
      const hostDelay = new Float64Array(3).fill(free.interval / 14);
      const lastCrawl = new Float64Array(24).fill(now - free.interval);
      const { value, bound } = objectiveOf({
        ...free,
        objective,
        planFor: 'interval',
        weight: new Float64Array(24).fill(1),
        lastCrawl,
        host,
        hostName: ['a', 'b', 'c'],
        hostDelay,
      });
      expect(value / bound - 1).toBeLessThan(0.08);
    },
  );
});
