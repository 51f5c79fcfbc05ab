/** Fronts between averages of activation policies, against every policy of a small system. */
import { describe, expect, it } from 'vitest';
import type { ActivationCriterion } from '../../../src/solvers/activation-policy/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { defined } from '../../defined.ts';
import { type ActivationTask, certifyActivation, findActivation } from './asked.ts';
import { type Averages, everyClass } from './dense-activation.ts';

const small = {
  crawlerRate: 0.7,
  indexingRate: 1,
  capacity: 2,
  crawlers: 2,
  starvationWeight: 1.4,
  crawlerCost: 0.05,
} as const;

const averageOf = (name: ActivationCriterion, averages: Averages): number =>
  ({
    loss: averages.lossRate,
    starvation: averages.starvationProbability,
    crawlers: averages.meanActive,
    queueLength: averages.meanQueueLength,
  })[name];

const frontOf = (problem: ActivationTask, criteria: readonly ActivationCriterion[]) =>
  certified({ ...problem, front: { criteria } });

function certified(problem: ActivationTask) {
  const answer = findActivation(problem, unlimitedBudget());
  expect(certifyActivation(problem, answer)).toEqual([]);
  return answer;
}

describe('a front of activation policies', () => {
  const all = everyClass(small);
  it.each<[string, readonly ActivationCriterion[], number]>([
    ['lost pages and idle time', ['loss', 'starvation'], 3],
    ['idle time and active crawlers', ['starvation', 'crawlers'], 3],
    ['lost pages and the mean queue', ['queueLength', 'starvation'], 3],
    ['three of them', ['starvation', 'crawlers', 'queueLength'], 3],
  ])('has the best of all policies at every price: %s', (_name, criteria, fewest) => {
    const { front: answered, warnings } = frontOf(small, criteria);
    const front = defined(answered);
    expect(warnings).toEqual([]);
    expect(front.length).toBeGreaterThanOrEqual(fewest);
    const valueAt = (weights: readonly number[], of: (name: ActivationCriterion) => number): number =>
      criteria.reduce((sum, name, c) => sum + weights[c] * of(name), 0);
    for (let step = 0; step <= 40; step++) {
      for (const share of criteria.length === 2 ? [0] : [0, 0.2, 0.6, 1]) {
        const first = 0.01 + 0.98 * (step / 40);
        const weights = [first, (1 - first) * (1 - share), (1 - first) * share].slice(0, criteria.length);
        const least = Math.min(...all.map((averages) => valueAt(weights, (name) => averageOf(name, averages))));
        const listed = Math.min(
          ...front.map((point) => valueAt(weights, (name) => point.criteria[name] ?? Number.NaN)),
        );
        expect(Math.abs(listed - least)).toBeLessThan(1e-7);
      }
    }
    for (const { policy } of front) {
      const alone = findActivation({ ...small, targets: policy.targets }, unlimitedBudget()).classes;
      expect(alone).toHaveLength(1);
    }
  });

  it('says at what price of the second criterion each is best', () => {
    const front = defined(frontOf(small, ['loss', 'starvation']).front);
    for (const { weightOfSecond, criteria } of front) {
      const [from, to] = defined(weightOfSecond);
      const price = to === null ? from + 1 : (from + to) / 2;
      const answer = findActivation({ ...small, crawlerCost: 0, starvationWeight: price }, unlimitedBudget());
      expect(answer.classes[0].lossRate).toBeCloseTo(defined(criteria.loss), 8);
      expect(answer.classes[0].starvationProbability).toBeCloseTo(defined(criteria.starvation), 8);
    }
  });

  it('is found out where a criterion, a price or a policy is another', () => {
    const problem: ActivationTask = { ...small, front: { criteria: ['loss', 'starvation'] } };
    const answer = certified(problem);
    const points = defined(answer.front);
    const [first, second, ...others] = points;
    const faults = (front: typeof points): string => certifyActivation(problem, { ...answer, front }).join('\n');
    const { loss, starvation } = second.criteria;
    const moved = { ...second, criteria: { loss: defined(loss) * (1 + 1e-6), starvation } };
    expect(faults([first, moved, ...others])).toMatch(/^point 1 of the front has loss/);
    expect(faults([first, ...others])).toMatch(/^the prices of point 1 of the front begin at/);
    expect(faults([{ ...first, policy: second.policy }, second, ...others])).toMatch(/^point 0 of the front has/);
    const [from] = defined(second.weightOfSecond);
    expect(faults([first, { ...second, weightOfSecond: [from, 9 * from] }, ...others])).toMatch(
      /costs less than point 1/,
    );
  });

  it('with more vertices than are listed lies along the whole of it, and says so', () => {
    const queue = { ...small, crawlerRate: 0.05, capacity: 8, crawlers: 40 };
    const { front: answered, warnings } = frontOf(queue, ['loss', 'starvation']);
    const front = defined(answered);
    expect(warnings.map(({ code }) => code)).toEqual(['front-incomplete']);
    expect(front.length).toBeGreaterThan(40);
    const gaps = front.slice(1).map((point, i) => defined(point.criteria.loss) - defined(front[i].criteria.loss));
    const range = defined(front.at(-1)?.criteria.loss) - defined(front[0].criteria.loss);
    expect(Math.max(...gaps)).toBeLessThan(0.2 * range);
  });

  it('needs a number of crawlers, and goes with no limits and no targets', () => {
    const { crawlers: _, ...unlimited } = small;
    expect(() => frontOf(unlimited, ['loss', 'starvation'])).toThrow(/give their number/);
    expect(() => frontOf({ ...small, constraints: { lossRate: 1 } }, ['loss', 'starvation'])).toThrow(/front/);
    expect(() => frontOf({ ...small, targets: Int32Array.of(2, 1, 0) }, ['loss', 'starvation'])).toThrow(/front/);
  });

  it('is the same where the plain rates are written as laws of one phase', () => {
    const criteria = ['loss', 'starvation'] as const;
    const { indexingRate, ...others } = small;
    const phased = { service: { initial: [1], generator: [[-indexingRate]] } };
    const problem: ActivationTask = { ...others, indexingRate: Number.NaN, phased, front: { criteria } };
    const written = findActivation(problem, unlimitedBudget());
    expect(written.front).toEqual(frontOf(small, criteria).front);
    const faults = (front: typeof written.front): string =>
      certifyActivation(problem, { ...written, ...(front && { front }) }).join('\n');
    expect(faults(written.front)).toBe('');
    const [first, second, ...rest] = defined(written.front);
    expect(faults([{ ...first, policy: second.policy }, second, ...rest])).toMatch(/^point 0 of the front has/);
    const moved = { loss: defined(second.criteria.loss) * (1 + 1e-6), starvation: second.criteria.starvation };
    expect(faults([first, { ...second, criteria: moved }, ...rest])).toMatch(/^point 1 of the front has loss/);
  });
});
