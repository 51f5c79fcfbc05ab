import { absorbingChain } from '../../numerics/linear/absorbing-chain.ts';
import { solveByStateReduction } from '../../numerics/linear/state-reduction.ts';
import type { Random } from '../../numerics/random/random.ts';
import { standardExponential } from '../../numerics/random/random-variates.ts';
import type { Law, LawWithLogLaplace } from '../law.ts';
import { logLaplaceOf } from '../log-laplace.ts';

/**
 * Time to absorption of a Markov chain that starts in phase i with probability initial[i] (summing to 1) and moves by
 * `generator`. Its off-diagonal entries are ≥ 0, its row sums ≤ 0 (what is missing is the absorption rate), and it is
 * nonsingular.
 */
export interface PhaseType {
  readonly type: 'phase-type';
  readonly initial: readonly number[];
  readonly generator: readonly (readonly number[])[];
}

/** A phase-type law taken apart: n phases, all arrays nonnegative. */
export interface Phases {
  readonly n: number;
  /** Starting probabilities, summing to 1. */
  readonly initial: Float64Array;
  /** Off-diagonal rates, row-major n×n, 0 on the diagonal. */
  readonly offDiagonal: Float64Array;
  /** Absorption rates: minus the row sums. A sum within the rounding of its row counts as 0. */
  readonly exit: Float64Array;
  /** Total rate out of each phase. */
  readonly total: Float64Array;
}

export function phasesOf({ initial, generator }: Pick<PhaseType, 'initial' | 'generator'>): Phases {
  const n = initial.length;
  const mass = initial.reduce((sum, p) => sum + p, 0);
  const offDiagonal = new Float64Array(n * n);
  const exit = new Float64Array(n);
  const total = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let transferRate = 0;
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      offDiagonal[i * n + j] = generator[i][j];
      transferRate += generator[i][j];
    }
    const rate = -generator[i][i];
    exit[i] = rate - transferRate > 2 * n * Number.EPSILON * rate ? rate - transferRate : 0;
    total[i] = exit[i] + transferRate;
  }
  return { n, initial: Float64Array.from(initial, (p) => p / mass), offDiagonal, exit, total };
}

/**
 * The phase-type law: S(t) = β·e^(Tt)·1. Transforms and moments through elimination without subtraction
 * (state-reduction.ts), survival and truncated moments through positive squarings (absorbing-chain.ts): relative accuracy
 * for any spread of rates.
 */
export function phaseTypeLaw(distribution: PhaseType): LawWithLogLaplace {
  const phases = phasesOf(distribution);
  const { n, initial, offDiagonal, exit } = phases;
  const ones = new Float64Array(n).fill(1);
  const initialMean = (x: Float64Array): number => x.reduce((sum, value, i) => sum + initial[i] * value, 0);
  const solve = (s: number, b: Float64Array): Float64Array => {
    const x = b.slice();
    const exitRates = exit.map((rate) => rate + s);
    solveByStateReduction(offDiagonal.slice(), exitRates, x, n, 1);
    return x;
  };
  const meanFrom = solve(0, ones);
  const mean = initialMean(meanFrom);
  const secondMoment = 2 * initialMean(solve(0, meanFrom));
  const chain = absorbingChain(offDiagonal, exit);
  const sumOf = (x: Float64Array): number => x.reduce((sum, value) => sum + value, 0);
  const law: Law = {
    mean,
    secondMoment,
    survival: (t) => (t === Infinity ? 0 : Math.min(1, sumOf(chain.run(initial, t).mass))),
    density: (t) => {
      if (t === Infinity) return 0;
      return chain.run(initial, t).mass.reduce((sum, value, i) => sum + value * exit[i], 0);
    },
    laplace: (s) => (s === Infinity ? 0 : Math.min(1, initialMean(solve(s, exit)))),
    laplaceComplement: (s) => (s === Infinity ? 1 : Math.min(1, s * initialMean(solve(s, ones)))),
    truncatedMean: (t) => (t === Infinity ? mean : chain.run(initial, t).area),
    truncatedSecondMoment: (t) => (t === Infinity ? secondMoment : 2 * chain.run(initial, t).moment),
    sample: (random) => absorptionTime(phases, random),
    phaseType: () => ({ initial: Array.from(initial), generator: distribution.generator }),
  };
  // E[e^(−sX) − 1 + sX] = s²·α(−T)⁻¹(sI − T)⁻¹1
  const secondOrder = (s: number): number => s * s * initialMean(solve(0, solve(s, ones)));
  return { ...law, logLaplace: logLaplaceOf(law, secondOrder) };
}

function absorptionTime({ n, initial, offDiagonal, total }: Phases, random: Random): number {
  let phase = 0;
  for (let u = random(); phase < n - 1 && u >= initial[phase]; phase++) u -= initial[phase];
  let time = 0;
  for (;;) {
    time += standardExponential(random) / total[phase];
    let u = random() * total[phase];
    let next = 0;
    while (next < n && u >= offDiagonal[phase * n + next]) u -= offDiagonal[phase * n + next++];
    if (next === n) return time;
    phase = next;
  }
}

/**
 * The phases from which absorption is never reached, in order; the generator is nonsingular iff there are none. O(n³).
 */
export function phasesWithoutExit(distribution: Pick<PhaseType, 'initial' | 'generator'>): number[] {
  const { n, offDiagonal, exit } = phasesOf(distribution);
  const canExit = Array.from(exit, (rate) => rate > 0);
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (let i = 0; i < n; i++) {
      if (canExit[i]) continue;
      for (let j = 0; j < n && !canExit[i]; j++) canExit[i] = offDiagonal[i * n + j] > 0 && canExit[j];
      hasChanged ||= canExit[i];
    }
  }
  return canExit.flatMap((isExiting, i) => (isExiting ? [] : [i]));
}
