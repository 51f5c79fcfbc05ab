/** Where a cycle begins, against the quadrature of every rotation. */
import { describe, expect, it } from 'vitest';
import { solveAccessSequence } from '../../../src/solvers/access-sequence/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { faultsOf } from '../../certificates/faults-of.ts';
import { requireDefined } from '../../require-defined.ts';

/** Σ weight·(stale share) over one cycle of accesses that take 1 each, at many moments of time. */
function staleOver(
  sequence: readonly number[],
  rate: readonly number[],
  weight: readonly number[],
  ago: readonly number[],
) {
  const points = 60;
  let cost = 0;
  for (const [i, mu] of rate.entries()) {
    // an access that is the t-th ends at t + 1
    let last = Number.isNaN(ago[i]) ? Number.NEGATIVE_INFINITY : 1 - ago[i];
    let stale = 0;
    for (const [t, page] of sequence.entries()) {
      for (let p = 0; p < points; p++) stale += (1 - Math.exp(-mu * (t + (p + 0.5) / points - last))) / points;
      if (page === i) last = t + 1;
    }
    cost += (weight[i] * stale) / sequence.length;
  }
  return cost;
}

describe('a cycle with ages before it', () => {
  it('begins where its first round costs least, and says what that costs', () => {
    const random = seededRandom(21);
    let moved = 0;
    for (let round = 0; round < 12; round++) {
      const pages = 2 + Math.floor(5 * random());
      const draw = (of: () => number): number[] => Array.from({ length: pages }, of);
      const rate = draw(() => 0.5 * random() + 0.01);
      const weight = draw(() => random() + 0.1);
      const ago = draw(() => (random() < 0.2 ? Number.NaN : 1 + Math.floor(20 * random())));
      const problem = {
        accessTime: { type: 'deterministic', value: 1 },
        changeRate: Float64Array.from(rate),
        weight: Float64Array.from(weight),
        frequency: null,
        minFrequency: 0,
        method: 'most-overdue',
        cycleLength: 6 * pages,
        longestCycle: 1e6,
        lastAccess: Float64Array.from(ago),
      } as const;
      const answer = solveAccessSequence(problem, unlimitedBudget());
      if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
      const { accessTime, changeRate, cycleLength, lastAccess } = problem;
      const asked = { accessTime, pages: { changeRate, weight, lastAccess }, cycleLength };
      expect(faultsOf('access-sequence', asked, { ...answer, ...answer.supplement })).toEqual([]);
      const sequence = Array.from(answer.solution.sequence);
      const costs = sequence.map((_, r) =>
        staleOver([...sequence.slice(r), ...sequence.slice(0, r)], rate, weight, ago),
      );
      // sixty points an access are off by about 1e-5
      expect(Math.abs(costs[0] - requireDefined(answer.supplement.firstCycle).cost)).toBeLessThan(1e-4);
      expect(costs[0]).toBeLessThan(Math.min(...costs) + 1e-4);
      const plain = solveAccessSequence({ ...problem, lastAccess: undefined }, unlimitedBudget());
      if (plain.status === 'infeasible') throw new Error(plain.conflict.detail);
      expect(plain.objective.value).toBeCloseTo(answer.objective.value, 12);
      if (Array.from(plain.solution.sequence).some((page, t) => page !== sequence[t])) moved++;
    }
    expect(moved).toBeGreaterThan(5);
  });
});
