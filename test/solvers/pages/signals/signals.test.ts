import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/solvers/numerics/random/random.ts';
import {
  freshness,
  type ObjectiveName,
  objectiveNames,
  stalenessCost,
} from '../../../../src/solvers/pages/objectives/index.ts';
import { cycleLength, levelCost, SignalTable, signalMotion } from '../../../../src/solvers/pages/signals/index.ts';
import { cycleCost } from './cycle-cost.ts';
import { playPage } from './simulated-signals.ts';

const qualities = [
  [0.9, 0.9],
  [0.6, 0.6],
  [0.3, 0.3],
  [0.05, 0.5],
  [1, 0.7],
  [0.5, 0],
] as const;

/** The rule at a level, in the terms of age and signals, for a page of rate 1. */
function ruleOf(precision: number, recall: number, objective: ObjectiveName, level: number) {
  const jump = objective === 'freshness' ? -Math.log(1 - precision) : precision;
  const at = (age: number, signals: number): number => (1 - recall) * age + (signals > 0 ? jump * signals : 0);
  return {
    due: (age: number, signals: number): boolean => at(age, signals) >= level,
    dueAge: (signals: number): number => Math.max(0, (level - at(0, signals)) / (1 - recall)),
    // ∫ (ln(1 + y) + y/(1 + y)) dy = y·ln(1 + y)
    costBetween: (from: number, to: number, signals: number): number =>
      [to, from].reduce((sum, age, k) => {
        const y = at(age, signals);
        return sum + (k === 0 ? 1 : -1) * y * Math.log(1 + y);
      }, 0) /
      (1 - recall),
  };
}

describe('the level of a page without a signal', () => {
  // An objective that is taken for one with signals before its level is worked out fails here.
  it('costs by each objective what its own definition says of a copy that is as old', () => {
    for (const name of objectiveNames) {
      const motion = signalMotion({ precision: 0.5, recall: 0 }, name);
      for (const age of [1e-6, 0.3, 2, 40]) {
        const own = stalenessCost(name);
        expect(levelCost(motion, age) / own.cost(1, age), `${name} at ${age}`).toBeCloseTo(1, 9);
        expect(cycleCost(motion, age) / own.integral(1, age), `${name} to ${age}`).toBeCloseTo(1, 9);
      }
    }
  });
});

describe('a cycle that ends at a level', () => {
  it('is as long and costs as much as a simulation of changes, signals and fetches says', () => {
    const random = seededRandom(12);
    for (const objective of objectiveNames) {
      for (const [precision, recall] of qualities) {
        for (const level of [0.4, 1.7]) {
          const motion = signalMotion({ precision, recall }, objective);
          const rule = ruleOf(precision, recall, objective, level);
          const played = playPage({ changeRate: 1, precision, recall, ...rule }, 12_000, random);
          const length = cycleLength(motion, level);
          expect(played.time / played.fetches / length).toBeGreaterThan(0.97);
          expect(played.time / played.fetches / length).toBeLessThan(1.03);
          const measured = { freshness: played.staleTime, delay: played.waiting, harmonic: played.paid };
          const cost = measured[objective] / played.time;
          const share = cycleCost(motion, level) / length;
          // stale moments are few where signals are good
          expect(Math.abs(cost - share)).toBeLessThan(0.02 * levelCost(motion, level));
        }
      }
    }
  });

  it('costs least, its fetch paid, at the level for the price, on a grid of levels', () => {
    for (const objective of objectiveNames) {
      for (const [precision, recall] of qualities) {
        const motion = signalMotion({ precision, recall }, objective);
        const table = new SignalTable(motion);
        const grid: { cost: number; length: number }[] = [];
        for (let level = 0.01; level < 12; level *= 1.02) {
          grid.push({ cost: cycleCost(motion, level), length: cycleLength(motion, level) });
        }
        for (const price of [0.01, 0.3, 0.8]) {
          const costAt = (level: number): number => (cycleCost(motion, level) + price) / cycleLength(motion, level);
          const best = table.levelFor(price);
          const least = Math.min(...grid.map(({ cost, length }) => (cost + price) / length));
          expect(costAt(best)).toBeLessThanOrEqual(least * (1 + 1e-6));
          // and that least is the cost at the level itself
          expect(levelCost(motion, best)).toBeCloseTo(costAt(best), 4);
        }
      }
    }
  });

  it('is tabulated to a thousandth, and inverted', () => {
    for (const objective of objectiveNames) {
      for (const [precision, recall] of qualities) {
        const motion = signalMotion({ precision, recall }, objective);
        const table = new SignalTable(motion);
        for (let level = 1e-4; level < 30; level *= 1.3) {
          const length = cycleLength(motion, level);
          expect(Math.abs(table.length(level) / length - 1)).toBeLessThan(1e-3);
          expect(Math.abs(table.length(table.levelOfLength(length)) / length - 1)).toBeLessThan(1e-6);
          if (level < 1e-3) continue;
          const worth = levelCost(motion, level) * length - cycleCost(motion, level);
          expect(Math.abs(table.worth(level) / worth - 1)).toBeLessThan(1e-4);
          if (level < 12) expect(Math.abs(table.worth(table.levelFor(worth)) / worth - 1)).toBeLessThan(1e-5);
        }
        if (objective !== 'freshness') {
          const worth = levelCost(motion, 55) * cycleLength(motion, 55) - cycleCost(motion, 55);
          expect(table.worth(55) / worth).toBeCloseTo(1, 1);
          expect(table.levelFor(table.worth(55)) / 55).toBeCloseTo(1, 6);
        }
        for (const tiny of [1e-14, 1e-9]) {
          expect(table.length(tiny) * (motion.drift / tiny)).toBeCloseTo(1, 6);
          const slope = objective === 'harmonic' ? 2 : 1;
          expect((2 * table.worth(tiny) * motion.drift) / tiny ** 2 / slope).toBeCloseTo(1, 6);
        }
      }
    }
  });

  it('is the plain page without signals, and ends at the first one where signals are proof', () => {
    const plain = new SignalTable(signalMotion({ precision: 0.5, recall: 0 }, 'freshness'));
    for (const price of [1e-6, 0.1, 0.7, 0.99]) {
      expect(plain.levelFor(price) / freshness.intervalAt(1, 1, price)).toBeCloseTo(1, 5);
      expect(plain.worth(3) / freshness.worth(1, 1, 3)).toBeCloseTo(1, 6);
    }
    // nearly proof, and nearly complete: fetches follow changes, at the rate of the changes
    const sure = signalMotion({ precision: 1 - 1e-12, recall: 0.999 }, 'freshness');
    expect(1 / cycleLength(sure, 5)).toBeCloseTo(1, 2);
    expect(cycleCost(sure, 5) / cycleLength(sure, 5)).toBeLessThan(2e-3);
    // every change signalled, half of the signals wrong: only signals move the level
    const complete = signalMotion({ precision: 0.5, recall: 1 }, 'freshness');
    expect(cycleLength(complete, 1.5 * Math.LN2)).toBeCloseTo(2 / 2, 12);
    expect(cycleCost(complete, 1.5 * Math.LN2)).toBeCloseTo(0.5 * (0 + 0.5), 12);
  });

  it('is measured where signals come by the million before the longest age', () => {
    const motion = signalMotion({ precision: 0.01, recall: 0.999 }, 'delay');
    // after 1e6 changes and a hundred times as many signals the level is 1e6, with a standard deviation of 100
    expect(cycleLength(motion, 1.1e6, 1e6)).toBe(1e6);
    expect(cycleLength(motion, 1e6, 1e6)).toBeCloseTo(1e6 - 100 / Math.sqrt(2 * Math.PI), 0);
  });

  it('ends at the longest age at the latest', () => {
    const motion = signalMotion({ precision: 0.6, recall: 0.6 }, 'freshness');
    expect(cycleLength(motion, 2, 1e9)).toBeCloseTo(cycleLength(motion, 2), 12);
    const played = playPage(
      {
        changeRate: 1,
        precision: 0.6,
        recall: 0.6,
        due: (age, signals) => 0.4 * age + 0.916290731874155 * signals >= 2 || age >= 1.5,
        dueAge: (signals) => Math.max(0, Math.min(1.5, (2 - 0.916290731874155 * signals) / 0.4)),
      },
      20_000,
      seededRandom(3),
    );
    expect(Math.abs(played.time / played.fetches / cycleLength(motion, 2, 1.5) - 1)).toBeLessThan(0.02);
    expect(Math.abs(played.staleTime / played.fetches / cycleCost(motion, 2, 1.5) - 1)).toBeLessThan(0.03);
  });
});
