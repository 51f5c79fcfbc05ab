/**
 * Confidence intervals that hold at all times together, however often they are computed.
 *
 * Model: observations z_t in [0, 1] with mean μ given the past. Symbols: α the chance that some interval misses, L =
 * ln(2/α), λ_t the bet on observation t, μ̂ and σ̂² the running mean and variance before it, which start as after one
 * observation.
 *
 * Method: the empirical-Bernstein supermartingale. With ψ(λ) = −ln(1 − λ) − λ, the products of
 * exp(±λ_t(z_t − μ) − ψ(λ_t)(z_t − μ̂)²) have mean at most 1, so that none reaches 2/α but with chance α/2
 * (Ville 1939). Bets: λ_t = min(1/2, √(2L/(σ̂² t ln(1 + t)))). Complexity: O(1) an observation.
 *
 * Source: I. Waudby-Smith, A. Ramdas, J. R. Statist. Soc. B 86 (2024), Theorem 2 and equation (15).
 */

/** Upper limit of λ. */
const maxBet = 0.5;

/** ψ(λ) = −ln(1 − λ) − λ, for λ in [0, 1/2]; by its series where the terms cancel. */
export function psi(lambda: number): number {
  if (lambda < 1e-3) return lambda * lambda * (1 / 2 + lambda * (1 / 3 + lambda * (1 / 4 + lambda / 5)));
  return -Math.log1p(-lambda) - lambda;
}

/** The bet λ_t on observation t (from 1), given the variance of the observations before it. */
export function betOf(t: number, variance: number, logTwoOverAlpha: number): number {
  return Math.min(maxBet, Math.sqrt((2 * logTwoOverAlpha) / (variance * t * Math.log1p(t))));
}

/** Estimates a mean from observations in [0, 1] that arrive one after another. */
export interface Sequence {
  /** @param weight in (0, 1]: weight of the observation relative to the heaviest */
  add(z: number, weight: number): void;
  readonly count: number;
  /** The mean so far; NaN before the first observation. */
  readonly value: number;
  /** The interval so far, within [0, 1]. */
  readonly interval: [low: number, high: number];
}

/** An estimator of E[z], or of E[w z]/E[w] where the weights differ. */
export const sequenceOf = (alpha: number, hasUnequalWeights: boolean): Sequence =>
  hasUnequalWeights ? new RatioSequence(alpha) : new MeanSequence(alpha);

/** The mean of observations of equal weight. */
class MeanSequence implements Sequence {
  readonly #logTwoOverAlpha: number;
  /** The running mean and sum of squares start as after one observation of mean 1/2 and variance 1/4. */
  #mean = 0.5;
  #squares = 0.25;
  #bets = 0;
  #betSum = 0;
  #spread = 0;
  #sum = 0;
  count = 0;

  constructor(alpha: number) {
    this.#logTwoOverAlpha = Math.log(2 / alpha);
  }

  add(z: number): void {
    const t = ++this.count;
    const bet = betOf(t, this.#squares / t, this.#logTwoOverAlpha);
    this.#bets += bet;
    this.#betSum += bet * z;
    this.#spread += psi(bet) * (z - this.#mean) ** 2;
    this.#mean += (z - this.#mean) / (t + 1);
    this.#squares += (z - this.#mean) ** 2;
    this.#sum += z;
  }

  get value(): number {
    return this.#sum / this.count;
  }

  get interval(): [low: number, high: number] {
    if (this.count === 0) return [0, 1];
    const centre = this.#betSum / this.#bets;
    const half = (this.#logTwoOverAlpha + this.#spread) / this.#bets;
    return [Math.max(0, centre - half), Math.min(1, centre + half)];
  }
}

/**
 * A ratio θ = E[w z]/E[w]. Where θ is right, w(z − θ) lies in [−1, 1] and has mean 0 given the past. So the
 * supermartingale holds with that mean in the place of the running one (X. Fan, I. Grama, Q. Liu, Electron. J. Probab.
 * 20, 2015). The interval is what |Σ λ_t w_t(z_t − θ)| ≤ L + Σ ψ(λ_t) w_t²(z_t − θ)² leaves of [0, 1]. Each side is a
 * quadratic in θ that falls on [0, 1], as ψ(λ) < λ/2 for bets up to 1/2.
 */
class RatioSequence implements Sequence {
  readonly #logTwoOverAlpha: number;
  #squares = 0.25;
  #weights = 0;
  #sum = 0;
  /** The sums Σλw and Σλwz, then Σψw², Σψw²z and Σψw²z², ψ = ψ(λ). */
  #betWeights = 0;
  #betSum = 0;
  #spread0 = 0;
  #spread1 = 0;
  #spread2 = 0;
  count = 0;

  constructor(alpha: number) {
    this.#logTwoOverAlpha = Math.log(2 / alpha);
  }

  add(z: number, weight: number): void {
    const t = ++this.count;
    const bet = betOf(t, this.#squares / t, this.#logTwoOverAlpha);
    const spread = psi(bet) * weight * weight;
    this.#betWeights += bet * weight;
    this.#betSum += bet * weight * z;
    this.#spread0 += spread;
    this.#spread1 += spread * z;
    this.#spread2 += spread * z * z;
    // half an observation of each outcome is added, which keeps the guess away from 0 and 1
    const guess = (this.#sum + 0.5) / (this.#weights + 1);
    this.#squares += (weight * (z - guess)) ** 2;
    this.#weights += weight;
    this.#sum += weight * z;
  }

  get value(): number {
    return this.#sum / this.#weights;
  }

  get interval(): [low: number, high: number] {
    if (this.count === 0) return [0, 1];
    const { value } = this;
    const [a, b] = [this.#betSum, this.#betWeights - this.#betSum];
    const [c0, c1, c2] = [this.#spread0, this.#spread1, this.#spread2];
    const high = firstRoot(this.#logTwoOverAlpha + c2 + a, -(2 * c1 + a + b), c0);
    // the lower end is 1 less the upper end for the observations 1 − z
    const low = 1 - firstRoot(this.#logTwoOverAlpha + c0 - 2 * c1 + c2 + b, -(2 * (c0 - c1) + a + b), c0);
    return [Math.min(low, value), Math.max(high, value)];
  }
}

/** The root of a + bθ + cθ² in [0, 1], where it falls from a > 0; 1 where there is no root. */
function firstRoot(a: number, b: number, c: number): number {
  const discriminant = b * b - 4 * a * c;
  return discriminant < 0 ? 1 : Math.min(1, (2 * a) / (-b + Math.sqrt(discriminant)));
}
