/** A repair repairs: the limits that a conflict offers make its request possible. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import type { Constraints } from '../../../src/solvers/queue/measures.ts';
import { defined } from '../../defined.ts';
import { solveThresholdPolicy, type ThresholdPolicyProblem } from './answered.ts';
import { measuresIn } from './cases.ts';
import { randomCosts, randomQueue } from './random-queues.ts';

const names = [
  'lossProbability',
  'obsolescenceProbability',
  'starvationProbability',
  'responseTime',
  'activeCrawlers',
] as const;

describe('the repairs of limits that clash', () => {
  it.each(['queue-length', 'phases', 'arrival-phase', 'service-phase'] as const)(
    'make the request possible, all changes together: observe %s',
    { timeout: 60_000 },
    (observe) => {
      let repaired = 0;
      for (let seed = 1; seed <= 60; seed++) {
        const random = seededRandom(seed);
        const description = randomQueue(seed, { exponential: true, capacity: 2 });
        const problem = { ...description, discipline: 'fifo', costs: randomCosts(seed), observe } as const;
        const solve = (changed: Partial<ThresholdPolicyProblem>) =>
          solveThresholdPolicy({ ...problem, ...changed }, unlimitedBudget());
        const now = measuresIn(solve({}));
        const constraints: Constraints = Object.fromEntries(
          names.filter(() => random() < 0.5).map((name) => [name, now[name] * random()]),
        );
        const { status, conflict } = solve({ constraints });
        if (status !== 'infeasible') continue;
        const { repairs } = defined(conflict);
        expect(repairs).toHaveLength(1);
        for (const { changes } of repairs) {
          const changed = changes.map(({ pointer, value }) => [pointer.replace('/constraints/', ''), value]);
          const again = solve({ constraints: { ...constraints, ...Object.fromEntries(changed) } });
          expect(again.status, `seed ${seed}: ${JSON.stringify(changes)}`).not.toBe('infeasible');
          repaired++;
        }
      }
      expect(repaired).toBeGreaterThan(10);
    },
  );
});
