import { describe, expect, it } from 'vitest';
import { bestStaticCount } from '../../../src/solvers/activation-policy/index.ts';
import { measureClasses } from '../../../src/solvers/activation-policy/recurrent-classes.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { endingBudget } from '../ending-budget.ts';
import { type ActivationTask, activationWork, certifyActivation, findActivation, modelOf } from './activation-tasks.ts';

const base = { capacity: 10, crawlerCost: 0 };

/** The largest work that the event loop takes on, by default. */
const inlineWork = 1e6;

describe('requests at the edge', () => {
  it('with hardly any loss are proved against a bound of 0, without trying more and more crawlers', () => {
    const problem: ActivationTask = { ...base, crawlerRate: 3053, indexingRate: 1, starvationWeight: 1e15 };
    const budget = endingBudget(Number.POSITIVE_INFINITY);
    const answer = findActivation(problem, budget);
    expect(answer.status).toBe('optimal');
    expect(answer.cost).toBeGreaterThanOrEqual(0);
    expect(answer.cost).toBeLessThan(1e-21);
    expect(answer.bound).toBe(0);
    expect(certifyActivation(problem, answer)).toEqual([]);
    // Trying ever more crawlers would take many more polls.
    expect(budget.polled).toBeLessThan(1000);
  });

  it('of unknown duration are not estimated as short', () => {
    const tiny: ActivationTask = {
      ...base,
      crawlerRate: 1e-15,
      indexingRate: 1e-15,
      capacity: 19,
      starvationWeight: 1.3427075115032494,
    };
    expect(activationWork(tiny)).toBeGreaterThan(inlineWork);
    expect(activationWork({ ...tiny, crawlers: 19 })).toBeLessThan(inlineWork);
  });

  it('with a cost next to 0 state no improvement over it that overflows', () => {
    const targets = Int32Array.from({ length: 45 }, (_, q) => Math.max(0, 6 - Math.floor((q + 4) / 7)));
    const problem: ActivationTask = {
      ...base,
      crawlerRate: 83907322.89841731,
      indexingRate: 4.059887422663211,
      capacity: 44,
      starvationWeight: 1,
      crawlers: 6,
      targets,
    };
    const answer = findActivation(problem, unlimitedBudget());
    expect(answer.cost).toBeLessThan(1e-280);
    expect(answer.relativeImprovement === null || Number.isFinite(answer.relativeImprovement)).toBe(true);
  });

  it('for many crawlers and rising targets poll the budget throughout, or are refused', () => {
    const problem: ActivationTask = {
      ...base,
      crawlerRate: 5.155878856953283,
      indexingRate: 0.3202782954192016,
      capacity: 1,
      starvationWeight: 0,
      crawlers: 100_000,
      targets: Int32Array.of(98_307, 99_999),
    };
    expect(() => findActivation(problem, endingBudget(0))).toThrow('the targets had not been evaluated');
    const largerProblem = { ...problem, capacity: 9, targets: new Int32Array(10).fill(98_307).fill(99_999, 5) };
    expect(() => findActivation(largerProblem, endingBudget(1000))).toThrow(
      /^99999 is more than the target before it, 98307: .*evaluated by general elimination, which does not fit/,
    );
    expect(() => findActivation(problem, endingBudget(9))).toThrow('the targets had not been evaluated');
    // Building the chain takes ten polls. Each of the classes is eliminated by itself: together they take three.
    const budget = endingBudget(30);
    expect(measureClasses(modelOf({ ...problem, crawlers: 1 }), Int32Array.of(1, 100_000), budget)).toHaveLength(1e5);
    expect(budget.polled).toBe(14);
  });
});

describe('the best static count', () => {
  it('is found without a limit even where it is a number of many digits', () => {
    const staticOptimum = bestStaticCount(
      modelOf({
        crawlerRate: 1e-9,
        indexingRate: 1,
        capacity: 10,
        starvationWeight: 1.2,
        crawlerCost: 0,
        crawlers: 1,
      }),
    );
    // γ(K) = (K + 2)/K = 1.2: load 1 is best, 1e9 crawlers (Liu & Nain, section 1.2.1.2); flat to rounding around it.
    expect(Math.abs(staticOptimum.crawlers / 1e9 - 1)).toBeLessThan(1e-3);
    expect(staticOptimum.cost).toBeCloseTo(0.2, 12);
  });
});
