import { describe, expect, it } from 'vitest';
import { limitOf, optimiseLimited } from '../../../src/solvers/activation-policy/limits.ts';
import { measureCurve, optimise } from '../../../src/solvers/activation-policy/optimum.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { requireDefined } from '../../require-defined.ts';
import { type ActivationTask, certifyActivation, findActivation, modelOf } from './activation-tasks.ts';
import { type Averages, everyClass, type Queue } from './dense-activation.ts';

const smallQueue: Queue = {
  crawlerRate: 0.7,
  indexingRate: 1,
  capacity: 2,
  crawlers: 2,
  starvationWeight: 1.4,
  crawlerCost: 0.05,
};

const measure = {
  lossRate: (a: Averages) => a.lossRate,
  starvationProbability: (a: Averages) => a.starvationProbability,
  activeCrawlers: (a: Averages) => a.meanActive,
  meanQueueLength: (a: Averages) => a.meanQueueLength,
};

/** The least cost of mixtures of two policies in time that keep one limit: for one limit, two are enough. */
function bestMixture(all: readonly Averages[], name: keyof typeof measure, limit: number): number {
  const of = measure[name];
  let best = Number.POSITIVE_INFINITY;
  const [kept, beyond] = [all.filter((a) => of(a) <= limit), all.filter((a) => of(a) > limit)];
  for (const a of kept) {
    best = Math.min(best, a.cost);
    for (const b of beyond) {
      const share = (limit - of(a)) / (of(b) - of(a));
      best = Math.min(best, (1 - share) * a.cost + share * b.cost);
    }
  }
  return best;
}

function problemOf(queue: Queue, constraints: ActivationTask['constraints'] = {}): ActivationTask {
  return { ...queue, constraints };
}

describe('an activation policy under limits', () => {
  it('costs no less than its bound, the cost of the best mixture of all policies, and keeps the limit', () => {
    const classes = everyClass(smallQueue);
    const free = findActivation(problemOf(smallQueue), unlimitedBudget());
    for (const name of ['lossRate', 'starvationProbability', 'activeCrawlers', 'meanQueueLength'] as const) {
      const unlimited = measure[name](free.measures);
      const minimum = Math.min(...classes.map(measure[name]));
      if (unlimited - minimum < 1e-6) continue;
      for (const share of [0.1, 0.5, 0.9, 1.5]) {
        const limit = minimum + share * (unlimited - minimum);
        const answer = findActivation(problemOf(smallQueue, { [name]: limit }), unlimitedBudget());
        expect(requireDefined(answer.bound)).toBeCloseTo(bestMixture(classes, name, limit), 8);
        expect(measure[name](answer.measures)).toBeLessThanOrEqual(limit + 1e-12);
        expect(answer.status).toBe(
          answer.cost - requireDefined(answer.bound) < 1e-9 * answer.cost ? 'optimal' : 'feasible',
        );
        if (share > 1) expect(answer.cost).toBeCloseTo(free.cost, 12);
        expect(certifyActivation(problemOf(smallQueue, { [name]: limit }), answer)).toEqual([]);
      }
    }
  });

  it('is near the bound where many crawlers make many curves, and costs less the looser the limit', () => {
    const queue = {
      crawlerRate: 0.05,
      indexingRate: 1,
      capacity: 8,
      crawlers: 60,
      starvationWeight: 1.2,
      crawlerCost: 0.002,
    };
    let previousCost = Number.POSITIVE_INFINITY;
    for (const lossProbability of [0.005, 0.01, 0.02]) {
      const answer = findActivation(problemOf(queue, { lossProbability }), unlimitedBudget());
      const { lossRate, meanActive } = answer.measures;
      expect(lossRate / (queue.crawlerRate * meanActive)).toBeLessThanOrEqual(lossProbability * (1 + 1e-9));
      expect(answer.cost / requireDefined(answer.bound)).toBeLessThan(1.02);
      expect(answer.cost).toBeLessThan(previousCost);
      previousCost = answer.cost;
    }
  });

  it('takes a single limit', () => {
    expect(() =>
      findActivation(problemOf(smallQueue, { lossRate: 0.1, meanQueueLength: 1 }), unlimitedBudget()),
    ).toThrow(/take one limit/);
  });

  it('says what is out of reach, and is refused beside targets and the paper’s iteration', () => {
    const answer = findActivation(problemOf(smallQueue, { starvationProbability: 0.05 }), unlimitedBudget());
    expect(answer.status).toBe('infeasible');
    const [{ smallest }] = requireDefined(answer.conflict).limits;
    expect(smallest).toBeCloseTo(Math.min(...everyClass(smallQueue).map(measure.starvationProbability)), 8);
    const both = { ...problemOf(smallQueue, { lossRate: 0.1 }), targets: Int32Array.of(2, 1, 0) };
    expect(() => findActivation(both, unlimitedBudget())).toThrow(/does not go with constraints/);
  });

  it('finds as many crawlers as the limit calls for where none are given', () => {
    const { crawlers: _, ...unlimited } = { ...smallQueue, crawlerCost: 0, crawlerRate: 0.05, capacity: 6 };
    const answer = findActivation({ ...unlimited, constraints: { starvationProbability: 0.02 } }, unlimitedBudget());
    expect(answer.measures.starvationProbability).toBeLessThanOrEqual(0.02);
    expect(answer.measures.starvationProbability).toBeGreaterThan(0.015);
    expect(answer.crawlers).toBeGreaterThan(20);
  });
});

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
    const model = modelOf({
      capacity: 2 + Math.floor(3 * random()),
      crawlers: 2 + Math.floor(4 * random()),
      crawlerRate: 10 ** (random() - 1),
      indexingRate: 1,
      starvationWeight: 10 ** (3 * random() - 1),
      crawlerCost: 0.01 * random(),
    });
    const free = optimise(model, budget).measures;
    const limitValue = free.starvationProbability * (0.7 + 0.25 * random());
    const limit = limitOf({ starvationProbability: limitValue }, 1);
    if (limit === undefined) throw new Error('no limit');
    const optimum = optimiseLimited(model, limit, budget);
    const costs = [...curves(model.capacity, model.crawlers)]
      .map((targets) => measureCurve(model, Int32Array.from(targets), budget))
      .filter(({ starvationProbability }) => starvationProbability <= limitValue * (1 + 1e-12))
      .map(({ cost }) => cost);
    const minCost = Math.min(...costs);
    expect(optimum.conflict === undefined, JSON.stringify(model)).toBe(costs.length > 0);
    if (costs.length === 0) continue;
    compared++;
    expect(optimum.measures.cost, JSON.stringify(model)).toBeLessThan(minCost * 1.05);
    if (optimum.measures.cost < minCost * (1 + 1e-9)) best++;
    expect(optimum.bound, JSON.stringify(model)).toBeLessThanOrEqual(minCost * (1 + 1e-12));
  }
  expect(compared).toBeGreaterThan(15);
  expect(best / compared).toBeGreaterThan(0.9);
});
