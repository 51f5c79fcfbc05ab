import { expect, it } from 'vitest';
import { limitOf, optimiseLimited } from '../../../src/solvers/activation-policy/limits.ts';
import { evaluateTargets, optimiseCurve } from '../../../src/solvers/activation-policy/optimum.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

const budget = unlimitedBudget();

/** Every non-increasing curve of targets. */
function* curves(capacity: number, most: number, q = 0): Generator<number[]> {
  if (q > capacity) {
    yield [];
    return;
  }
  for (let target = q === 0 ? 1 : 0; target <= most; target++) {
    for (const rest of curves(capacity, target, q + 1)) yield [target, ...rest];
  }
}

it('under a limit of tiny queues the answer is the cheapest of all curves in nine of ten, and its bound below every one', () => {
  const random = seededRandom(31);
  let [compared, best] = [0, 0];
  for (let i = 0; i < 80; i++) {
    const model = {
      capacity: 2 + Math.floor(3 * random()),
      crawlers: 2 + Math.floor(4 * random()),
      crawlerRate: 10 ** (random() - 1),
      indexingRate: 1,
      starvationWeight: 10 ** (3 * random() - 1),
      crawlerCost: 0.01 * random(),
    };
    const free = evaluateTargets(model, optimiseCurve(model, { tolerance: 1e-9 }, budget).curve, budget)[0];
    const most = free.starvationProbability * (0.7 + 0.25 * random());
    const limit = limitOf({ starvationProbability: most }, 1);
    if (limit === undefined) throw new Error('no limit');
    const found = optimiseLimited(model, limit, budget);
    const costs = [...curves(model.capacity, model.crawlers)]
      .map((targets) => evaluateTargets(model, Int32Array.from(targets), budget)[0])
      .filter(({ starvationProbability }) => starvationProbability <= most * (1 + 1e-12))
      .map(({ cost }) => cost);
    const least = Math.min(...costs);
    expect(found.conflict === undefined, JSON.stringify(model)).toBe(costs.length > 0);
    if (costs.length === 0) continue;
    compared++;
    expect(found.averages.cost, JSON.stringify(model)).toBeLessThan(least * 1.05);
    if (found.averages.cost < least * (1 + 1e-9)) best++;
    expect(found.bound, JSON.stringify(model)).toBeLessThanOrEqual(least * (1 + 1e-12));
  }
  expect(compared).toBeGreaterThan(15);
  expect(best / compared).toBeGreaterThan(0.9);
});
