/** The whole operation: cycles that the certifier passes, wrong ones that it does not. */
import { describe, expect, it } from 'vitest';
import {
  type AccessSequence,
  type AccessSequenceProblem,
  sequencingMethods,
  solveAccessSequence,
} from '../../../src/solvers/access-sequence/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { faultsOf } from '../../certificates/faults-of.ts';

const problem: AccessSequenceProblem = {
  accessTime: { type: 'lognormal', mu: -3, sigma: 1 },
  changeRate: Float64Array.of(4, 12, 0.5, 0.01, 2),
  weight: Float64Array.of(10, 6, 1, 0.2, 2),
  frequency: null,
  minFrequency: 0,
  method: 'auto',
  cycleLength: null,
  longestCycle: 1e6,
};

function solved(part: Partial<AccessSequenceProblem>): AccessSequence {
  const answer = solveAccessSequence({ ...problem, ...part }, unlimitedBudget(1));
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer;
}

/** What the certificate finds wrong with an answer, told as the contract has it. */
function faultsOfCycle({ changeRate, weight, accessTime, cycleLength }: AccessSequenceProblem, answer: AccessSequence) {
  const { supplement, ...told } = answer;
  return faultsOf(
    'access-sequence',
    { accessTime, pages: { changeRate, weight }, cycleLength },
    { ...told, ...supplement },
  );
}

describe('access sequences', () => {
  it.each(['auto', ...sequencingMethods] as const)('by the method %s pass their certifier', (method) => {
    for (const cycleLength of [null, 7, 60]) {
      for (const frequency of [null, Float64Array.of(3, 2, 1, 1, 1)]) {
        const part = { method, cycleLength, frequency };
        expect(faultsOfCycle({ ...problem, ...part }, solved(part))).toEqual([]);
      }
    }
  });

  it('with a wrong cost fail the certificate', () => {
    const answer = solved({});
    const { solution, supplement } = answer;
    const { sequence, counts } = solution;
    const { value } = answer.objective;
    const wrong = (change: Partial<AccessSequence>): readonly string[] =>
      faultsOfCycle(problem, { ...answer, ...change });
    expect(wrong({})).toEqual([]);
    expect(wrong({ solution: { ...solution, sequence: sequence.slice().sort() } })).not.toEqual([]);
    expect(wrong({ solution: { ...solution, sequence: sequence.slice(1) } })).not.toEqual([]);
    expect(wrong({ solution: { ...solution, counts: counts.map((n) => n + 1) } })).not.toEqual([]);
    const bounds = { ...supplement.bounds, overall: 2 * value };
    expect(wrong({ supplement: { ...supplement, bounds } })).not.toEqual([]);
    expect(wrong({ objective: { value, bound: 1.1 * value, gap: -0.1 } })).not.toEqual([]);
    expect(wrong({ status: 'optimal' })).not.toEqual([]);
  });

  it('warn of frequencies that do not sum to 1, of absent and of starved pages', () => {
    const codes = (part: Partial<AccessSequenceProblem>): string[] =>
      solved(part).warnings.map((warning) => warning.code);
    expect(codes({ frequency: Float64Array.of(3, 2, 1, 1, 1) })).toEqual(['frequencies-scaled']);
    expect(codes({ frequency: Float64Array.of(0.5, 0.5, 0, 0, 0) })).toEqual(['zero-frequency-pages']);
    expect(codes({ cycleLength: 3, method: 'tree' })).toContain('absent-pages');
  });
});
