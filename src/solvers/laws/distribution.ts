/**
 * The laws of a nonnegative time, as plain data: what a caller writes and what every solver is given. Times are in the
 * caller's unit, rates per that unit. {@link createLaw} in create-law.ts turns one into something that can be asked
 * questions.
 *
 * The conditions stand beside each law; they are checked where data enters, not here.
 */

/** Always `value` (> 0). */
export interface Deterministic {
  readonly type: 'deterministic';
  readonly value: number;
}

/** P(X > t) = e^(−rate·t), rate > 0. */
export interface Exponential {
  readonly type: 'exponential';
  readonly rate: number;
}

/** The sum of `shape` (an integer ≥ 1) exponential stages of rate `rate` each; mean shape/rate. */
export interface Erlang {
  readonly type: 'erlang';
  readonly shape: number;
  readonly rate: number;
}

/** Density rate^shape·t^(shape−1)·e^(−rate·t)/Γ(shape), shape > 0, rate > 0; mean shape/rate. */
export interface Gamma {
  readonly type: 'gamma';
  readonly shape: number;
  readonly rate: number;
}

/** Exponential of rate rates[i] with probability probabilities[i]; probabilities sum to 1. */
export interface Hyperexponential {
  readonly type: 'hyperexponential';
  readonly probabilities: readonly number[];
  readonly rates: readonly number[];
}

/** Uniform on [min, max], 0 ≤ min < max. */
export interface Uniform {
  readonly type: 'uniform';
  readonly min: number;
  readonly max: number;
}

/** ln X is normal with mean `mu` and standard deviation `sigma` > 0. */
export interface Lognormal {
  readonly type: 'lognormal';
  readonly mu: number;
  readonly sigma: number;
}

/** P(X > t) = exp(−(t/scale)^shape), shape > 0, scale > 0. */
export interface Weibull {
  readonly type: 'weibull';
  readonly shape: number;
  readonly scale: number;
}

/** Pareto of type I: P(X > t) = (scale/t)^shape for t ≥ scale, else 1. The mean is finite for shape > 1. */
export interface Pareto {
  readonly type: 'pareto';
  readonly shape: number;
  readonly scale: number;
}

/** Pareto of type II: P(X > t) = (scale/(scale + t))^shape. The mean is finite for shape > 1. */
export interface Lomax {
  readonly type: 'lomax';
  readonly shape: number;
  readonly scale: number;
}

/**
 * Time to absorption of a Markov chain that starts in phase i with probability initial[i] (summing to 1) and moves by
 * `generator`: off-diagonal entries ≥ 0, row sums ≤ 0 (what is missing is the absorption rate), nonsingular.
 */
export interface PhaseType {
  readonly type: 'phase-type';
  readonly initial: readonly number[];
  readonly generator: readonly (readonly number[])[];
}

/** One of `values` (each ≥ 0, not all 0) with probability proportional to `weights` (default: all equal). */
export interface Empirical {
  readonly type: 'empirical';
  readonly values: readonly number[];
  readonly weights?: readonly number[] | undefined;
}

export type Distribution =
  | Deterministic
  | Exponential
  | Erlang
  | Gamma
  | Hyperexponential
  | Uniform
  | Lognormal
  | Weibull
  | Pareto
  | Lomax
  | PhaseType
  | Empirical;
