import { describe, expect, it } from 'vitest';
import { NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { defined } from '../../defined.ts';
import { type ActivationTask, certifyActivation, findActivation } from './asked.ts';
import { type Averages, denseMixture, everyClass, type Queue, ruleOf } from './dense-activation.ts';

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
        if (share > 1) {
          expect(answer.mixture).toBeUndefined();
          continue;
        }
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
