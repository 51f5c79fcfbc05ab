import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { certifyActivation, findActivation } from './activation-tasks.ts';
import { denseClasses, ruleOf } from './dense-activation.ts';
import { randomProblem, randomTargets } from './instances.ts';

const measures = ['cost', 'starvationProbability', 'lossRate', 'meanActive', 'meanQueueLength'] as const;

describe('a given policy', () => {
  it('has the averages that dense elimination finds', () => {
    const random = seededRandom(11);
    for (let i = 0; i < 120; i++) {
      const problem = { ...randomProblem(random, 7, 7) };
      const targets = randomTargets(random, problem, true);
      const answer = findActivation({ ...problem, targets }, unlimitedBudget());
      const [dense, ...rest] = denseClasses(problem, ruleOf(problem, targets));
      const where = JSON.stringify({ ...problem, targets: [...targets] });
      expect(answer.status).toBe('evaluated');
      expect(rest, where).toHaveLength(0);
      expect(certifyActivation(problem, answer), where).toEqual([]);
      for (const name of measures) {
        // Dense elimination keeps absolute digits only.
        const scale = name === 'cost' ? Math.max(1e-3, dense.cost) : 1;
        expect(Math.abs(answer.measures[name] - dense[name]) / scale, `${name}: ${where}`).toBeLessThan(
          1e-9 * Math.max(1, problem.indexingRate, Math.abs(dense[name])),
        );
      }
    }
  });

  it('that names the crawlers it needs does without a count', () => {
    const problem = {
      crawlerRate: 0.1,
      indexingRate: 1,
      capacity: 3,
      starvationWeight: 1,
      crawlerCost: 0,
      targets: Int32Array.of(9, 4, 2, 1),
    };
    const answer = findActivation(problem, unlimitedBudget());
    expect(answer.crawlers).toBe(9);
    expect(answer.maxActivating).toBe(8);
  });
});
