/** A fitted chain of Erlang branches as a Markovian arrival process: its matrices and its moments. */
import { stationaryByStateReduction } from '../../../numerics/linear/small-matrices.ts';

/** Erlang laws that follow each other by a Markov chain. */
export interface ErlangBranches {
  /** r, stages of each branch. */
  readonly stages: readonly number[];
  /** λ. */
  readonly rates: Float64Array;
  /** P, row-major. */
  readonly transitions: Float64Array;
}

export interface HiddenErlang extends ErlangBranches {
  /** Mean log-likelihood of a gap, from the stationary law of P. */
  readonly logLikelihood: number;
  /** Passes over the whole record, those of all that were carried on together. */
  readonly iterations: number;
  /** False when the budget ended it. */
  readonly converged: boolean;
}

/** The process as matrices D_0, D_1. */
export function hiddenErlangMatrices({ stages, rates, transitions }: ErlangBranches): [number[][], number[][]] {
  const firsts = stages.map((_, i) => stages.slice(0, i).reduce((sum, count) => sum + count, 0));
  const n = stages.reduce((sum, count) => sum + count, 0);
  const d0 = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  const d1 = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (const [i, count] of stages.entries()) {
    for (let stage = 0; stage < count; stage++) {
      const at = firsts[i] + stage;
      d0[at][at] = -rates[i];
      if (stage < count - 1) d0[at][at + 1] = rates[i];
      else for (const [j, first] of firsts.entries()) d1[at][first] += rates[i] * transitions[i * stages.length + j];
    }
  }
  return [d0, d1];
}

/** Mean, variance and correlations of the fitted process, exactly. */
export function hiddenErlangMoments({ stages, rates, transitions }: ErlangBranches, lags: number) {
  const m = stages.length;
  const law = stationaryOf(transitions);
  const means = stages.map((count, i) => count / rates[i]);
  const mean = means.reduce((sum, value, i) => sum + law[i] * value, 0);
  const variance = means.reduce((sum, value, i) => sum + law[i] * ((value - mean) ** 2 + stages[i] / rates[i] ** 2), 0);
  let ahead = means.map((value) => value - mean);
  const correlations = Array.from({ length: lags }, () => {
    ahead = means.map((_, i) => ahead.reduce((sum, value, j) => sum + transitions[i * m + j] * value, 0));
    return means.reduce((sum, value, i) => sum + law[i] * (value - mean) * ahead[i], 0) / variance;
  });
  return { mean, variance, correlations };
}

/** The law of the branch at any gap. */
export function stationaryOf(transitions: Float64Array): Float64Array {
  const m = Math.round(Math.sqrt(transitions.length));
  const law = new Float64Array(m);
  // Branches that are never left or entered any more would make the chain reducible.
  stationaryByStateReduction(
    transitions.map((share) => share + 1e-300),
    law,
    m,
  );
  return law;
}
