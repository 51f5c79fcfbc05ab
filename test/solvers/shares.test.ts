/** Solves that share a budget, on a clock of their own: no share that is too short fails the whole. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Budget, deadlineBudget, NothingToReturn, unlimitedBudget } from '../../src/solvers/budget.ts';
import { inTime, solveInShares } from '../../src/solvers/shares.ts';

/** A solver whose part i has a first answer after `first[i]` and its last after `last[i]`, on a clock that it moves. */
function clockwork(limit: number, first: readonly number[], last: readonly number[]) {
  let now = 0;
  const budget = deadlineBudget({ clock: () => now, deadline: limit, seed: 7 });
  const solve = (part: number, share: Budget): { gap: number } => {
    const begun = now;
    while (now - begun < last[part] && !share.stopRequested()) now += 1 / 16;
    if (now - begun < first[part]) throw new NothingToReturn('too little time');
    return { gap: now - begun < last[part] ? 1 : 0 };
  };
  const noWorse = (second: { gap: number }, before: { gap: number }): boolean => second.gap <= before.gap;
  const isWhole = ({ gap }: { gap: number }): boolean => gap === 0;
  return { budget, solve, isWhole, noWorse, now: () => now };
}

describe('solves that share a budget', () => {
  it('have equal shares, so that the last has all that is left', () => {
    const { budget } = clockwork(900, [], []);
    const shares: number[] = [];
    const solve = (part: number, share: Budget): number => shares.push(share.remainingMs()) + part;
    solveInShares({ count: 3, needed: 3, solve, isWhole: () => true, noWorse: () => true }, budget);
    expect(shares.map(Math.round)).toEqual([300, 450, 900]);
  });

  it('all end where there is no limit', () => {
    const solve = (part: number, share: Budget): number => (share.stopRequested() ? -1 : part);
    expect(
      solveInShares({ count: 3, needed: 1, solve, isWhole: () => true, noWorse: () => true }, unlimitedBudget()),
    ).toEqual([0, 1, 2]);
  });

  it('fail the whole only where the time of all is over', () => {
    const part = fc.tuple(fc.double({ min: 0, max: 20, noNaN: true }), fc.double({ min: 0, max: 40, noNaN: true }));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 200 }), (parts, limit) => {
        const first = parts.map(([early]) => early);
        const last = parts.map(([early, more]) => early + more);
        const { budget, solve, isWhole, noWorse, now } = clockwork(limit, first, last);
        try {
          const count = parts.length;
          const answers = solveInShares({ count, needed: count, solve, isWhole, noWorse }, budget);
          expect(answers).not.toContain(null);
          if (answers.some((answer) => answer?.gap !== 0)) expect(now()).toBeGreaterThan(limit * 0.99 - 1);
        } catch (error) {
          expect(error).toBeInstanceOf(NothingToReturn);
          expect(now()).toBeGreaterThanOrEqual(limit);
        }
      }),
    );
  });

  it('leave out what may be left out, and nothing that must not be', () => {
    const { budget, solve, isWhole, noWorse, now } = clockwork(100, [40, 1, 1, 90], [60, 2, 2, 95]);
    const answers = solveInShares({ count: 4, needed: 1, solve, isWhole, noWorse }, budget);
    expect(answers[0]).toEqual({ gap: 0 });
    expect(answers.slice(1, 3)).toEqual([{ gap: 0 }, { gap: 0 }]);
    expect(answers[3]).toBeNull();
    expect(now()).toBeCloseTo(100, 0);
  });

  it('of one that is tried with ever more cost no more than some three times what it takes alone', () => {
    const { budget, solve, now } = clockwork(1000, [50], [50]);
    expect(inTime(budget, 100, (share) => solve(0, share))).toEqual({ gap: 0 });
    expect(now()).toBeLessThan(3 * 50);
  });
});
