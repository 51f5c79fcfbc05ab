/** What would be believed after a check, beside what is believed without: a belief is the mean of those to come. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { changedOutcome, unchangedOutcome } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import {
  believe,
  expectedCost,
  ifChanged,
  ifUnchanged,
  ifUnchecked,
  meanRate,
  RevisedBelief,
} from '../../../src/solvers/pages/evidence/index.ts';
import { freshness } from '../../../src/solvers/pages/objectives/index.ts';
import { checkHistory } from '../../check-history.ts';

const ages = [0.01, 0.3, 1, 4, 20, 300];

/** Beliefs of 50 pages of up to 30 checks at uneven gaps. */
function beliefsOfLog(seed: number) {
  const random = seededRandom(seed);
  const checks = Array.from({ length: 50 }, () => {
    const rate = Math.exp(6 * random() - 4);
    return Array.from({ length: Math.floor(30 * random()) }, (): [number, number] => {
      const elapsed = 0.1 + 5 * random() ** 3;
      return [elapsed, random() < -Math.expm1(-rate * elapsed) ? changedOutcome : unchangedOutcome];
    });
  });
  return believe(checkHistory(checks), 1, unlimitedBudget());
}

describe('the beliefs after a check', () => {
  for (const seed of [1, 2, 3, 4]) {
    const beliefs = beliefsOfLog(seed);
    const revised = new RevisedBelief(beliefs);
    const cost = expectedCost(freshness, revised.beliefs);

    it(`have the mean rate of the belief without it, by their chances (seed ${seed})`, () => {
      for (let i = 0; i < beliefs.pages; i++) {
        for (const age of ages) {
          revised.check(i, age);
          const found = cost.cost(ifUnchecked, age);
          const [without, withChange] = [ifUnchanged, ifChanged].map((outcome) => meanRate(revised.beliefs, outcome));
          const unseen = meanRate(revised.beliefs, ifUnchecked);
          const mean = found * withChange + (1 - found) * without;
          expect(Math.abs(mean / unseen - 1), `page ${i} at age ${age}: ${mean}, not ${unseen}`).toBeLessThan(1e-9);
        }
      }
    });

    it(`cost no more in the mean than the belief without it: a check never misleads (seed ${seed})`, () => {
      for (let i = 0; i < beliefs.pages; i++) {
        for (const age of ages) {
          revised.check(i, age);
          const found = cost.cost(ifUnchecked, age);
          for (const price of [0.03, 0.3, 3]) {
            const least = (outcome: number): number => {
              const interval = cost.intervalAt(outcome, price, 1);
              return interval < Number.POSITIVE_INFINITY ? cost.cost(outcome, interval) : 1;
            };
            const taught = least(ifUnchecked) - found * least(ifChanged) - (1 - found) * least(ifUnchanged);
            expect(taught, `page ${i} at age ${age}, price ${price}`).toBeGreaterThan(-1e-9);
          }
        }
      }
    });
  }
});
