/**
 * Noisy signals of changes (sitemap lastmod, IndexNow, pings), and the best time to fetch a page that has them.
 *
 * A page changes as a Poisson process of rate λ. A share ρ of its changes is signalled (recall); of the signals a share
 * p is right (precision). In units of 1/λ: signals come at rate γ = ρ/p, changes without a signal at rate δ = 1 − ρ.
 * With age a and n signals since the fetch the copy is fresh with probability e^{−y}, where y = δa + jn, j = −ln(1 −
 * p). The expected number of changes since the fetch is y = δa + jn with j = p. In both cases y is a level that drifts
 * at rate δ and jumps by j, and the copy costs c(y): 1 − e^{−y} under freshness, y under delay, ln(1 + y) + y/(1 + y)
 * under harmonic. The best rule at a price μ of a fetch fetches when y reaches θ, with W(θ) = μλ/w,
 *
 *     W(θ) = E ∫ (c(θ) − c(y)) dt = ∫₀^θ c′(u)Ψ(u) du,   Ψ(θ) = (1/γ) Σ_{k: kj < θ} P(k + 1, γτ_k),   τ_k = (θ − kj)/δ,
 *
 * where the integral in t is over one cycle between fetches, Ψ is the mean length of a cycle and P the regularised
 * incomplete gamma function; the mean cost is then c(θ) − W(θ)/Ψ(θ). Nothing cancels: Ψ is a sum of positive terms.
 * Without signals (ρ = 0) Ψ = θ, as for a page without signals. For ρ = 1 only signals move the level; for p = 1 the
 * first signal ends the cycle.
 * Source: R. Busa-Fekete et al. 2025, noisy change-indicating signals; the index of Azar et al. 2018.
 */
import { lowerGamma } from '../../numerics/special/incomplete-gamma.ts';
import type { ObjectiveName } from '../objectives/index.ts';

export interface SignalQuality {
  /** p: the share of signals that are right; in (0, 1]. */
  readonly precision: number;
  /** ρ: the share of changes that are signalled; in [0, 1]. */
  readonly recall: number;
}

/** The motion of the level y, with time in units of 1/λ. */
export interface SignalMotion {
  /** δ: rise of the level per unit of time. */
  readonly drift: number;
  /** γ: signals per unit of time. */
  readonly signals: number;
  /** j: rise of the level by a signal; Infinity where one signal proves a change. */
  readonly jump: number;
  readonly objective: ObjectiveName;
}

export function signalMotion({ precision, recall }: SignalQuality, objective: ObjectiveName): SignalMotion {
  return {
    drift: 1 - recall,
    signals: recall / precision,
    jump: objective === 'freshness' ? -Math.log1p(-precision) : precision,
    objective,
  };
}

/** c(y) and c′(y) of every objective. */
const levelCosts: Readonly<
  Record<ObjectiveName, readonly [cost: (y: number) => number, slope: (y: number) => number]>
> = {
  freshness: [(y) => -Math.expm1(-y), (y) => Math.exp(-y)],
  delay: [(y) => y, () => 1],
  harmonic: [(y) => Math.log1p(y) + y / (1 + y), (y) => (2 + y) / (1 + y) / (1 + y)],
};

export const levelCost = ({ objective }: SignalMotion, level: number): number => levelCosts[objective][0](level);

export const levelSlope = ({ objective }: SignalMotion, level: number): number => levelCosts[objective][1](level);

/** Terms of Ψ below this share of the sum are left out; terms fall. */
const negligibleShare = 1e-17;

/** Standard deviations of a count of signals beyond which probabilities are 0 in double precision. */
const maxDeviations = 9;

/** Ψ(θ): the mean length, in units of 1/λ, of a cycle that ends at level θ, at age `longest` at the latest. */
export function cycleLength({ drift, signals, jump }: SignalMotion, level: number, longest = Infinity): number {
  if (!(level > 0)) return 0;
  if (signals === 0) return Math.min(level / drift, longest);
  const expectedSignals = signals * Math.min(level / drift, longest);
  const maxSignals = expectedSignals + maxDeviations * (Math.sqrt(expectedSignals) + maxDeviations);
  if (drift * longest + maxSignals * jump <= level) return longest;
  const term = (k: number): number =>
    lowerGamma(k + 1, signals * Math.min((k === 0 ? level : level - k * jump) / drift, longest));
  const certainTerms = countOfOnes(term, Math.min(maxSignals, level / jump));
  let sum = certainTerms;
  for (let k = certainTerms; k === 0 || k * jump < level; k++) {
    const next = term(k);
    sum += next;
    if (next < negligibleShare * sum) break;
  }
  return sum / signals;
}

/** The number of leading terms that are 1 to rounding, at most `limit`; terms fall. */
function countOfOnes(term: (k: number) => number, limit: number): number {
  let low = 0;
  let high = Math.ceil(limit);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (term(middle) === 1) low = middle + 1;
    else high = middle;
  }
  return low;
}
