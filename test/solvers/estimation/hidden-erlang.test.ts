import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  fitHiddenErlang,
  hiddenErlangMatrices,
  hiddenErlangMoments,
  solveArrivalProcess,
} from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';
import { faultsOf } from '../../certificates/faults-of.ts';
import { defined } from '../../defined.ts';

interface True {
  readonly stages: readonly number[];
  readonly rates: readonly number[];
  readonly transitions: readonly (readonly number[])[];
}

/** Gaps of a hidden chain of Erlang branches. */
function record({ stages, rates, transitions }: True, count: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  let branch = 0;
  return Float64Array.from({ length: count }, () => {
    let gap = 0;
    for (let stage = 0; stage < stages[branch]; stage++) gap += standardExponential(random) / rates[branch];
    let u = random();
    let next = 0;
    while (next < transitions[branch].length - 1 && u >= transitions[branch][next]) u -= transitions[branch][next++];
    branch = next;
    return gap;
  });
}

/**
 * Mean log-likelihood of a gap by the matrices D0, D1 alone: products of e^(D0 x)·D1, started in the law that D1
 * leaves.
 */
function naiveLikelihood(gaps: Float64Array, [d0, d1]: readonly (readonly number[])[][]): number {
  const n = d0.length;
  const times = (row: readonly number[], matrix: readonly (readonly number[])[]): number[] =>
    matrix[0].map((_, j) => row.reduce((sum, value, i) => sum + value * matrix[i][j], 0));
  const after = (row: readonly number[], t: number): number[] => {
    const rate = Math.max(...d0.map((line, i) => -line[i]));
    const jump = d0.map((line, i) => line.map((value, j) => value / rate + (i === j ? 1 : 0)));
    let term = row.map((value) => value * Math.exp(-rate * t));
    let sum = term;
    for (let k = 1; k < 60 + 4 * rate * t; k++) {
      term = times(term, jump).map((value) => (value * rate * t) / k);
      sum = sum.map((value, i) => value + term[i]);
    }
    return sum;
  };
  let start = new Array<number>(n).fill(1 / n);
  // The law after an arrival, by letting many arrivals pass.
  for (let k = 0; k < 3000; k++) {
    let row = start;
    const next = new Array<number>(n).fill(0);
    for (let i = 0; i < n; i++) {
      const out = -d0[i][i];
      for (let j = 0; j < n; j++) {
        if (j > i) row = row.with(j, row[j] + (row[i] * d0[i][j]) / out);
        next[j] += (row[i] * d1[i][j]) / out;
      }
    }
    start = next;
  }
  let total = 0;
  let row = start;
  for (const gap of gaps) {
    row = times(after(row, gap), d1);
    const size = row.reduce((sum, value) => sum + value, 0);
    total += Math.log(size);
    row = row.map((value) => value / size);
  }
  return total / gaps.length;
}

/**
 * Where iterations of Baum and Welch end that are written as the definition says, in logarithms, gap by gap: the mean
 * log-likelihood of a gap. Branch means begin a factor of two apart; all branches stay equally likely at the first gap.
 */
function plainIterations(gaps: Float64Array, stages: readonly number[], count: number): number {
  const m = stages.length;
  const mean = gaps.reduce((sum, gap) => sum + gap / gaps.length, 0);
  let rates = stages.map((r, i) => (r / mean) * 2 ** (i - (m - 1) / 2));
  let moves = stages.map(() => stages.map(() => 1 / m));
  const start = stages.map(() => 1 / m);
  const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
  let likelihood = 0;
  for (let round = 0; round <= count; round++) {
    const density = (gap: number, i: number): number =>
      (rates[i] ** stages[i] * gap ** (stages[i] - 1) * Math.exp(-rates[i] * gap)) / factorial(stages[i] - 1);
    const forward: number[][] = [];
    likelihood = 0;
    for (const [k, gap] of gaps.entries()) {
      const before =
        k === 0 ? start : moves[0].map((_, j) => forward[k - 1].reduce((s, f, i) => s + f * moves[i][j], 0));
      const joint = before.map((chance, i) => chance * density(gap, i));
      const sum = joint.reduce((a, b) => a + b);
      likelihood += Math.log(sum) / gaps.length;
      forward.push(joint.map((value) => value / sum));
    }
    let later = stages.map(() => 1);
    const [visits, times] = [stages.map(() => 0), stages.map(() => 0)];
    const pairs = stages.map(() => stages.map(() => 0));
    for (let k = gaps.length - 1; k >= 0; k--) {
      const both = forward[k].map((f, i) => f * later[i]);
      const sum = both.reduce((a, b) => a + b);
      for (let i = 0; i < m; i++) {
        visits[i] += both[i] / sum;
        times[i] += (both[i] / sum) * gaps[k];
      }
      if (k === 0) break;
      const from = forward[k - 1].map((f, i) => moves[i].map((p, j) => f * p * density(gaps[k], j) * later[j]));
      const total = from.flat().reduce((a, b) => a + b);
      for (const [i, row] of from.entries()) for (const [j, value] of row.entries()) pairs[i][j] += value / total;
      const earlier = moves.map((row) => row.reduce((s, p, j) => s + p * density(gaps[k], j) * later[j], 0));
      const largest = Math.max(...earlier);
      later = earlier.map((value) => value / largest);
    }
    rates = stages.map((r, i) => (r * visits[i]) / times[i]);
    moves = pairs.map((row) => row.map((value) => value / row.reduce((a, b) => a + b)));
  }
  return likelihood;
}

const bursts: True = {
  stages: [3, 1],
  rates: [30, 0.4],
  transitions: [
    [0.9, 0.1],
    [0.3, 0.7],
  ],
};
const regular: True = {
  stages: [3, 3],
  rates: [6, 2],
  transitions: [
    [0.95, 0.05],
    [0.05, 0.95],
  ],
};
const asRecord = (intervals: Float64Array) => ({
  intervals,
  sessionStarts: Uint32Array.of(0),
  batchCounts: Uint32Array.of(0, intervals.length + 1),
  batches: intervals.length + 1,
});

describe('a process of given order by maximum likelihood', () => {
  it.each([
    ['bursts', bursts, 4],
    ['regular spells', regular, 6],
  ] as const)('is at least as likely as the process that made the record: %s', (_, truth, order) => {
    const gaps = record(truth, 1500, 5);
    const fit = fitHiddenErlang(asRecord(gaps), order, unlimitedBudget());
    const made = {
      ...truth,
      rates: Float64Array.from(truth.rates),
      transitions: Float64Array.from(truth.transitions.flat()),
      logLikelihood: 0,
      iterations: 0,
      converged: true,
    };
    const few = gaps.subarray(0, 200);
    expect(fit.logLikelihood).toBeGreaterThanOrEqual(naiveLikelihood(gaps, hiddenErlangMatrices(made)) - 2e-3);
    // Its likelihood is what its matrices say.
    const short = fitHiddenErlang(asRecord(few), order, unlimitedBudget());
    expect(naiveLikelihood(few, hiddenErlangMatrices(short))).toBeCloseTo(short.logLikelihood, 6);
    expect(fit.stages.reduce((a, b) => a + b)).toBe(order);
    const { mean, variance, correlations } = hiddenErlangMoments(fit, 3);
    const observed = hiddenErlangMoments(made, 3);
    expect(mean / observed.mean).toBeCloseTo(1, 0);
    expect(variance / observed.variance).toBeCloseTo(1, 0);
    expect(Math.abs(correlations[0] - observed.correlations[0])).toBeLessThan(0.06);
  });

  it.each([
    ['bursts', bursts, 3],
    ['regular spells', regular, 4],
  ] as const)('is at least as likely as what plain iterations end in: %s', (_, truth, order) => {
    const gaps = record(truth, 600, 11);
    const fit = fitHiddenErlang(asRecord(gaps), order, unlimitedBudget());
    for (const stages of order === 3 ? [[3], [2, 1], [1, 1, 1]] : [[4], [3, 1], [2, 2], [2, 1, 1]]) {
      expect(fit.logLikelihood).toBeGreaterThanOrEqual(plainIterations(gaps, stages, 60) - 1e-3);
    }
  });

  it('keeps the correlation of intervals more regular than Poisson, by likelihood and by moments', () => {
    const gaps = record(regular, 2500, 9);
    const timestamps = new Float64Array(gaps.length + 1);
    for (const [k, gap] of gaps.entries()) timestamps[k + 1] = timestamps[k] + gap;
    const problem = { timestamps, batchGap: 0, sessionGap: Infinity, lags: 5, interval: 'start-to-start' } as const;
    const plain = solveArrivalProcess(problem, unlimitedBudget());
    const likeliest = solveArrivalProcess({ ...problem, order: 6 }, unlimitedBudget());
    expect(plain.statistics.solver).toBe('erlang-spells');
    expect(faultsOf('estimates/arrival-process', problem, plain)).toEqual([]);
    expect(faultsOf('estimates/arrival-process', { ...problem, order: 6 }, likeliest)).toEqual([]);
    for (const { solution, warnings } of [plain, likeliest]) {
      const { fitted, observed } = solution;
      expect(warnings).toEqual([]);
      expect(observed.variance / observed.mean ** 2).toBeLessThan(1);
      for (const [k, seen] of observed.correlations.entries()) {
        expect(defined(seen)).toBeGreaterThan(0.1);
        expect(Math.abs(defined(fitted.correlations[k]) - defined(seen))).toBeLessThan(0.06);
      }
    }
    expect(defined(likeliest.solution.logLikelihood)).toBeGreaterThan(-2);
  });

  it('takes regular intervals whose correlation may be chance for a renewal process, and says so', () => {
    const gaps = record({ stages: [3], rates: [2], transitions: [[1]] }, 1000, 4);
    const timestamps = new Float64Array(gaps.length + 1);
    for (const [k, gap] of gaps.entries()) timestamps[k + 1] = timestamps[k] + gap;
    const problem = { timestamps, batchGap: 0, sessionGap: Infinity, lags: 5, interval: 'start-to-start' } as const;
    const { statistics, warnings } = solveArrivalProcess(problem, unlimitedBudget());
    expect(statistics.solver).toBe('mixed-erlang');
    expect(warnings.map(({ code }) => code)).toEqual(['renewal-fallback']);
  });

  it('reads each session from its start, and stops early with what it has', () => {
    const gaps = record(bursts, 600, 3);
    const sessions = { ...asRecord(gaps), sessionStarts: Uint32Array.of(0, 200, 200, 400) };
    expect(fitHiddenErlang(sessions, 3, unlimitedBudget()).converged).toBe(true);
    const stopped = { ...unlimitedBudget(), stopRequested: () => true };
    const early = fitHiddenErlang(sessions, 3, stopped);
    expect(early.converged).toBe(false);
    expect(Number.isFinite(early.logLikelihood)).toBe(true);
  });

  it.each([
    [1e-320, 0],
    [1e-200, 0],
    [1e-320, 21],
    [1e12, 21],
  ])('stays within numbers where a single gap is %d (gap %i)', (odd, at) => {
    const gaps = record(regular, 400, 3);
    gaps[at] = odd;
    for (const order of [1, 3, 6]) {
      const fitted = fitHiddenErlang(asRecord(gaps), order, unlimitedBudget());
      const { mean, variance } = hiddenErlangMoments(fitted, 1);
      for (const value of [...fitted.rates, ...fitted.transitions, mean, variance, fitted.logLikelihood]) {
        expect(value, `order ${order}`).toSatisfy(Number.isFinite);
      }
      for (const rate of fitted.rates) expect(rate).toBeGreaterThan(0);
    }
  });
});

describe('orders', () => {
  it('of a larger number of phases are never less likely, on records of every kind', () => {
    const random = seededRandom(41);
    for (let record = 0; record < 12; record++) {
      const mean = [0.2, 3];
      let state = 0;
      const intervals = Float64Array.from({ length: 150 + 20 * record }, () => {
        if (random() < 0.05 + 0.05 * (record % 4)) state = 1 - state;
        const stages = 1 + (record % 3);
        let gap = 0;
        for (let k = 0; k < stages; k++) gap -= (Math.log(1 - random()) * mean[state]) / stages;
        return gap;
      });
      const arrivals = {
        intervals,
        sessionStarts: new Uint32Array(1),
        batchCounts: new Uint32Array([0, 151]),
        batches: 151,
      };
      let before = Number.NEGATIVE_INFINITY;
      for (let order = 1; order <= 4; order++) {
        const { logLikelihood } = fitHiddenErlang(arrivals, order, unlimitedBudget());
        expect(logLikelihood, `record ${record}, order ${order}`).toBeGreaterThanOrEqual(before - 1e-12);
        before = logLikelihood;
      }
    }
  });
});
