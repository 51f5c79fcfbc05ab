import { describe, expect, it } from 'vitest';
import { deadlineBudget, reserveShare, unlimitedBudget } from '../../src/solvers/budget.ts';

describe('part of a budget', () => {
  it('ends before the whole by the share that is kept, and no earlier', () => {
    let now = 0;
    const whole = deadlineBudget({ clock: () => now, deadline: 1000, seed: 7 });
    now = 200;
    const part = reserveShare(whole, 1 / 4);
    expect(part.remainingMs()).toBe(600);
    now = 800;
    expect([part.stopRequested(), part.remainingMs()]).toEqual([false, 0]);
    now = 801;
    expect([part.stopRequested(), whole.stopRequested()]).toEqual([true, false]);
    expect(part.seed).toBe(7);
  });

  it('has no end where the whole has none', () => {
    const whole = unlimitedBudget();
    expect(reserveShare(whole, 1 / 2).remainingMs()).toBe(Number.POSITIVE_INFINITY);
  });
});
