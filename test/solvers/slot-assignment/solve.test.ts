import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { certifySlotAssignment } from '../../../src/solvers/slot-assignment/certify.ts';
import { solveSlotAssignment } from '../../../src/solvers/slot-assignment/solve.ts';
import { bruteForce } from './brute-force.ts';
import { costScale, expectHallSet, expectProved } from './checks.ts';
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
        // Every other search starts from layered prices at once.
        const start = trial % 2 === 0 ? {} : { coldSteps: 0 };
        const answer = solveSlotAssignment(instance, unlimitedBudget(), { prices: true, ...start });
        expect(certifySlotAssignment(instance, answer), what).toEqual([]);
        if (answer.status === 'infeasible') {
          expect(least, what).toBe(Number.POSITIVE_INFINITY);
          expectHallSet(instance, answer.conflict, what);
          continue;
        }
        expect(answer.status, what).toBe('optimal');
        expect(Math.abs(answer.objective.value - least), what).toBeLessThanOrEqual(1e-12 * costScale(instance));
        expectProved(instance, answer, what);
      }
    });
  }
});
