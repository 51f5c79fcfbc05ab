import { describe, expect, it } from 'vitest';
import { type Budget, NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { assignSlots } from '../../../src/solvers/slot-assignment/assign-slots.ts';
import type { SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/problem.ts';
import { examineAssignment } from '../../oracles/slot-assignment.ts';

/** A budget whose time passes with each time it is asked: no clock, the same in every run. */
function pollBudget(polls: number): Budget {
  let left = polls;
  const remainingMs = (): number => Math.max(0, left--);
  return { stopRequested: () => left <= 0, remainingMs, seed: 0, report: () => {} };
}

function weighted(random: Random, n: number, equal: number, load: number): SlotAssignmentProblem {
  const slots = Math.ceil(n / load / 4);
  return {
    interval: 1000,
    slotCounts: Int32Array.of(slots, slots, slots, slots),
    idealTime: Float64Array.from({ length: n }, () => (random() < equal ? 500 : 1000 * random())),
    kind: null,
    weight: Float64Array.from({ length: n }, () => 0.1 + 10 * random()),
    allowed: null,
    earliest: null,
    latest: null,
    dropPenalty: Number.POSITIVE_INFINITY,
  };
}

function restricted(random: Random, n: number): SlotAssignmentProblem {
  const instance = weighted(random, n, 0.1, 0.9);
  const start = Int32Array.from({ length: n + 1 }, (_, j) => 2 * j);
  const crawlers = Int32Array.from({ length: 2 * n }, (_, i) =>
    i % 2 === 0 ? Math.floor(random() * 2) : 2 + ((i % 4) >> 1),
  );
  return { ...instance, allowed: { start, crawlers } };
}

/** Task j may use crawlers j and j + 1 of four: at full load a place that one gives up another has to take. */
function restrictedFully(random: Random, n: number): SlotAssignmentProblem {
  const instance = weighted(random, n, 0.3, 1);
  const start = Int32Array.from({ length: n + 1 }, (_, j) => 2 * j);
  const crawlers = Int32Array.from({ length: 2 * n }, (_, i) => ((i >> 1) + (i & 1)) % 4);
  return { ...instance, allowed: { start, crawlers } };
}

/** Ten crawlers; each pair of a task and a crawler is forbidden with some probability. */
function keptToSome(n: number, load: number, equal: number, forbidden: number): SlotAssignmentProblem {
  const random = seededRandom(11);
  const lists = Array.from({ length: n }, () => {
    const list = Array.from({ length: 10 }, (_, k) => k).filter(() => random() >= forbidden);
    return list.length > 0 ? list : [Math.floor(random() * 10)];
  });
  const start = new Int32Array(n + 1);
  for (const [j, { length }] of lists.entries()) start[j + 1] = start[j] + length;
  return {
    ...weighted(random, n, equal, load),
    slotCounts: new Int32Array(10).fill(Math.ceil(n / load / 10)),
    allowed: { start, crawlers: Int32Array.from(lists.flat()) },
  };
}

const cases: [string, SlotAssignmentProblem][] = [
  ['different weights at full load', weighted(seededRandom(1), 400, 0, 1)],
  ['30% equal ideal times', weighted(seededRandom(2), 400, 0.3, 0.9)],
  ['30% equal ideal times at full load', weighted(seededRandom(3), 400, 0.3, 1)],
  ['tasks kept to two crawlers of four', restricted(seededRandom(4), 400)],
  ['tasks kept to two crawlers of four at full load, 30% equal', restrictedFully(seededRandom(6), 400)],
  [
    'release tasks that may be dropped',
    {
      ...weighted(seededRandom(5), 400, 0.1, 1.2),
      kind: Uint8Array.from({ length: 400 }, (_, j) => j % 2),
      dropPenalty: 300,
    },
  ],
];

/** The shortest rule, by looking at every slot: the heaviest task first, each to the nearest free one. */
function heaviestFirst({ interval, slotCounts, idealTime, weight }: SlotAssignmentProblem): number {
  const free = Array.from(slotCounts).flatMap((count) =>
    Array.from({ length: count }, (_, l) => (l * interval) / count),
  );
  const weights = weight ?? idealTime.map(() => 1);
  const order = Array.from(idealTime.keys()).sort((a, b) => weights[b] - weights[a]);
  let cost = 0;
  for (const j of order) {
    let best = 0;
    for (const [s, time] of free.entries()) {
      if (Math.abs(time - idealTime[j]) < Math.abs(free[best] - idealTime[j])) best = s;
    }
    cost += weights[j] * Math.abs(free[best] - idealTime[j]);
    free.splice(best, 1);
  }
  return cost;
}

describe('slot assignment under a time limit', () => {
  it.each(cases)('answers with a true bound when it is stopped early: %s', (_, instance) => {
    const best = assignSlots(instance, unlimitedBudget(), { prices: true });
    if (best.status === 'infeasible') throw new Error('feasible by construction');
    expect(best.status).toBe('optimal');
    const proof = examineAssignment(instance, best.slotOf, best.prices);
    expect(proof.violations).toEqual([]);
    expect(proof.value - proof.bound).toBeLessThan(1e-10 * proof.value);
    let stopped = 0;
    for (const polls of [1, 4, 10, 20, 40, 100, 300, 1000, 5000]) {
      for (const start of [{}, { coldVisits: 0 }]) {
        const answer = assignSlots(instance, pollBudget(polls), start);
        if (answer.status === 'infeasible') throw new Error('feasible by construction');
        const { violations, value } = examineAssignment(instance, answer.slotOf, null);
        expect(violations).toEqual([]);
        expect(value).toBeCloseTo(answer.objective.value, 6);
        expect(answer.objective.bound).toBeLessThanOrEqual(best.objective.value * (1 + 1e-12));
        expect(answer.objective.value).toBeGreaterThanOrEqual(best.objective.value * (1 - 1e-12));
        if (answer.status === 'optimal') expect(answer.objective.value).toBeCloseTo(best.objective.value, 6);
        else stopped++;
      }
    }
    expect(stopped).toBeGreaterThan(0);
  });

  it.each([
    ['full, each task kept to two crawlers of ten in the mean', keptToSome(10_000, 1, 0, 0.8), 2000],
    ['30% equal ideal times, kept to half of the crawlers', keptToSome(10_000, 0.8, 0.3, 0.5), 3000],
    ['30% equal ideal times, from the prices of a sample', weighted(seededRandom(12), 12_000, 0.3, 0.9), 700],
    ['30% equal ideal times, in the middle of a larger sample', weighted(seededRandom(12), 12_000, 0.3, 0.9), 500],
  ])('proves nearly what it found when it is stopped early: %s', (_, instance, polls) => {
    const answer = assignSlots(instance, pollBudget(polls));
    if (answer.status === 'infeasible') throw new Error('feasible by construction');
    expect(answer.objective.gap).toBeLessThan(0.02);
  });

  it.each([
    ['in heaps', 0.5, 80],
    ['spread out', 0, 25],
    ['in heaps, soon', 0.5, 40],
  ])('is no dearer than the heaviest tasks first: %s', (_, together, looks) => {
    let stopped = 0;
    for (let seed = 0; seed < 6; seed++) {
      const problem = weighted(seededRandom(seed), 900, together, 1);
      const answer = assignSlots(problem, pollBudget(looks), { coldVisits: 1000 });
      if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
      if (answer.status === 'feasible') stopped++;
      expect(answer.objective.value, `seed ${seed}`).toBeLessThanOrEqual(heaviestFirst(problem) * (1 + 1e-9));
    }
    expect(stopped).toBeGreaterThan(0);
  });

  it('moves tasks to make room far from free slots, and if stopped at once costs at most 3% more', () => {
    const instance = keptToSome(10_000, 1, 0.3, 0.8);
    const [atOnce, later] = [10, 2000].map((polls) => assignSlots(instance, pollBudget(polls)));
    if (atOnce.status === 'infeasible' || later.status === 'infeasible') throw new Error('feasible by construction');
    expect(atOnce.objective.value).toBeLessThan(1.03 * later.objective.value);
  });

  it('is optimal for few tasks among many slots however little time is left', () => {
    const few: SlotAssignmentProblem = { ...weighted(seededRandom(7), 10, 0, 1), slotCounts: Int32Array.of(200_000) };
    const answer = assignSlots(few, pollBudget(2));
    expect(answer.status).toBe('optimal');
    if (answer.status === 'infeasible') return;
    expect(examineAssignment(few, answer.slotOf, null).violations).toEqual([]);
    for (const [j, ideal] of few.idealTime.entries()) {
      expect(Math.abs(answer.placement.time[j] - ideal)).toBeLessThanOrEqual((few.interval / 200_000) * 2);
    }
  });

  it.each([
    ['with weights', { weight: Float64Array.of(1, 2, 3), slotCounts: Int32Array.of(700_000) }],
    ['on crawlers of their own', { slotCounts: Int32Array.of(700_000, 700_001) }],
  ])('asks for the time while very many slots are laid out: %s', (_, given) => {
    const count = 300_000;
    const random = seededRandom(8);
    const instance: SlotAssignmentProblem = {
      ...weighted(random, count, 0, 1),
      slotCounts: given.slotCounts,
      weight: 'weight' in given ? Float64Array.from({ length: count }, (_, j) => given.weight[j % 3]) : null,
    };
    let asked = 0;
    const stopRequested = (): boolean => ++asked > 1;
    const budget: Budget = { ...unlimitedBudget(), stopRequested };
    expect(() => assignSlots(instance, budget)).toThrow(NothingToReturn);
    expect(asked).toBe(2);
  });

  it('finds every task a slot where only a perfect matching is feasible', () => {
    // Crawler k takes tasks k and k + 1 only: a chain that a nearest-slot rule breaks.
    const n = 400;
    const start = Int32Array.from({ length: n + 1 }, (_, j) => (j === 0 ? 0 : 2 * j - 1));
    const crawlers = Int32Array.from(Array.from({ length: n }, (_, j) => (j === 0 ? [0] : [j, j - 1])).flat());
    const instance: SlotAssignmentProblem = {
      ...weighted(seededRandom(6), n, 0, 1),
      slotCounts: new Int32Array(n).fill(1),
      idealTime: new Float64Array(n),
      allowed: { start, crawlers },
    };
    const answer = assignSlots(instance, pollBudget(2));
    if (answer.status === 'infeasible') throw new Error('feasible by construction');
    expect(examineAssignment(instance, answer.slotOf, null).violations).toEqual([]);
  });
});
