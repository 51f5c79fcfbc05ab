/**
 * One iteration of expectation-maximisation for a hidden chain of Erlang branches.
 *
 * Expectation takes the scaled forward and backward passes. The branches at gap k have chances f(k) given the gaps up
 * to it; gap k has density c(k) given those before. The backward pass β(k) has the same c. The sums over k of
 * f_i(k)·w_j(k + 1), w = b·β/c, are multiplied with P_ij once at the end. Densities b are divided by the largest of
 * their gap. Maximisation is explicit. O(n·M²) an iteration, in typed arrays that are made once a record.
 * Source: Baum et al. (1970); Rabiner (1989), section V.A for the scaling.
 */
import { logGamma } from '../../../numerics/special/gamma-function.ts';
import type { ErlangBranches } from './process.ts';

/** Gaps in units of their mean, and their logarithms. */
export interface GapRecord {
  readonly gaps: Float64Array;
  readonly logs: Float64Array;
  /** By gap: 1 where a session begins. */
  readonly begins: Uint8Array;
}

/** Parameters, improved in place. */
export interface Branches extends ErlangBranches {
  /** Chances of the branches at the first gap of a session. */
  readonly start: Float64Array;
}

/**
 * Branch means never fall below this, in mean gaps: a branch with a single gap of next to nothing would be a point
 * mass.
 */
const shortestBranchMean = 1e-9;
/** A branch that is hardly ever visited keeps its parameters. */
const fewestVisits = 1e-6;
/** Log-likelihood of a gap to which the present parameters give no probability that doubles can hold. */
const impossible = Math.log(Number.MIN_VALUE);
/** A density, relative to the largest of its gap, below which its gap counts as impossible; and what β is capped at. */
const leastDensity = 1e-290;
const largestWeight = 1e300;
/** Products of densities are taken to logarithms before they leave doubles. */
const smallProduct = 1e-200;

export class BaumWelch {
  readonly #record: GapRecord;
  /** b(k), then in place w(k), at k·M + i. */
  readonly #densities: Float64Array;
  readonly #forward: Float64Array;
  /** c(k), or 0 where the chain begins anew: at a session's first gap, and where no branch could follow. */
  readonly #scales: Float64Array;

  /** @param mostBranches the largest M that will be asked for */
  constructor(record: GapRecord, mostBranches: number) {
    this.#record = record;
    this.#densities = new Float64Array(record.gaps.length * mostBranches);
    this.#forward = new Float64Array(record.gaps.length * mostBranches);
    this.#scales = new Float64Array(record.gaps.length);
  }

  /** Mean log-likelihood of a gap. */
  logLikelihood(branches: Branches): number {
    return (this.#fillDensities(branches) + this.#passForward(branches)) / this.#record.gaps.length;
  }

  /** One iteration, in place; returns the mean log-likelihood of a gap before it. */
  improve(branches: Branches): number {
    const logLikelihood = this.logLikelihood(branches);
    maximise(branches, this.#passBackward(branches));
    return logLikelihood;
  }

  /** Densities of all gaps in all branches, each gap's divided by its largest; returns the sum of those logarithms. */
  #fillDensities({ stages, rates }: Branches): number {
    const { gaps, logs } = this.#record;
    const densities = this.#densities;
    const m = stages.length;
    const powers = Float64Array.from(stages, (count) => count - 1);
    const constants = Float64Array.from(stages, (count, i) => count * Math.log(rates[i]) - logGamma(count));
    let total = 0;
    for (let k = 0, at = 0; k < gaps.length; k++, at += m) {
      let peak = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < m; i++) {
        const log = constants[i] + powers[i] * logs[k] - rates[i] * gaps[k];
        densities[at + i] = log;
        if (log > peak) peak = log;
      }
      for (let i = 0; i < m; i++) {
        const log = densities[at + i] - peak;
        densities[at + i] = log === 0 ? 1 : Math.exp(log);
      }
      total += peak;
    }
    return total;
  }

  /** f and c; returns the sum of log c. */
  #passForward({ start, transitions }: Branches): number {
    const { begins } = this.#record;
    const densities = this.#densities;
    const forward = this.#forward;
    const scales = this.#scales;
    const m = start.length;
    let total = 0;
    let product = 1;
    for (let k = 0, at = 0; k < scales.length; k++, at += m) {
      let sum = 0;
      for (let j = 0; j < m; j++) {
        let chance = 0;
        if (begins[k] === 1) chance = start[j];
        else for (let i = 0; i < m; i++) chance += forward[at - m + i] * transitions[i * m + j];
        chance *= densities[at + j];
        forward[at + j] = chance;
        sum += chance;
      }
      scales[k] = begins[k] === 1 ? 0 : sum;
      if (sum < leastDensity) {
        // No branch that can follow could have made this gap: the pass goes on with those that could.
        scales[k] = 0;
        total += impossible;
        sum = 0;
        for (let j = 0; j < m; j++) sum += densities[at + j];
        for (let j = 0; j < m; j++) forward[at + j] = densities[at + j] / sum;
        continue;
      }
      const scale = 1 / sum;
      for (let j = 0; j < m; j++) forward[at + j] *= scale;
      if (sum > smallProduct) product *= sum;
      else total += Math.log(sum);
      if (product < smallProduct) {
        total += Math.log(product);
        product = 1;
      }
    }
    return total + Math.log(product);
  }

  /** From the last gap back: how often each branch is passed, for how long, and what follows it. */
  #passBackward({ transitions, start }: Branches): Expectations {
    const { gaps, begins } = this.#record;
    const forward = this.#forward;
    const scales = this.#scales;
    const weights = this.#densities;
    const m = start.length;
    const [visits, times, firsts] = [new Float64Array(m), new Float64Array(m), new Float64Array(m)];
    const moves = new Float64Array(m * m);
    const n = gaps.length;
    for (let k = n - 1, at = (n - 1) * m; k >= 0; k--, at -= m) {
      const last = k === n - 1 || scales[k + 1] === 0;
      const scale = scales[k] === 0 ? 0 : 1 / scales[k];
      for (let i = 0; i < m; i++) {
        const chance = forward[at + i];
        let beta = last ? 1 : 0;
        if (!last) {
          for (let j = 0; j < m; j++) {
            const weight = weights[at + m + j];
            beta += transitions[i * m + j] * weight;
            moves[i * m + j] += chance * weight;
          }
        }
        const smoothed = chance * beta;
        visits[i] += smoothed;
        times[i] += smoothed * gaps[k];
        if (begins[k] === 1) firsts[i] += smoothed;
        weights[at + i] = Math.min(largestWeight, weights[at + i] * Math.min(largestWeight, beta) * scale);
      }
    }
    for (let cell = 0; cell < moves.length; cell++) moves[cell] *= transitions[cell];
    return { visits, times, firsts, moves };
  }
}

interface Expectations {
  readonly visits: Float64Array;
  readonly times: Float64Array;
  readonly firsts: Float64Array;
  readonly moves: Float64Array;
}

function maximise(
  { stages, rates, transitions, start }: Branches,
  { visits, times, firsts, moves }: Expectations,
): void {
  const m = stages.length;
  const sessions = firsts.reduce((sum, share) => sum + share, 0);
  for (let i = 0; i < m; i++) {
    start[i] = firsts[i] / sessions;
    if (visits[i] < fewestVisits) continue;
    rates[i] = stages[i] / Math.max(times[i] / visits[i], shortestBranchMean);
    let out = 0;
    for (let j = 0; j < m; j++) out += moves[i * m + j];
    if (out > fewestVisits) for (let j = 0; j < m; j++) transitions[i * m + j] = moves[i * m + j] / out;
  }
}
