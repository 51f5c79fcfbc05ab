import { describe, expect, it } from 'vitest';
import { maxStates } from '../../../src/solvers/activation-policy/index.ts';
import { NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { ConditionNotMet } from '../../../src/solvers/condition.ts';
import { endingBudget } from '../ending-budget.ts';
import { type ActivationTask, activationWork, findActivation } from './activation-tasks.ts';

const problem: ActivationTask & { crawlers: number } = {
  crawlerRate: 0.01,
  indexingRate: 1,
  capacity: 15,
  crawlers: 143,
  starvationWeight: 17 / 15,
  crawlerCost: 0,
};

describe('a budget that ends', () => {
  const best = findActivation(problem, unlimitedBudget());

  it('before the policy is proved leaves nothing to return', () => {
    const targets = new Int32Array(16).fill(100);
    expect(() => findActivation(problem, endingBudget(0))).toThrow(NothingToReturn);
    expect(() => findActivation(problem, endingBudget(2))).toThrow(NothingToReturn);
    expect(() => findActivation({ ...problem, targets }, endingBudget(0))).toThrow(NothingToReturn);
  });

  it('gets reports of the incumbent as it improves, and of the bound at the end', () => {
    const budget = endingBudget(Number.POSITIVE_INFINITY);
    findActivation(problem, budget);
    const incumbents = budget.reports.map((report) => report.incumbent ?? Number.NaN);
    expect(budget.reports.length).toBe(best.iterations + 1);
    for (let i = 1; i < incumbents.length; i++) {
      expect(incumbents[i]).toBeLessThanOrEqual(incumbents[i - 1] * (1 + 1e-12));
    }
    expect(incumbents.at(-1)).toBeCloseTo(best.cost, 14);
    expect(budget.reports.at(-1)?.bound).toBe(best.bound);
  });
});

describe('the size guard', () => {
  const refusal = (changes: Partial<ActivationTask>): ConditionNotMet => {
    try {
      findActivation({ ...problem, ...changes }, unlimitedBudget());
    } catch (error) {
      if (error instanceof ConditionNotMet) return error;
      throw error;
    }
    throw new Error('was not refused');
  };

  it('names the size of a chain that is too large, and how many crawlers would do', () => {
    const error = refusal({ capacity: 999, crawlers: 100_000 });
    expect(error.path).toEqual(['crawlers']);
    expect(error.message).toContain('100001000 states');
    expect(error.message).toContain(`Reduce crawlers to ${maxStates / 1000 - 1} or fewer`);
  });

  it('refuses before any memory is touched: even sizes no machine could hold, at once', () => {
    const error = refusal({ capacity: 1000, crawlers: Number.MAX_SAFE_INTEGER });
    expect(error.code).toBe('too-large');
    expect(refusal({ capacity: 1_000_000 }).path).toEqual(['capacity']);
    expect(() => activationWork({ ...problem, crawlers: 1e15 })).toThrow(ConditionNotMet);
  });

  it('refuses to grow N without end, and says what to give', () => {
    const { crawlers: _, ...unlimited } = { ...problem, capacity: 900, crawlerRate: 1e-4 };
    expect(() => findActivation(unlimited, unlimitedBudget())).toThrow(/Give crawlers/);
  });

  it('refuses rates that no double can hold together', () => {
    expect(refusal({ crawlerRate: 1e-14 }).code).toBe('rates-too-far-apart');
    expect(refusal({ crawlerRate: 1e14 }).message).toContain('same time unit');
  });
});
