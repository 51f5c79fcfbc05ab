import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type CrawlPlan,
  type CrawlPlanProblem,
  plainPages,
  solveCrawlPlan,
} from '../../../src/solvers/crawl-plan/index.ts';
import { withoutLongGaps } from '../../../src/solvers/estimation/changes/drift-grid.ts';
import { checkHistory } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

const day = 86_400;
const now = 1_760_000_000;

type Check = readonly [elapsed: number, changed: number];

/** 200 pages checked every 30 days or so for three years, nine in ten of them quiet (a change in 500 days). */
function threeYears(): Check[][] {
  const random = seededRandom(7);
  return Array.from({ length: 200 }, (_, i) => {
    const rate = (i % 10 === 0 ? 0.05 : 0.002) / day;
    return Array.from({ length: 36 }, (): Check => {
      const elapsed = Math.round((20 + 20 * random()) * day);
      return [elapsed, random() < -Math.expm1(-rate * elapsed) ? 1 : 0];
    });
  });
}

/** 200 pages checked once a day for a month, nine in ten of them with a change in 20 days. */
function everyDay(): Check[][] {
  const random = seededRandom(7);
  return Array.from({ length: 200 }, (_, i) => {
    const rate = (i % 10 === 0 ? 1 : 0.05) / day;
    return Array.from({ length: 30 }, (): Check => {
      const elapsed = Math.round((0.7 + 0.6 * random()) * day);
      return [elapsed, random() < -Math.expm1(-rate * elapsed) ? 1 : 0];
    });
  });
}

function planOf(checks: readonly (readonly Check[])[]): CrawlPlan {
  const pages = checks.length;
  const fill = (value: number): Float64Array => new Float64Array(pages).fill(value);
  const problem: CrawlPlanProblem = {
    ...plainPages(pages),
    now,
    interval: 30 * day,
    slotsByCrawler: Uint32Array.of(200),
    history: checkHistory(checks),
    lastCrawl: fill(now - 5 * day),
    floor: 0.05,
    estimator: 'drifting-rate',
  };
  const answer = solveCrawlPlan(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer.plan;
}

/** The largest relative difference of two plans' rates, over all pages but those named. */
function farthest(plan: CrawlPlan, other: CrawlPlan, but: readonly number[]): number {
  const apart = Array.from(plan.changeRate, (rate, i) =>
    but.includes(i) ? 0 : Math.abs(other.changeRate[i] / rate - 1),
  );
  return Math.max(...apart);
}

describe('a drifting rate, where a log has gaps far shorter than its others', () => {
  const record = threeYears();
  const plain = planOf(record);

  it.each([1e-3, 5e-3, 1e-6, 1e-12])(
    'one check %s s after another leaves the other pages’ rates as they are',
    (gap) => {
      const doubled = record.map((checks, i): readonly Check[] => (i === 3 ? [...checks, [gap, 0]] : checks));
      expect(farthest(plain, planOf(doubled), [3])).toBeLessThan(0.02);
    },
  );

  it('so does a log that has every line twice, 5 ms apart', () => {
    const twice = record.map((checks) => checks.flatMap((check): Check[] => [check, [5e-3, 0]]));
    expect(farthest(plain, planOf(twice), [])).toBeLessThan(0.1);
  });

  it('keeps the rate of a page that alone is checked every five minutes', () => {
    const hot = Array.from({ length: 40 }, (_, k): Check => [300, k % 2]);
    const plan = planOf(record.map((checks, i) => (i === 3 ? hot : checks)));
    // half of the checks find a change, which ln 2/300 s explains best; the population draws it down
    expect(plan.changeRate[3] * 300).toBeGreaterThan(0.1);
    expect(plan.changeRate[3] * 300).toBeLessThan(1);
    expect(farthest(plain, plan, [3])).toBeLessThan(0.1);
  });
});

describe('a drifting rate, where a log has gaps far longer than its others', () => {
  it.each([1.76e9, 1e12])('a page last fetched %s s before leaves the other pages’ rates as they are', (gap) => {
    const record = everyDay();
    const plain = planOf(record);
    const plan = planOf(record.map((checks, i): readonly Check[] => (i === 3 ? [[gap, 0], ...checks] : checks)));
    const ratios = Float64Array.from(plan.changeRate, (rate, i) => rate / plain.changeRate[i]).sort();
    // before, the median fell to 0.7 and to 0.2 of what it was
    expect(Math.abs(ratios[ratios.length >> 1] - 1)).toBeLessThan(0.01);
    expect(farthest(plain, plan, [3])).toBeLessThan(0.2);
  });

  it('cuts none short that is not a hundred times as long as most', () => {
    const history = checkHistory(threeYears());
    expect(withoutLongGaps(history, 0)).toBe(history);
    const odd = checkHistory([...threeYears(), [[1e12, 0] as const]]);
    expect(withoutLongGaps(odd, 0).elapsed.at(-1)).toBeLessThan(100 * 40 * day);
    expect(withoutLongGaps(odd, 1e13)).toBe(odd);
  });
});
