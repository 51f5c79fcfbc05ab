import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Warning } from '../../../src/solvers/answer.ts';
import { unlessStopped, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlPlan, type CrawlPlanProblem, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardGamma } from '../../../src/solvers/numerics/random/random-variates.ts';
import { checkHistory } from '../../check-history.ts';
import { certifyCrawlPlan } from './certify-plan.ts';

const day = 86_400;
const now = 1_760_000_000;

interface Page {
  readonly checks?: readonly (readonly [number, number])[];
  readonly changeRate?: number;
  readonly age?: number;
  readonly weight?: number;
  readonly minInterval?: number;
  readonly maxInterval?: number;
  readonly host?: number;
}

function problemOf(
  pages: readonly Page[],
  slots: readonly number[],
  options: Partial<CrawlPlanProblem> = {},
): CrawlPlanProblem {
  const column = (of: (page: Page) => number): Float64Array => Float64Array.from(pages, of);
  return {
    now,
    interval: day,
    slotsByCrawler: Uint32Array.from(slots),
    history: checkHistory(pages.map(({ checks }) => checks ?? [])),
    changeRate: column(({ changeRate }) => changeRate ?? Number.NaN),
    lastCrawl: column(({ age }) => (age === undefined ? Number.NaN : now - age)),
    weight: column(({ weight }) => weight ?? 1),
    minInterval: column(({ minInterval }) => minInterval ?? 0),
    maxInterval: column(({ maxInterval }) => maxInterval ?? Number.POSITIVE_INFINITY),
    host: Int32Array.from(pages, ({ host }) => host ?? -1),
    hostName: [],
    hostDelay: new Float64Array(0),
    evenShare: 0.05,
    ...options,
  };
}

type Planned = CrawlPlan & { readonly objective: number; readonly warnings: readonly Warning[] };

function planOf(problem: CrawlPlanProblem): Planned {
  const answer = planCrawls(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  expect(certifyCrawlPlan(problem, answer)).toEqual([]);
  return { ...answer.plan, objective: answer.objective.value, warnings: answer.warnings };
}

const anyPage = fc.record(
  {
    checks: fc.array(fc.tuple(fc.double({ min: 10, max: 20 * day, noNaN: true }), fc.integer({ min: 0, max: 1 })), {
      maxLength: 6,
    }),
    changeRate: fc.double({ min: 1e-9, max: 1e-2, noNaN: true }),
    age: fc.double({ min: 0, max: 30 * day, noNaN: true }),
    weight: fc.double({ min: 0, max: 10, noNaN: true }),
    minInterval: fc.double({ min: 0, max: day / 2, noNaN: true }),
    host: fc.integer({ min: -1, max: 2 }),
  },
  { requiredKeys: ['checks'] },
);

/** The plan when the budget ends after so many polls; null where there is none yet. */
function stoppedAfter(problem: CrawlPlanProblem, most: number) {
  let polls = 0;
  const budget = { ...unlimitedBudget(), stopRequested: () => polls++ > most };
  const answer = unlessStopped(null, () => planCrawls(problem, budget));
  if (answer !== null && 'conflict' in answer) throw new Error(answer.conflict.detail);
  return answer;
}

describe('a crawl plan', () => {
  it('keeps slots, least intervals, delays and its own figures on any input', () => {
    fc.assert(
      fc.property(
        fc.array(anyPage, { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 3 }),
        fc.tuple(...[0, 1, 2].map(() => fc.double({ min: 0, max: day / 4, noNaN: true }))),
        fc.constantFrom(0, 0.05, 0.5, 1),
        (pages, slots, delays, evenShare) => {
          const hosts = { hostName: ['a', 'b', 'c'], hostDelay: Float64Array.from(delays) };
          const plan = planOf(problemOf(pages, slots, { ...hosts, evenShare }));
          for (const value of plan.staleness) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1 + 1e-9);
          }
          for (const rate of plan.changeRate) expect(rate).toBeGreaterThan(0);
          expect(plan.objective).toBeLessThan(Number.POSITIVE_INFINITY);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('keeps longest intervals to within one slot, or says what cannot be kept', () => {
    const page = fc.record({
      age: fc.double({ min: 0, max: day, noNaN: true }),
      changeRate: fc.double({ min: 1e-7, max: 1e-3, noNaN: true }),
      maxInterval: fc.constantFrom(day / 8, day / 4, day / 3, day, 3 * day),
    });
    let kept = 0;
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 12, max: 120 }),
        (pages, slots) => {
          const problem = problemOf(pages, [slots]);
          const result = planCrawls(problem, unlimitedBudget());
          if ('conflict' in result) {
            expect(result.conflict.crawlsNeeded).toBeGreaterThan(result.conflict.slots);
            expect(result.conflict.pages.length).toBeGreaterThan(0);
            expect(certifyCrawlPlan(problem, result)).toEqual([]);
          } else {
            kept++;
            const missed = result.warnings.some(({ code }) => code === 'max-interval-missed');
            expect(certifyCrawlPlan(problem, result).length > 0).toBe(missed);
          }
          // half as many slots again as the deadlines need: never a conflict
          const need = pages.reduce((sum, { maxInterval }) => sum + Math.ceil(day / maxInterval) + 1, 0);
          if (slots >= 1.5 * need) {
            if (!('plan' in result)) throw new Error(result.conflict.detail);
            expect(certifyCrawlPlan(problem, result)).toEqual([]);
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(kept).toBeGreaterThan(50);
  });

  it('names the pages and the host when a longest interval clashes with slots or a delay', () => {
    const pages = [0, 1].map(() => ({ age: 3600, changeRate: 1e-5, maxInterval: day / 4 }));
    expect(planCrawls(problemOf(pages, [4]), unlimitedBudget())).toMatchObject({
      conflict: { pages: [0, 1], host: null, crawlsNeeded: 4, slots: 3 },
    });
    const hosted = pages.map((page) => ({ ...page, host: 0 }));
    const hosts = { hostName: ['slow.example'], hostDelay: Float64Array.of(day / 4) };
    expect(planCrawls(problemOf(hosted, [96], hosts), unlimitedBudget())).toMatchObject({
      conflict: { host: 'slow.example', pages: [0, 1] },
    });
  });

  it('does not call it a conflict that a page was overdue before', () => {
    const pages = Array.from({ length: 20 }, () => ({ age: 30 * day, changeRate: 1e-6, maxInterval: day / 2 }));
    const plan = planOf(problemOf(pages, [48]));
    expect(plan.warnings.map(({ code }) => code)).toContain('overdue-at-start');
    expect(Math.min(...plan.crawls)).toBeGreaterThanOrEqual(1);
  });

  it('fetches the pages that are worth most where more are overdue than there are slots, wherever they stand', () => {
    const pages = Array.from({ length: 20 }, (_, i) => {
      return { age: 30 * day, changeRate: 1e-6, maxInterval: 10 * day, weight: i < 15 ? 1 : 100 };
    });
    const plan = planOf(problemOf(pages, [8]));
    expect(plan.warnings.map(({ code }) => code)).toContain('overdue-at-start');
    expect([...plan.slotPage]).toEqual([15, 16, 17, 18, 19, 0, 1, 2]);
  });

  it('keeps the deadlines that can be kept beside pages that are overdue', () => {
    const overdue = Array.from({ length: 5 }, () => ({ age: 30 * day, changeRate: 1e-6, maxInterval: 10 * day }));
    const due = { age: 9.5 * day, changeRate: 1e-6, maxInterval: 10 * day };
    const plan = planOf(problemOf([...overdue, due], [4]));
    expect(plan.nextFetch[5]).toBeLessThanOrEqual(now + 0.75 * day);
    expect(plan.warnings.map(({ code }) => code)).not.toContain('max-interval-missed');
  });

  it('fetches the page that gains most first, and a page too fast for the price only at its floor', () => {
    const pages = [
      { age: 10 * day, changeRate: 1 / day },
      { age: 10 * day, changeRate: 0.01 / day },
      { age: 10 * day, changeRate: 5000 / day },
    ];
    const plan = planOf(problemOf(pages, [4], { evenShare: 0 }));
    // (1 − 11e^{−10}) days against (1 − 1.1e^{−0.1})/0.01 days
    expect(plan.slotPage[0]).toBe(0);
    expect(plan.slotPage[1]).toBe(1);
    expect(Array.from(plan.withoutCrawl)).toEqual([2]);
    expect(plan.nextFetch[2]).toBeNaN();
    expect(plan.warnings.find(({ code }) => code === 'pages-without-crawl')?.detail).toContain('never');
    const floored = planOf(problemOf(pages, [4], { evenShare: 0.5 }));
    expect(floored.nextFetch[2]).not.toBeNaN();
  });

  it('fetches among pages worth the same in the long run those first whose fetch saves most in this interval', () => {
    // w/λ is alike: new copies are worth the same for ever, and of the fast ones more has changed by the end of the day
    const pages = [0.2, 3, 1, 7, 0.5].map((rate) => ({ changeRate: rate / day, weight: rate }));
    const plan = planOf(problemOf(pages, [5], { evenShare: 0 }));
    expect(Array.from(plan.slotPage).slice(0, 2)).toEqual([3, 1]);
    expect(new Set(plan.slotPage).size).toBe(5);
  });

  it('says an interval that holds the rate it says, where few pages are much faster than the others', () => {
    const checks = (gap: number, seen: 0 | 1) => Array.from({ length: 100 }, () => [gap, seen] as const);
    const slow = Array.from({ length: 60 }, () => ({ checks: checks(day, 0), age: day }));
    const plan = planOf(problemOf([...slow, { checks: checks(60, 1), age: day }, {}], [60]));
    for (const [i, rate] of plan.changeRate.entries()) {
      expect(plan.changeRateLow[i]).toBeLessThanOrEqual(rate);
      expect(plan.changeRateHigh[i]).toBeGreaterThanOrEqual(rate);
    }
  });

  it('gives new pages a fetch before pages that were seen, and the prior of the others', () => {
    const seen = Array.from({ length: 6 }, (_, k) => ({
      age: day,
      checks: Array.from({ length: 8 }, (__, j) => [day, (j + k) % 4 === 0 ? 1 : 0] as const),
    }));
    const plan = planOf(problemOf([...seen, { checks: [] }], [7]));
    expect(plan.slotPage[0]).toBe(6);
    expect(plan.changeRate[6] * day).toBeGreaterThan(0.1);
    expect(plan.changeRate[6] * day).toBeLessThan(1);
    expect(plan.changeRateHigh[6] - plan.changeRateLow[6]).toBeGreaterThan(
      plan.changeRateHigh[0] - plan.changeRateLow[0],
    );
  });

  it('says which pages have checks and no last fetch, and plans them as never fetched', () => {
    const checks = [0, 1, 0].map((seen) => [2 * day, seen] as const);
    const plan = planOf(problemOf([{ age: day, checks }, { checks }, { checks: [] }], [2]));
    const warning = plan.warnings.find(({ code }) => code === 'last-crawl-missing');
    expect(warning?.detail).toContain('1 page (page 1) with checks and no lastCrawl');
    expect(Array.from(plan.slotPage).sort()).toEqual([1, 2]);
    expect(planOf(problemOf([{ age: day, checks }], [2])).warnings).toEqual([]);
  });

  it('has no interval after the outcome that gives a page up, but a longest one', () => {
    // Pages that changed at one of two checks: after another change no fetch of some of them is worth its price.
    const changing = Array.from({ length: 40 }, (_, k) => ({
      age: day,
      checks: [0, 1].map((seen) => [0.5 * day, seen] as const),
      weight: 0.5 + 0.008 * k,
    }));
    const priced = Array.from({ length: 10 }, () => ({ age: day, changeRate: 2 / day, weight: 2 }));
    const plan = planOf(problemOf([...changing, ...priced], [12]));
    const parting = changing.flatMap((_, i) => {
      const [now, unchanged, changed] = [plan.fetchInterval, plan.intervalIfUnchanged, plan.intervalIfChanged].map(
        (intervals) => Number.isNaN(intervals[i]),
      );
      return !now && !unchanged && changed ? [i] : [];
    });
    expect(parting.length).toBeGreaterThan(0);
    // The even share of a page is a fetch in 83 days: none of those that remain is that.
    for (const i of changing.keys()) {
      for (const after of [plan.intervalIfUnchanged[i], plan.intervalIfChanged[i]])
        if (!Number.isNaN(after)) expect(after).toBeLessThan(80 * day);
    }
    const [page] = parting;
    const kept = changing.map((each, i) => (i === page ? { ...each, maxInterval: 60 * day } : each));
    expect(planOf(problemOf([...kept, ...priced], [12])).intervalIfChanged[page]).toBe(60 * day);
  });

  it('beats taking turns within the same limits, or comes within 2% (what the end of one interval costs), where rates are known', () => {
    const page = fc.record({
      changeRate: fc.double({ min: 1e-7, max: 1e-4, noNaN: true }),
      age: fc.double({ min: 0, max: 10 * day, noNaN: true }),
      minInterval: fc.constantFrom(0, 3600, day / 4),
    });
    fc.assert(
      fc.property(fc.array(page, { minLength: 20, maxLength: 60 }), (pages) => {
        const plan = planOf(problemOf(pages, [pages.length], { interval: 5 * day }));
        expect(plan.objective).toBeLessThan(1.02 * (plan.uniformObjective ?? 0));
      }),
      { numRuns: 60 },
    );
  });

  it('with rates known keeps simulated pages as stale as it says, and fresher than taking turns', () => {
    const random = seededRandom(21);
    const pages = Array.from({ length: 400 }, () => ({
      age: random() * 4 * day,
      changeRate: Math.max(standardGamma(random, 0.85) / (4 * day), 1e-9),
    }));
    const problem = problemOf(pages, [100], { interval: 4 * day });
    const plan = planOf(problem);
    expect(plan.objective).toBeLessThan(plan.uniformObjective ?? 0);
    const fetches = pages.map((): number[] => []);
    for (const [k, i] of plan.slotPage.entries()) fetches[i].push(plan.slotTime[k] - now);
    let stale = 0;
    const runs = 60;
    for (let run = 0; run < runs; run++) {
      for (const [i, { age, changeRate }] of pages.entries()) {
        const times = [-age, ...fetches[i], 4 * day];
        for (let k = 0; k + 1 < times.length; k++) {
          const changed = times[k] + standardExponential(random) / changeRate;
          stale += Math.max(0, times[k + 1] - Math.max(changed, Math.max(times[k], 0)));
        }
      }
    }
    expect(stale / runs / (4 * day) / plan.objective).toBeCloseTo(1, 1.5);
  });

  it('carries a warning wherever it is stopped', () => {
    const pages = Array.from({ length: 40 }, (_, k) => ({ age: day + k * 1000, changeRate: 1e-5 * (1 + (k % 7)) }));
    const problem = problemOf(pages, [120], { interval: 2 * day });
    let polls = 0;
    const whole = planCrawls(problem, { ...unlimitedBudget(), stopRequested: () => polls++ < 0 });
    if ('conflict' in whole) throw new Error(whole.conflict.detail);
    expect(whole.warnings).toEqual([]);
    let stopped = 0;
    for (let share = 0.02; share < 1; share += 0.07) {
      const answer = stoppedAfter(problem, Math.floor(share * polls) - 1);
      if (answer === null) continue;
      expect(answer.warnings[0]?.code).toBe('stopped-early');
      // a schedule is a heuristic: what is dealt as it falls due may by luck be a little better
      expect(answer.objective.value).toBeGreaterThan(whole.objective.value * (1 - 1e-3));
      stopped++;
    }
    expect(stopped).toBeGreaterThan(5);
  });

  it('stops when told to, with what it has or with nothing', () => {
    const pages = Array.from({ length: 3000 }, () => ({ age: day, checks: [[day, 1] as const] }));
    const stopped = { ...unlimitedBudget(), stopRequested: () => true };
    expect(() => planCrawls(problemOf(pages, [100]), stopped)).toThrow(/of the checks were read/);
  });
});
