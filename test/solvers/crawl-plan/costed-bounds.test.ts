/** Bounds where a fetch that finds a change costs more, against every set of times on a grid. */
import { describe, expect, it } from 'vitest';
import { objective } from '../../../src/solvers/answer.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { copyBounds } from '../../../src/solvers/crawl-plan/bound/copy-bounds.ts';
import { costedBounds } from '../../../src/solvers/crawl-plan/bound/costed-bounds.ts';
import type { PageBounds } from '../../../src/solvers/crawl-plan/bound/page-bounds.ts';
import { type CrawlPlanProblem, plainPages, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { plainPages as plainModel } from '../../../src/solvers/crawl-plan/rates/plain-pages.ts';
import { checkHistory } from '../../../src/solvers/estimation/index.ts';
import { type ObjectiveName, objectiveNames, stalenessCost } from '../../../src/solvers/pages/objectives/index.ts';
import { certifyCrawlPlan } from './certify-plan.ts';
import { knownPages } from './small-plans.ts';

interface Case {
  readonly objective: ObjectiveName;
  readonly rate: number;
  readonly age: number;
  readonly cost: number;
  readonly ifChanged: number;
}

const interval = 4;
const weight = 1.5;

/** ∫₀ᵍ c, by the objectives' definitions. */
function gapCost(objective: ObjectiveName, rate: number, gap: number): number {
  const y = rate * gap;
  switch (objective) {
    case 'freshness':
      return gap - (1 - Math.exp(-y)) / rate;
    case 'delay':
      return (rate * gap * gap) / 2;
    case 'age':
      return (gap * gap) / 2 - gap / rate + (1 - Math.exp(-y)) / rate / rate;
    case 'harmonic':
      return gap * Math.log(1 + y);
  }
}

/** The least of what the copy costs and the fetches do over up to three fetches, anywhere on a grid of the interval. */
function leastOnGrid({ objective, rate, age, cost, ifChanged }: Case, price: number, most: number): number {
  const steps = 48;
  const unseen = age === Number.POSITIVE_INFINITY;
  const begun = unseen ? 0 : age;
  const first = (at: number): number => {
    if (unseen && objective === 'freshness') return at;
    return gapCost(objective, rate, begun + at) - gapCost(objective, rate, begun);
  };
  let least = Number.POSITIVE_INFINITY;
  const go = (from: number, made: number, before: number, sum: number): void => {
    const rest = made === 0 ? first(interval) : gapCost(objective, rate, interval - before);
    least = Math.min(least, sum + weight * rest);
    if (made === most) return;
    for (let s = from; s < steps; s++) {
      const at = (s * interval) / steps;
      const gap = made === 0 ? begun + at : at - before;
      const found = made === 0 && unseen ? 1 : 1 - Math.exp(-rate * gap);
      const paid = price * (cost + ifChanged * found);
      go(s + 1, made + 1, at, sum + weight * (made === 0 ? first(at) : gapCost(objective, rate, gap)) + paid);
    }
  };
  go(0, 0, 0, 0);
  return least;
}

function boundsOf({ objective, rate, age, cost, ifChanged }: Case): PageBounds {
  const one = (value: number): Float64Array => Float64Array.of(value);
  const unseenAge = objective === 'freshness' ? Infinity : interval;
  const terms = { weight: one(weight), objective: stalenessCost(objective), unseenAge };
  const bounds = copyBounds(one(weight), plainModel(knownPages(one(rate)), terms).copies);
  const pages = { rate: one(rate), weight: one(weight), age: one(age) };
  const closedForm = (): boolean => objective === 'freshness';
  const costs = { cost: one(cost), ifChanged: one(ifChanged), spending: 1 };
  return costedBounds(bounds, costs, { ...pages, closedForm, signalled: () => false });
}

describe.each(objectiveNames)('the least cost of a page under %s where changes cost', (named) => {
  it('is below every set of times, and nearly reached by one', () => {
    let fetched = 0;
    for (const rate of [0.2, 1, 4]) {
      for (const age of [0, 0.7, 5, Number.POSITIVE_INFINITY]) {
        for (const [cost, ifChanged] of [
          [1, 0.5],
          [0.3, 2],
        ] as const) {
          const page = { objective: named, rate, age, cost, ifChanged };
          const bounds = boundsOf(page);
          for (const price of [0.05, 0.3, 1]) {
            const least = leastOnGrid(page, price, 3);
            const none = leastOnGrid(page, price, 0);
            const bound = bounds.leastCost(0, { age, interval, most: 3 }, price);
            const at = `rate ${rate}, age ${age}, price ${price}, cost ${cost} and ${ifChanged}`;
            expect(bound, at).toBeLessThanOrEqual(least * (1 + 1e-9));
            // a grid of times, and tangents 5% apart
            expect(bound, at).toBeGreaterThan(0.96 * least);
            if (least < 0.95 * none) fetched++;
          }
        }
      }
    }
    expect(fetched).toBeGreaterThan(20);
  });

  it('is below every even gap for ever', () => {
    const page = { objective: named, rate: 1, age: 0, cost: 0.5, ifChanged: 0.8 };
    const bounds = boundsOf(page);
    for (const price of [0.1, 0.5]) {
      const bound = bounds.leastRate(0, 0.1, 30, price);
      let least = Number.POSITIVE_INFINITY;
      for (let gap = 0.1; gap <= 30; gap *= 1.01) {
        const paid = price * (0.5 + 0.8 * (1 - Math.exp(-gap)));
        least = Math.min(least, (weight * gapCost(named, 1, gap) + paid) / gap);
      }
      expect(bound).toBeLessThanOrEqual(least * (1 + 1e-9));
      if (named === 'freshness') expect(bound / least).toBeCloseTo(1, 3);
    }
  });
});

describe('the certificate of a bound', () => {
  const day = 86_400;
  const now = 1_760_000_000;
  const pages = 12;
  const each = (value: (i: number) => number): Float64Array => Float64Array.from({ length: pages }, (_, i) => value(i));
  const problem: CrawlPlanProblem = {
    ...plainPages(pages),
    now,
    interval: day,
    slotsByCrawler: Uint32Array.of(96),
    history: checkHistory(Array.from({ length: pages }, () => [])),
    changeRate: each((i) => (0.5 * 1.4 ** i) / day),
    lastCrawl: each((i) => now - 0.3 * i * 3600),
    evenShare: 0,
  };
  const costs = { cost: each((i) => 1 + (i % 2)), ifChanged: each((i) => i % 3), spending: 96 };
  const signals = {
    precision: each((i) => (i % 2 === 0 ? 0.7 : Number.NaN)),
    recall: each((i) => (i % 2 === 0 ? 0.6 : Number.NaN)),
    since: each((i) => i % 3),
    byCheck: new Float64Array(0),
  };

  it.each([
    ['a sum to spend', { costs }],
    ['signals and a sum to spend', { costs, signals, objective: 'harmonic' }],
  ] as const)('with %s holds, and finds a bound that is too high', (_, more) => {
    const asked = { ...problem, ...more };
    const answer = planCrawls(asked, unlimitedBudget());
    if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
    expect(certifyCrawlPlan(asked, answer)).toEqual([]);
    const { value } = answer.objective;
    const raised = { ...answer, objective: objective(value, value * (1 - 1e-8)) };
    expect(certifyCrawlPlan(asked, raised).join()).toContain('free times reach');
  });

  it('with signals holds', () => {
    const answer = planCrawls({ ...problem, signals }, unlimitedBudget());
    if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
    expect(certifyCrawlPlan({ ...problem, signals }, answer)).toEqual([]);
  });
});
