import { describe, expect, it } from 'vitest';
import { NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { defined } from '../../defined.ts';
import { type ActivationTask, certifyActivation, findActivation } from './asked.ts';
import { type Averages, denseMixture, everyClass, type Queue, ruleOf } from './dense-activation.ts';
import { randomProblems } from './instances.ts';

const small: Queue = {
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
  it('costs what the best mixture of all policies costs, and is one policy with chance in one decision', () => {
    const all = everyClass(small);
    const free = findActivation(problemOf(small), unlimitedBudget());
    let mixed = 0;
    for (const name of ['lossRate', 'starvationProbability', 'activeCrawlers', 'meanQueueLength'] as const) {
      const unlimited = measure[name](free.classes[0]);
      const least = Math.min(...all.map(measure[name]));
      if (unlimited - least < 1e-6) continue;
      for (const share of [0.1, 0.5, 0.9, 1.5]) {
        const limit = least + share * (unlimited - least);
        const answer = findActivation(problemOf(small, { [name]: limit }), unlimitedBudget());
        expect(answer.cost).toBeCloseTo(bestMixture(all, name, limit), 8);
        expect(answer.status).toBe('optimal');
        expect(certifyActivation(problemOf(small, { [name]: limit }), answer)).toEqual([]);
        expect(defined(answer.bound)).toBeGreaterThan(answer.cost * (1 - 1e-8));
        const price = defined(defined(answer.dualPrices)[name]);
        if (share > 1) {
          expect(price).toBe(0);
          expect(answer.mixture).toBeUndefined();
          continue;
        }
        // What a little more of the limit saves is its price.
        const looser = bestMixture(all, name, limit * (1 + 1e-6));
        expect(price).toBeCloseTo((answer.cost - looser) / (limit * 1e-6), 3);
        if (answer.mixedDecision === undefined) continue;
        mixed++;
        const { queueLength, activeCrawlers, probability } = answer.mixedDecision;
        const raised = answer.targets.slice();
        expect(raised[queueLength]).toBe(activeCrawlers);
        raised[queueLength]++;
        const [dense] = denseMixture(small, [ruleOf(small, answer.targets), ruleOf(small, raised)], probability);
        expect(dense.cost).toBeCloseTo(answer.cost, 9);
        expect(measure[name](dense)).toBeCloseTo(limit, 9);
        expect(dense.meanQueueLength).toBeCloseTo(answer.classes[0].meanQueueLength, 9);
      }
    }
    expect(mixed).toBeGreaterThan(4);
  });

  it('keeps several limits at once, and the share of pages lost', () => {
    const queue = {
      crawlerRate: 0.05,
      indexingRate: 1,
      capacity: 8,
      crawlers: 60,
      starvationWeight: 1.2,
      crawlerCost: 0.002,
    };
    const constraints = { lossProbability: 0.05, starvationProbability: 0.09, activeCrawlers: 19 };
    const answer = findActivation(problemOf(queue, constraints), unlimitedBudget());
    expect(answer.status).toBe('optimal');
    const [averages] = answer.classes;
    const lossShare = averages.lossRate / (queue.crawlerRate * averages.meanActive);
    expect(lossShare).toBeLessThanOrEqual(0.05 * (1 + 1e-9));
    expect(averages.starvationProbability).toBeLessThanOrEqual(0.09 * (1 + 1e-9));
    expect(averages.meanActive).toBeLessThanOrEqual(19 * (1 + 1e-9));
    const free = findActivation(problemOf(queue), unlimitedBudget());
    expect(answer.cost).toBeGreaterThanOrEqual(free.cost * (1 - 1e-9));
    expect(certifyActivation(problemOf(queue, constraints), answer)).toEqual([]);
    // A limit on the share alone: the bound of the multipliers meets the cost, and looser limits cost less.
    const costs = [0.005, 0.01, 0.02].map(
      (limit) => findActivation(problemOf(queue, { lossProbability: limit }), unlimitedBudget()).cost,
    );
    expect(costs[0]).toBeGreaterThan(costs[1]);
    expect(costs[1]).toBeGreaterThan(costs[2]);
  });

  it.each(['starvationProbability', 'lossProbability'] as const)(
    'has a certificate that finds a wrong mixture: %s',
    (name) => {
      const queue = name === 'lossProbability' ? { ...small, starvationWeight: 9 } : small;
      const of = (a: Averages): number =>
        name === 'lossProbability' ? a.lossRate / (queue.crawlerRate * a.meanActive) : measure[name](a);
      const free = of(findActivation(problemOf(queue), unlimitedBudget()).classes[0]);
      const limit = (free + Math.min(...everyClass(queue).map(of))) / 2;
      const problem = problemOf(queue, { [name]: limit });
      const answer = findActivation(problem, unlimitedBudget());
      expect(certifyActivation(problem, answer)).toEqual([]);
      const [one, other] = defined(answer.mixture);
      const drawn = defined(answer.mixedDecision);
      const averages = { ...one.averages, meanQueueLength: one.averages.meanQueueLength * (1 + 1e-6) };
      const wrong: Record<string, Partial<typeof answer>> = {
        shares: {
          mixture: [
            { ...one, share: one.share + 1e-6 },
            { ...other, share: other.share - 1e-6 },
          ],
        },
        sum: { mixture: [{ ...one, share: one.share * 1.1 }, other] },
        averages: { mixture: [{ ...one, averages }, other] },
        policies: { mixture: [{ ...one, targets: other.targets }, other] },
        chance: { mixedDecision: { ...drawn, probability: drawn.probability * 1.001 } },
        place: { mixedDecision: { ...drawn, queueLength: drawn.queueLength === 0 ? 1 : 0 } },
        price: { dualPrices: { [name]: defined(defined(answer.dualPrices)[name]) * 1.01 } },
      };
      for (const [what, changed] of Object.entries(wrong)) {
        expect(certifyActivation(problem, { ...answer, ...changed }), what).not.toEqual([]);
      }
      const tighter = problemOf(queue, { [name]: limit * 0.99 });
      expect(certifyActivation(tighter, answer)).toContainEqual(expect.stringContaining('above its limit'));
    },
  );

  it('says what is out of reach, and is refused beside targets and the paper’s iteration', () => {
    const answer = findActivation(
      problemOf(small, { lossRate: 0.01, starvationProbability: 0.05, meanQueueLength: 0.1 }),
      unlimitedBudget(),
    );
    expect(answer.status).toBe('infeasible');
    const all = everyClass(small);
    for (const { constraint, smallest } of defined(answer.conflict).limits) {
      if (constraint === 'lossProbability') continue;
      expect(smallest).toBeCloseTo(Math.min(...all.map(measure[constraint])), 6);
    }
    const both = { ...problemOf(small, { lossRate: 0.1 }), targets: Int32Array.of(2, 1, 0) };
    expect(() => findActivation(both, unlimitedBudget())).toThrow(/does not go with constraints/);
  });

  it('keeps a limit on the mean queue of a long one, at the cost of idle time', () => {
    const queue = {
      crawlerRate: 0.05,
      indexingRate: 1,
      capacity: 20,
      crawlers: 60,
      starvationWeight: 1,
      crawlerCost: 0,
    };
    const free = findActivation(problemOf(queue), unlimitedBudget());
    let before = free.cost;
    for (const meanQueueLength of [6, 3, 1]) {
      const answer = findActivation(problemOf(queue, { meanQueueLength }), unlimitedBudget());
      expect(answer.status).toBe('optimal');
      expect(answer.classes[0].meanQueueLength).toBeCloseTo(meanQueueLength, 8);
      expect(answer.cost).toBeGreaterThan(before);
      before = answer.cost;
    }
  });

  it('finds as many crawlers as the limits call for where none are given', () => {
    const { crawlers: _, ...unlimited } = { ...small, crawlerCost: 0, crawlerRate: 0.05, capacity: 6 };
    const problem = {
      ...unlimited,
      constraints: { starvationProbability: 0.02 },
    } as const;
    const answer = findActivation(problem, unlimitedBudget());
    expect(answer.status).toBe('optimal');
    expect(answer.classes[0].starvationProbability).toBeCloseTo(0.02, 9);
    expect(answer.crawlers).toBeGreaterThan(20);
    const free = findActivation({ ...unlimited }, unlimitedBudget());
    expect(certifyActivation({ ...unlimited }, free)).toEqual([]);
  });

  it('has something to return, or says that it has not, whenever the time ends', () => {
    const problem = { ...problemOf(small, { lossRate: 0.1 }), crawlers: 60, capacity: 8, crawlerRate: 0.05 };
    let answered = 0;
    for (let polls = 0; polls < 400; polls += 7) {
      let left = polls;
      const budget = { ...unlimitedBudget(), stopRequested: () => left-- <= 0 };
      try {
        findActivation(problem, budget);
        answered++;
      } catch (error) {
        expect(error).toBeInstanceOf(NothingToReturn);
      }
    }
    expect(answered).toBeGreaterThan(0);
  });
});

describe('the price of a limit', () => {
  it('of no lost page at all is what the first lost page saves, not a number without meaning', () => {
    const queue = { crawlerRate: 0.252, indexingRate: 1.09, capacity: 1, crawlers: 4, starvationWeight: 1.87 };
    const problem = { ...queue, crawlerCost: 0, constraints: { lossProbability: 0 } };
    const answer = findActivation(problem, unlimitedBudget());
    expect(answer.dualPrices?.lossProbability).toBeCloseTo(0.41214, 5);
  });

  it('is the difference of two answers, also where the limit is 0 or just met', () => {
    let asked = 0;
    for (const problem of randomProblems(77, 25, 4, 5)) {
      const at = (lossRate: number) => findActivation({ ...problem, constraints: { lossRate } }, unlimitedBudget());
      const free = findActivation(problem, unlimitedBudget()).classes[0].lossRate;
      for (const limit of [0, 0.5 * free]) {
        const answer = at(limit);
        if (answer.status === 'infeasible') continue;
        const step = 1e-5 * Math.max(free, 1e-6);
        const saved = (answer.cost - at(limit + step).cost) / step;
        const price = defined(answer.dualPrices?.lossRate);
        asked++;
        const where = JSON.stringify({ ...problem, limit });
        expect(Math.abs(price - saved), where).toBeLessThan(1e-3 * Math.max(price, saved) + 1e-4);
      }
    }
    expect(asked).toBeGreaterThan(20);
  });
});
