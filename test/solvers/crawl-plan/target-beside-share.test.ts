import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type CrawlPlanProblem,
  plainPages,
  planCrawls,
  solvePlanTarget,
} from '../../../src/solvers/crawl-plan/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import type { MeasureTarget } from '../../../src/solvers/pages/targets/index.ts';

const now = 1_760_000_000;
const day = 86_400;

/** So many that the longest wait is found at each price. */
function manyPages(evenShare: number, deadline: number) {
  const count = 33_000;
  const random = seededRandom(7);
  const changeRate = Float64Array.from({ length: count }, () => Math.exp(4 * random() - 2) / day);
  return {
    ...plainPages(count),
    now,
    interval: day,
    slotsByCrawler: Uint32Array.of(count / 2),
    history: { offsets: new Uint32Array(count + 1), elapsed: new Float64Array(0), outcome: new Uint8Array(0) },
    changeRate,
    lastCrawl: changeRate.map(() => now - 2 * day * random()),
    maxInterval: changeRate.map((_, i) => (i % 3 === 0 ? deadline : Number.POSITIVE_INFINITY)),
    weight: changeRate.map((rate) => rate * day * Math.exp(2 * random() - 1)),
    evenShare,
  };
}

function neededFor(problem: CrawlPlanProblem, target: MeasureTarget) {
  const found = solvePlanTarget({ problem, target, curve: false }, unlimitedBudget());
  if (found.status !== 'planned') throw new Error('the target is kept');
  return found;
}

/** What keeps the target that the forward answer keeps: it takes as many. */
function inverted(problem: CrawlPlanProblem) {
  const forward = planCrawls(problem, unlimitedBudget());
  if (forward.status === 'infeasible' || forward.longRun === null) throw new Error('there is a plan');
  const mean = forward.longRun.value / problem.weight.reduce((sum, each) => sum + each, 0);
  const target = { measure: 'staleness', value: mean, scale: 1, maxResidual: mean } as const;
  const needed = neededFor(problem, target);
  expect(Math.abs((needed.crawlRate * day) / problem.slotsByCrawler[0] - 1)).toBeLessThan(1e-9);
  return { needed, target };
}

describe('the least fetches of many pages beside an even share', () => {
  it.each([
    ['', 0.05, Number.POSITIVE_INFINITY],
    [', some of them with a deadline', 0.2, 12 * day],
  ])('leave as much for ever as so many leave%s, and no plan does with many fewer', (_, evenShare, deadline) => {
    const problem = manyPages(evenShare, deadline);
    const { needed, target } = inverted(problem);
    const crawls = problem.slotsByCrawler[0];
    const bound = needed.fewestCrawls.bound ?? Number.NaN;
    expect(bound).toBeLessThanOrEqual(crawls);
    // the bound knows of no even share, which takes some of the fetches to pages that are not worth them
    expect(bound).toBeGreaterThan((1 - evenShare) * crawls);
    const least = neededFor({ ...problem, evenShare: 0 }, target).crawlRate * day;
    expect(bound).toBeLessThanOrEqual(Math.ceil(least));
    expect(bound).toBeGreaterThan((1 - 1e-3) * least);
  });

  it('are those of the forward answer where hosts have limits, some of which bind', () => {
    const plain = manyPages(0.05, Number.POSITIVE_INFINITY);
    const hosts = 12;
    const count = plain.weight.length;
    const problem = {
      ...plain,
      host: Int32Array.from(plain.weight, (_, i) => i % hosts),
      hostName: Array.from({ length: hosts }, (_, h) => `h${h}`),
      // a third of all hosts may take half of what the mean takes, another third twice as much
      hostDelay: Float64Array.from(
        { length: hosts },
        (_, h) => ((h % 3) * day * hosts) / count / (h % 3 === 1 ? 1 : 0.5),
      ),
    };
    inverted(problem);
  });
});
