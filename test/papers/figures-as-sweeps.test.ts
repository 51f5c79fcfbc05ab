/**
 * The papers' curves as `sweep` answers them. The points of Figures 1.2 to 1.4 of Liu & Nain (2006) are not printed.
 * They are held by what the text proves of them and by the M/M/1/K queue summed up share by share. The dense queue of
 * the tests, in which pages leave first in, first out, holds Figures 1 to 4 of Avrachenkov et al. (2012).
 */
import { describe, expect, it } from 'vitest';
import { crawlerCount } from '../../src/operations/crawler-count.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { thresholdPolicy } from '../../src/operations/threshold-policy.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import type { PhaseTypeLaw, QueueDescription } from '../../src/solvers/queue/queue.ts';
import { defined } from '../defined.ts';
import { example, exampleCosts } from '../solvers/threshold-policy/cases.ts';
import { naiveMeasures } from '../solvers/threshold-policy/naive-queue.ts';

interface Row {
  readonly value: number;
  readonly objective: { readonly value: number };
  readonly solution: { readonly crawlers: number; readonly continuous: { readonly offeredLoad: number } };
}

/** The rows of a sweep, as the wire has them. */
function sweep(operation: Operation, body: object, parameter: string, values: readonly number[]): Row[] {
  const checked = operation.check({ ...body, sweep: { parameter, values } });
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  const answer = JSON.parse(JSON.stringify(checked.request.solve(unlimitedBudget())));
  return defined(answer.beside.sweep);
}

/** C(ρ) of the M/M/1/K queue with μ = 1. */
function plainCost(load: number, gamma: number, capacity: number): number {
  const shares = Array.from({ length: capacity + 1 }, (_, i) => load ** i);
  const total = shares.reduce((sum, share) => sum + share, 0);
  return (gamma * shares[0] + load * shares[capacity]) / total;
}

const queue = (crawlerRate: number, capacity: number, starvation: number) => ({
  crawlerRate,
  service: 1,
  capacity,
  costs: { starvation },
});

describe('Figure 1.2 of Liu & Nain: γ → N(γ, K) for 1/λ = .6, μ = 1', () => {
  const [few, some, many] = [100, 150, 200];
  it.each([
    [2, few],
    [5, some],
    [10, many],
  ])('rises by steps of one crawler at a time, each the best of all counts (K = %i)', (capacity, length) => {
    const gammas = Array.from({ length }, (_, i) => 0.25 * 1.1 ** i);
    const rows = sweep(crawlerCount, queue(1 / 0.6, capacity, 1), '/costs/starvation', gammas);
    for (const [i, { value, solution, objective }] of rows.entries()) {
      const costs = Array.from({ length: 30 }, (_, n) => plainCost((n + 1) / 0.6, value, capacity));
      expect(objective.value).toBeCloseTo(Math.min(...costs), 10);
      const rise = i === 0 ? 0 : solution.crawlers - rows[i - 1].solution.crawlers;
      expect([0, 1]).toContain(rise);
    }
    const [first, last] = [rows[0], defined(rows.at(-1))].map(({ solution }) => solution.crawlers);
    expect(first).toBe(1);
    expect(last).toBeGreaterThan(2);
  });
});

describe('Figures 1.3 and 1.4 of Liu & Nain: K → ρ(γ, K), μ = 1', () => {
  const capacities = Array.from({ length: 100 }, (_, i) => i + 2);
  const loads = (gamma: number): number[] =>
    sweep(crawlerCount, queue(0.01, 2, gamma), '/capacity', capacities).map(
      ({ solution }) => solution.continuous.offeredLoad,
    );

  it('never falls for γ = .5 < μ, and stays below 1 (Proposition 3a)', () => {
    const curve = loads(0.5);
    for (const [i, load] of curve.entries()) {
      expect(load).toBeLessThan(1);
      if (i > 0) expect(load).toBeGreaterThanOrEqual(curve[i - 1]);
      const [here, near, far] = [load, load * 1.001, load * 0.999].map((x) => plainCost(x, 0.5, capacities[i]));
      expect(here).toBeLessThanOrEqual(Math.min(near, far));
    }
  });

  it.each([2, 1.2, 1.1])(
    'rises to a top about ⌊2μ/(γ − μ)⌋ at the earliest and falls towards 1 for γ = %d > μ (Proposition 3b, corrected)',
    (gamma) => {
      const curve = loads(gamma);
      const top = curve.indexOf(Math.max(...curve));
      expect(capacities[top]).toBeGreaterThanOrEqual(2 / (gamma - 1) - 1);
      for (let i = 1; i < curve.length; i++) {
        if (i <= top) expect(curve[i]).toBeGreaterThanOrEqual(curve[i - 1]);
        else expect(curve[i]).toBeLessThanOrEqual(curve[i - 1]);
      }
      expect(defined(curve.at(-1))).toBeGreaterThan(1);
      expect(defined(curve.at(-1))).toBeLessThan(1.05);
    },
  );
});

/** The paper's law of mean times that vary more and more: initial (.9, .1), rates α1 and what keeps the mean. */
function mixture(alpha1: number, mean: number): PhaseTypeLaw {
  const alpha2 = (0.1 * alpha1) / (mean * alpha1 - 0.9);
  return {
    initial: [0.9, 0.1],
    generator: [
      [-alpha1, 0],
      [0, -alpha2],
    ],
  };
}

/** Variance of a law with two phases that do not follow each other. */
const varianceOf = ({ initial, generator }: PhaseTypeLaw): number => {
  const moment = (power: number): number =>
    initial.reduce((sum, share, i) => sum + share * (-1 / generator[i][i]) ** power, 0);
  return 2 * moment(2) - moment(1) ** 2;
};

const thresholds = [-1, 0, 1, 2, 3, 4, 5];

/** The cost at every threshold between two modes: as a sweep, and by the dense queue of the tests. */
function curves(low: number, high: number, changes: Partial<QueueDescription> = {}) {
  const { service, obsolescence, ...rest } = { ...example(), ...changes };
  const body = {
    ...rest,
    service: { type: 'phase-type', ...service },
    obsolescence: { type: 'phase-type', ...obsolescence },
    modes: [low, high],
    costs: exampleCosts,
    evaluate: { thresholds: [0] },
  };
  const rows = sweep(thresholdPolicy, body, '/evaluate/thresholds/0', thresholds);
  const { loss, obsolescence: expiry, response, crawler, starvation } = exampleCosts;
  const dense = thresholds.map((threshold) => {
    const policy = Array.from({ length: 6 }, (_, level) => (level <= threshold ? high : low));
    const m = naiveMeasures({ ...example(), ...changes }, policy);
    return (
      m.arrivalRate * (loss * m.lossProbability + expiry * m.obsolescenceProbability) +
      response * m.responseTime +
      crawler * m.activeCrawlers +
      starvation * m.starvationProbability
    );
  });
  return { swept: rows.map(({ objective }) => objective.value), dense };
}

/** Where a curve is least. */
const best = (costs: readonly number[]): number => thresholds[costs.indexOf(Math.min(...costs))];

/** A sweep is its dense curve, least where it should be; returns its least cost. */
function checkCurve({ swept, dense }: ReturnType<typeof curves>, threshold: number): number {
  for (const [i, cost] of swept.entries()) expect(cost / dense[i]).toBeCloseTo(1, 9);
  expect(best(swept)).toBe(threshold);
  return Math.min(...swept);
}

/** The mean time to index of the paper's example, and its mean time until a page expires. */
const [meanService, meanExpiry] = [0.657142857142857, 5];
const exponentialExpiry = { initial: [1], generator: [[-0.2]] };

describe('Figures 1 to 4 of Avrachenkov et al.: the cost by the threshold', () => {
  it.each<[number, number]>([
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 4],
    [3, 4],
  ])('between %i crawlers and %i is that of the dense queue (Figure 1)', (low, high) => {
    const { swept, dense } = curves(low, high, { obsolescence: exponentialExpiry });
    const least = checkCurve({ swept, dense }, best(dense));
    // One and three crawlers are the cheapest pair, at threshold 2 (Table 1).
    expect(least).toBeGreaterThanOrEqual(63.54254769 - 1e-7);
    if (low === 1 && high === 3) expect([best(swept), Math.abs(least - 63.54254769) < 1e-7]).toEqual([2, true]);
  });

  it('rises with the variance of the time to index, .431 to 5.798 (Figures 2 and 3)', () => {
    const variances = [1.521, 9].map((alpha1) => varianceOf(mixture(alpha1, meanService)));
    expect(variances).toEqual([expect.closeTo(0.431, 2), expect.closeTo(5.798, 2)]);
    const least = [1.521, 3, 5, 7, 9].map((alpha1) => {
      const changes = { obsolescence: exponentialExpiry, service: mixture(alpha1, meanService) };
      const three = checkCurve(curves(1, 3, changes), alpha1 < 7 ? 2 : 1);
      const four = checkCurve(curves(1, 4, changes), 1);
      // Above 4, four crawlers and one are the better pair.
      expect(four < three).toBe(alpha1 > 4);
      return Math.min(three, four);
    });
    expect(least).toEqual([...least].sort((a, b) => a - b));
  });

  it('rises with the variance of the time until pages expire, 25 to 449, its threshold falling from 2 to 0 (Figure 4)', () => {
    // The paper cuts digits off: 449.65.
    const variances = [0.2, 7].map((alpha1) => varianceOf(mixture(alpha1, meanExpiry)));
    expect(variances).toEqual([expect.closeTo(25, 9), expect.closeTo(449.653, 3)]);
    const least = [
      [0.2, 2],
      [0.5, 2],
      [1, 1],
      [3, 1],
      [7, 0],
    ].map(([alpha1, threshold]) => checkCurve(curves(1, 3, { obsolescence: mixture(alpha1, meanExpiry) }), threshold));
    expect(least).toEqual([...least].sort((a, b) => a - b));
  });
});
