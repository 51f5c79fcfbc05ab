import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { assignSlots } from '../../../src/solvers/slot-assignment/assign-slots.ts';
import type { SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/problem.ts';
import { bruteForce } from './brute-force.ts';
import { certifySlotAssignment, costScale } from './checks.ts';
import { allFeatures, described, randomInstance } from './instances.ts';

describe('slot assignment against brute force', () => {
  for (const features of allFeatures) {
    const names = Object.entries(features)
      .filter(([, on]) => on)
      .map(([name]) => name);
    it(`costs exactly the least possible with ${names.join(', ') || 'nothing special'}`, () => {
      const random = seededRandom(1 + allFeatures.indexOf(features));
      for (let trial = 0; trial < 500; trial++) {
        const instance = randomInstance(random, features, 7);
        const what = described(instance);
        const least = bruteForce(instance);
        // Every other search has no cold start; where prices are wanted nothing is swept.
        const start = trial % 2 === 0 ? {} : { coldVisits: 0 };
        const answer = assignSlots(instance, unlimitedBudget(), { prices: true, ...start });
        const unpriced = assignSlots(instance, unlimitedBudget());
        for (const each of [answer, unpriced]) expect(certifySlotAssignment(instance, each), what).toEqual([]);
        if (answer.status === 'infeasible') {
          expect(least, what).toBe(Number.POSITIVE_INFINITY);
          expect(unpriced.status, what).toBe('infeasible');
          continue;
        }
        if (unpriced.status === 'infeasible') throw new Error(what);
        expect(Math.abs(unpriced.objective.value - least), what).toBeLessThanOrEqual(1e-12 * costScale(instance));
        expect(answer.status, what).toBe('optimal');
        expect(Math.abs(answer.objective.value - least), what).toBeLessThanOrEqual(1e-12 * costScale(instance));
      }
    });
  }
});

describe('the sweep', () => {
  it('costs what the search finds and proves by its prices, at sizes beyond brute force', () => {
    const random = seededRandom(40);
    for (let trial = 0; trial < 60; trial++) {
      const n = 100 + Math.floor(200 * random());
      const slots = Math.ceil((n * (1 + 0.2 * random() * (trial % 3))) / 3);
      const both = trial % 4 < 2;
      const instance: SlotAssignmentProblem = {
        interval: 1,
        slotCounts: Int32Array.of(slots, slots, trial % 2 === 0 ? slots : slots + 7),
        idealTime: Float64Array.from({ length: n }, () => (random() < 0.2 ? 0.5 : 0.9 * random())),
        kind: both ? Uint8Array.from({ length: n }, () => (random() < 0.2 ? 1 : 0)) : null,
        weight: null,
        allowed: null,
        earliest: null,
        latest: null,
        dropPenalty: both ? Number.POSITIVE_INFINITY : 0.05,
      };
      const swept = assignSlots(instance, unlimitedBudget());
      const searched = assignSlots(instance, unlimitedBudget(), { prices: true });
      if (swept.status === 'infeasible' || searched.status === 'infeasible') {
        expect(swept.status).toBe(searched.status);
        continue;
      }
      expect([swept.method, searched.method]).toEqual(['sweep', 'shortest-paths']);
      expect(searched.status).toBe('optimal');
      expect(certifySlotAssignment(instance, searched), described(instance)).toEqual([]);
      expect(Math.abs(swept.objective.value - searched.objective.value)).toBeLessThan(1e-11 * n);
    }
  });
});

describe('slot assignment with tasks far outside the interval', () => {
  /** Tasks of both kinds, some of them as far off as `far`; everybody's slots are many. */
  function instanceWith(far: number, dropPenalty: number): SlotAssignmentProblem {
    const idealTime = Float64Array.of(far, 0.1, far / 2.5e5, 0.35, 0.5, 5.5e-7, 0.6, far / 1e8, -far);
    const kind = Uint8Array.of(0, 1, 0, 1, 0, 0, 1, 0, 0);
    const slotCounts = Int32Array.of(4, 500);
    const none = { weight: null, allowed: null, earliest: null, latest: null };
    return { interval: 1, slotCounts, idealTime, kind, dropPenalty, ...none };
  }

  for (const far of [1e9, 5e17, 1e100]) {
    it(`proves by its prices what it calls optimal, ${far} away`, () => {
      for (const dropPenalty of [Number.POSITIVE_INFINITY, far / 3, 2 * far]) {
        const instance = instanceWith(far, dropPenalty);
        const answer = assignSlots(instance, unlimitedBudget(), { prices: true });
        expect(certifySlotAssignment(instance, answer), `${dropPenalty}`).toEqual([]);
        if (answer.status === 'infeasible') throw new Error('there are more slots than tasks');
        expect(answer.status).toBe('optimal');
      }
    });

    it(`places the tasks within it as if the others were due at its ends, ${far} away`, () => {
      const instance = instanceWith(far, Number.POSITIVE_INFINITY);
      const answer = assignSlots(instance, unlimitedBudget());
      if (answer.status === 'infeasible') throw new Error('there are more slots than tasks');
      // Slots are 1/500 apart. Those due at .1, .35, .5, .6 start on time, that at 5.5e-7 at the first slot. The three
      // that come after the end have the last three, that from before the other slot at 0.
      const { time } = answer.placement;
      expect([1, 3, 4, 5, 6].map((j) => time[j])).toEqual([0.1, 0.35, 0.5, 0, 0.6]);
      expect([0, 2, 7].map((j) => time[j]).sort()).toEqual([0.994, 0.996, 0.998]);
      expect(time[8]).toBe(0);
    });
  }
});

/** The cost, +∞ when infeasible. */
function cost(instance: SlotAssignmentProblem): number {
  const answer = assignSlots(instance, unlimitedBudget(), { prices: true });
  expect(certifySlotAssignment(instance, answer), described(instance)).toEqual([]);
  if (answer.status === 'infeasible') return Number.POSITIVE_INFINITY;
  expect(answer.status, described(instance)).toBe('optimal');
  return answer.objective.value;
}

const instances = fc
  .tuple(fc.nat(), fc.constantFrom(...allFeatures), fc.integer({ min: 1, max: 9 }))
  .map(([seed, features, most]) => randomInstance(seededRandom(seed), features, most));

const scaled = (times: Float64Array | null, by: number): Float64Array | null => times?.map((t) => t * by) ?? null;

function expectSame(a: number, b: number, instance: SlotAssignmentProblem, unit = 1): void {
  if (a === Number.POSITIVE_INFINITY || b === Number.POSITIVE_INFINITY) {
    expect(a, described(instance)).toBe(b);
    return;
  }
  expect(Math.abs(a - b), described(instance)).toBeLessThanOrEqual(1e-11 * costScale(instance) * unit);
}

describe('the least cost of a slot assignment', () => {
  it('scales with the unit of time, from 1e-14 to 1e14', () => {
    fc.assert(
      fc.property(instances, fc.constantFrom(2 ** -46, 2 ** -10, 2 ** 20, 2 ** 46), (instance, by) => {
        const other: SlotAssignmentProblem = {
          ...instance,
          interval: instance.interval * by,
          idealTime: instance.idealTime.map((t) => t * by),
          earliest: scaled(instance.earliest, by),
          latest: scaled(instance.latest, by),
          dropPenalty: instance.dropPenalty * by,
        };
        expectSame(cost(other), cost(instance) * by, instance, by);
      }),
      { numRuns: 300 },
    );
  });
});

describe('larger slot assignments', () => {
  it('are proved optimal by their own prices for every combination of features', () => {
    const random = seededRandom(11);
    for (const features of allFeatures) {
      const n = 300;
      const base = randomInstance(random, features, 0);
      const idealTime = Float64Array.from({ length: n }, () => Math.floor(100 * random()) * 0.9);
      const instance: SlotAssignmentProblem = {
        interval: 100,
        slotCounts: Int32Array.of(100, 130, 120),
        idealTime,
        kind: features.releases ? Uint8Array.from(idealTime, () => (random() < 0.3 ? 1 : 0)) : null,
        weight: features.weights ? Float64Array.from(idealTime, () => 10 * random()) : null,
        allowed: features.restrictions
          ? {
              start: Int32Array.from({ length: n + 1 }, (_, j) => j),
              crawlers: Int32Array.from(idealTime, (_, j) => j % 3),
            }
          : null,
        earliest: features.windows ? idealTime.map((t) => t - 20 * random()) : null,
        latest: features.windows ? idealTime.map((t) => t + 20) : null,
        dropPenalty: features.dropping ? 8 : base.dropPenalty,
      };
      cost(instance);
    }
  });
});
