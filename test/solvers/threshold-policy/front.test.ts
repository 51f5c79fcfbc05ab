import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { supportedFront } from '../../../src/solvers/numerics/search/supported-front.ts';
import type { FrontCriterion } from '../../../src/solvers/threshold-policy/problem.ts';
import { defined } from '../../defined.ts';
import { solveThresholdPolicy, type ThresholdPolicyProblem } from './answered.ts';
import { costIn, example, exampleCosts } from './cases.ts';
import { observedAnswer } from './certified-answer.ts';
import { naiveMeasures } from './naive-queue.ts';

/** Vertices of the lower left hull of points in the plane, by Andrew's chain. */
function lowerLeft(points: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const hull: (readonly [number, number])[] = [];
  for (const point of sorted) {
    const lowest = hull.at(-1);
    if (lowest !== undefined && point[1] >= lowest[1] * (1 - 1e-9)) continue;
    for (;;) {
      const [a, b] = hull.slice(-2);
      if (b === undefined || (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 1e-12) break;
      hull.pop();
    }
    hull.push(point);
  }
  return hull;
}

describe('the vertices of a front', () => {
  it('are those of the hull, in two criteria', () => {
    const random = seededRandom(4);
    for (let round = 0; round < 20; round++) {
      const points = Array.from({ length: 60 }, () => [random() ** 2, 1000 * random() ** 2] as const);
      const { points: found, complete } = supportedFront(
        ([a, b]) => minimum(points, (p) => a * p[0] + b * p[1]),
        2,
        99,
      );
      expect(complete).toBe(true);
      expect(found.map(({ criteria }) => [...criteria])).toEqual(lowerLeft(points));
    }
  });

  it('are all that is best for some weights, in three criteria', () => {
    const random = seededRandom(9);
    const points = Array.from({ length: 80 }, () => [random() ** 2, 50 * random() ** 2, random() ** 2] as const);
    const of = (w: readonly number[]) => minimum(points, (p) => w[0] * p[0] + w[1] * p[1] + w[2] * p[2]);
    const { points: found, complete } = supportedFront(of, 3, 99);
    expect(complete).toBe(true);
    const known = new Set(found.map(({ what }) => what));
    const seen = new Set<number>();
    for (let i = 0; i < 20_000; i++) {
      const { what } = of([random() ** 2, random() ** 2 / 50, random() ** 2]);
      expect(known.has(what)).toBe(true);
      seen.add(what);
    }
    expect(seen.size).toBe(known.size);
  });
});

function minimum(points: readonly (readonly number[])[], value: (point: readonly number[]) => number) {
  let best = 0;
  for (let i = 1; i < points.length; i++) if (value(points[i]) < value(points[best])) best = i;
  return { criteria: points[best], what: best };
}

describe('the front of thresholds', () => {
  it('is the hull of all policies, by the naive queue: response time against starvation', () => {
    const queue = example({ capacity: 3, modes: [1, 3, 4] });
    const vectors = [-1, 0, 1, 2, 3].flatMap((a) => [-1, 0, 1, 2, 3].filter((b) => b >= a).map((b) => [a, b]));
    const all = vectors.map(([a, b]) => {
      const counts = [0, 1, 2, 3].map((level) => (level <= a ? 4 : level <= b ? 3 : 1));
      const { responseTime, starvationProbability } = naiveMeasures(queue, counts);
      return [responseTime, starvationProbability] as const;
    });
    const criteria = ['response', 'starvation'] as const;
    const { front, warnings } = solveThresholdPolicy(
      { ...queue, costs: exampleCosts, front: { criteria } },
      unlimitedBudget(),
    );
    const hull = lowerLeft(all);
    const points = defined(front);
    expect(points).toHaveLength(hull.length);
    expect(warnings.filter(({ code }) => code.startsWith('front'))).toEqual([]);
    for (const [i, [response, starvation]] of hull.entries()) {
      expect(points[i].criteria.response).toBeCloseTo(response, 9);
      expect(points[i].criteria.starvation).toBeCloseTo(starvation, 9);
    }
  });

  it('gives each policy the prices at which it is the answer: the main example at capacity 9', () => {
    const queue = example({ capacity: 9 });
    const problem = { ...queue, costs: exampleCosts, front: { criteria: ['loss', 'starvation'] as const } };
    const points = defined(solveThresholdPolicy(problem, unlimitedBudget()).front);
    expect(points.length).toBeGreaterThan(5);
    for (const { criteria, weightOfSecond } of points) {
      const [low, high] = defined(weightOfSecond);
      const starvation = high === null ? 2 * low : (low + high) / 2;
      const costs = { loss: 1, starvation, obsolescence: 0, response: 0, crawler: 0 };
      const answer = solveThresholdPolicy({ ...queue, costs }, unlimitedBudget());
      expect(costIn(answer)).toBeCloseTo(defined(criteria.loss) + starvation * defined(criteria.starvation), 8);
    }
  });

  it('keeps the limits, has three criteria too, and does not go with a policy', () => {
    const front = { criteria: ['loss', 'response', 'starvation'] as const };
    const constraints = { activeCrawlers: 2.5 };
    const problem = { ...example(), costs: exampleCosts, constraints, front };
    const points = defined(solveThresholdPolicy(problem, unlimitedBudget()).front);
    expect(points.length).toBeGreaterThan(2);
    for (const { policy } of points) {
      const evaluated = { ...example(), costs: exampleCosts };
      const { evaluation } = solveThresholdPolicy(
        { ...evaluated, evaluate: { crawlersByQueueLength: policy.crawlersByQueueLength } },
        unlimitedBudget(),
      );
      expect(defined(evaluation).measures.activeCrawlers).toBeLessThanOrEqual(2.5);
    }
    expect(() => solveThresholdPolicy({ ...problem, evaluate: { thresholds: [1, 1, 1] } }, unlimitedBudget())).toThrow(
      /a policy to evaluate/,
    );
  });
});

describe('the front of tables by phases', () => {
  const front = (...criteria: FrontCriterion[]) => ({ front: { criteria }, observe: 'phases' as const });

  it.each([[['loss', 'starvation'] as const], [['response', 'starvation'] as const]])(
    'is the hull of all tables of a tiny queue, by the naive queue: %j',
    (criteria) => {
      // Two arrival phases and one service phase: 2⁶ tables.
      const description = {
        ...example({ capacity: 2, modes: [1, 3] }),
        service: { initial: [1], generator: [[-1.5]] },
        obsolescence: { initial: [1], generator: [[-0.2]] },
      };
      const all = Array.from({ length: 64 }, (_, code) => {
        const m = naiveMeasures(description, (length, phase) => ((code >> (2 * length + phase)) & 1 ? 3 : 1));
        const values = { loss: m.arrivalRate * m.lossProbability, response: m.responseTime };
        return [values[criteria[0]], m.starvationProbability] as const;
      });
      const { front: points = [], warnings } = solveThresholdPolicy(
        { ...description, costs: exampleCosts, ...front(...criteria) },
        unlimitedBudget(),
      );
      const hull = lowerLeft(all);
      expect(hull.length).toBeGreaterThan(3);
      expect(points.map((point) => criteria.map((name) => point.criteria[name]))).toEqual(
        hull.map((values) => values.map((value) => expect.closeTo(value, 9))),
      );
      expect(warnings.filter(({ code }) => code.startsWith('front'))).toEqual([]);
    },
  );

  it('is nowhere behind that of thresholds, and each table is the answer at its prices: the main example', () => {
    const problem = { ...example(), costs: exampleCosts };
    const tables = defined(
      solveThresholdPolicy({ ...problem, ...front('loss', 'starvation') }, unlimitedBudget()).front,
    );
    const thresholds = defined(
      solveThresholdPolicy({ ...problem, front: { criteria: ['loss', 'starvation'] } }, unlimitedBudget()).front,
    );
    expect(tables.length).toBeGreaterThan(2 * thresholds.length);
    const leastAt = (points: typeof tables, starvation: number): number =>
      Math.min(...points.map(({ criteria: at }) => defined(at.loss) + starvation * defined(at.starvation)));
    for (const { policy, criteria, weightOfSecond } of tables.filter((_, i) => i % 4 === 1)) {
      const [low, high] = defined(weightOfSecond);
      const starvation = (low + defined(high)) / 2;
      const costs = { loss: 1, starvation, obsolescence: 0, response: 0, crawler: 0 };
      const cost = defined(criteria.loss) + starvation * defined(criteria.starvation);
      expect(cost).toBeLessThanOrEqual(leastAt(thresholds, starvation));
      const answer = solveThresholdPolicy({ ...problem, costs, observe: 'phases' }, unlimitedBudget());
      expect(costIn(answer)).toBeCloseTo(cost, 8);
      const played = { crawlersByState: defined(policy.crawlersByState) };
      expect(costIn(solveThresholdPolicy({ ...problem, costs, evaluate: played }, unlimitedBudget()))).toBeCloseTo(
        cost,
        9,
      );
    }
  });

  it('is found where a mode has no crawlers: it begins with one that wakes an empty system', () => {
    for (const rates of [1, 3]) {
      const problem: ThresholdPolicyProblem = {
        capacity: 2,
        arrivals: { model: 'scaled', matrices: [[[-rates]], [[rates]]], factors: [1, 2] },
        modes: [0, 1, 2],
        service: { initial: [1], generator: [[-1]] },
        obsolescence: null,
        costs: { loss: 1, obsolescence: 0, response: 0, crawler: 0, starvation: 1 },
        ...front('loss', 'starvation'),
      };
      const tables = defined(observedAnswer(problem).front);
      const thresholds = defined(solveThresholdPolicy(problem, unlimitedBudget()).front);
      expect(tables.map(({ criteria }) => criteria)).toEqual(
        thresholds.map(({ criteria }) => ({
          loss: expect.closeTo(defined(criteria.loss), 10),
          starvation: expect.closeTo(defined(criteria.starvation), 10),
        })),
      );
    }
  });

  it('does not go with one phase in sight, with limits, or with response times that later pages lengthen', () => {
    const problem = { ...example(), costs: exampleCosts, ...front('response', 'loss') };
    const refused = (change: object): (() => void) => {
      return () => void solveThresholdPolicy({ ...problem, ...change }, unlimitedBudget());
    };
    expect(refused({ observe: 'arrival-phase' })).toThrow(/found by local search/);
    expect(refused({ constraints: { lossProbability: 0.1 } })).toThrow(/mixtures of tables/);
    expect(refused({ discipline: 'random', costs: { ...exampleCosts, response: 0 } })).toThrow(/random pick-up/);
  });
});

describe('the prices of limits', () => {
  it('are the best ratio of saving to excess of all policies that exceed one limit alone', () => {
    const queue = example({ capacity: 3, modes: [1, 3, 4] });
    const vectors = [-1, 0, 1, 2, 3].flatMap((a) => [-1, 0, 1, 2, 3].filter((b) => b >= a).map((b) => [a, b]));
    const all = vectors.map(([a, b]) => {
      const m = naiveMeasures(
        queue,
        [0, 1, 2, 3].map((level) => (level <= a ? 4 : level <= b ? 3 : 1)),
      );
      const { loss, obsolescence, response, crawler, starvation } = exampleCosts;
      const pages = m.arrivalRate * (loss * m.lossProbability + obsolescence * m.obsolescenceProbability);
      const rest = response * m.responseTime + crawler * m.activeCrawlers + starvation * m.starvationProbability;
      return { starvation: m.starvationProbability, loss: m.lossProbability, cost: pages + rest };
    });
    let priced = 0;
    const limits = all.flatMap((one) => all.map((other) => [one.starvation * 1.001, other.loss * 1.001] as const));
    for (const [s, l] of limits.filter((_, i) => i % 7 === 0)) {
      const constraints = { starvationProbability: s, lossProbability: l };
      const answer = solveThresholdPolicy({ ...queue, costs: exampleCosts, constraints }, unlimitedBudget());
      if (answer.status === 'infeasible') continue;
      const best = costIn(answer);
      const ratio = (saving: number, excess: number): number => (excess > 0 ? saving / excess : 0);
      const prices = {
        starvationProbability: Math.max(
          0,
          ...all.filter((p) => p.starvation > s && p.loss <= l).map((p) => ratio(best - p.cost, p.starvation - s)),
        ),
        lossProbability: Math.max(
          0,
          ...all.filter((p) => p.loss > l && p.starvation <= s).map((p) => ratio(best - p.cost, p.loss - l)),
        ),
      };
      for (const [name, price] of Object.entries(prices)) {
        if (price > 0) priced++;
        expect(Reflect.get(defined(answer.dualPrices), name)).toBeCloseTo(price, 6);
      }
    }
    expect(priced).toBeGreaterThan(5);
  });
});
