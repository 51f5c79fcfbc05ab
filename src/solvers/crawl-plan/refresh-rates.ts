/**
 * How often each page should be fetched for ever, given a budget of fetches per time unit.
 *
 * Model: page i changes as a Poisson process of rate λ_i (per time unit) and weighs w_i; fetched at regular intervals
 * 1/f it is stale the share A(f) = 1 − (f/λ)(1 − e^{−λ/f}) of the time. Minimise Σ w_i A_i(f_i), Σ f_i = budget,
 * l_i ≤ f_i ≤ u_i.
 * Method: convex and separable; at price μ the best f solves (w/λ)·G(λ/f) = μ with G(s) = 1 − (1+s)e^{−s}, hence
 * f = λ/G⁻¹(μλ/w), and 0 where μλ ≥ w (the page changes too fast to be worth a fetch). μ by a bracketed secant on ln μ.
 * Complexity: N inversions (two or three Halley steps) for each of some 25 prices.
 * Stopping rule: the rates sum to the budget within 1e−12 of it, or the bracket of μ is 1e−15 wide; what rounding leaves
 * is shared among the pages strictly inside their bounds.
 * Source: Cho & Garcia-Molina 2003, "Effective page refresh policies for web crawlers", section 4; the bounds are ours.
 */

/** Inputs by page; a scalar bound stands for all. */
export interface RefreshProblem {
  readonly changeRate: Float64Array;
  readonly weight: Float64Array;
  /** Least fetches per time unit. */
  readonly least: Float64Array;
  /** Most fetches per time unit; Infinity without a limit. */
  readonly most: Float64Array;
  /** Fetches per time unit, between the sums of the bounds. */
  readonly budget: number;
}

export interface RefreshRates {
  /** Fetches per time unit. */
  readonly frequency: Float64Array;
  /** Weighted staleness saved by one more fetch per time unit, at the margin. */
  readonly price: number;
}

/** G(s) = 1 − (1+s)e^{−s} = ∫₀^s v e^{−v} dv, without cancellation. */
export function freshnessGain(s: number): number {
  if (s < 0.35) {
    // s²/2 − s³/3 + s⁴/8 − …: Σ_{k≥2} (−1)^k (k−1) s^k/k!
    let term = 0.5 * s * s;
    let sum = term;
    for (let k = 3; k < 20 && Math.abs(term) > 1e-18 * sum; k++) {
      term *= (-s * (k - 1)) / (k * (k - 2));
      sum += term;
    }
    return sum;
  }
  return 1 - (1 + s) * Math.exp(-s);
}

/** The s > 0 with G(s) = q, 0 < q < 1, by Halley's method. */
export function inverseFreshnessGain(q: number): number {
  const root = Math.sqrt(2 * q);
  // Small q: s = r + r²/3 + 11r³/72…; near 1: (1+s)e^{−s} = 1 − q.
  let s: number;
  if (q < 0.6) s = root + (root * root) / 3 + (11 * root * root * root) / 72;
  else {
    const t = -Math.log1p(-q);
    s = t + Math.log1p(t + Math.log1p(t + Math.log1p(t)));
  }
  for (let iteration = 0; iteration < 20; iteration++) {
    const error = freshnessGain(s) - q;
    const density = s * Math.exp(-s);
    const newton = error / density;
    // G''/G' = 1/s − 1
    const step = newton / (1 - 0.5 * newton * (1 / s - 1));
    const next = s - step;
    s = next > 0 ? next : 0.5 * s;
    if (Math.abs(step) <= 1e-14 * s || Math.abs(error) < 1e-16) break;
  }
  return s;
}

/** Share of time a page of change rate λ is stale when fetched f times per time unit: 1 for f = 0. */
export function steadyStaleness(changeRate: number, frequency: number): number {
  if (frequency <= 0) return 1;
  const s = changeRate / frequency;
  if (s < 1e-3) return s / 2 - (s * s) / 6 + (s * s * s) / 24;
  return (s + Math.expm1(-s)) / s;
}

/** The best frequencies; the budget must lie between Σ least and Σ most. */
export function refreshRates(problem: RefreshProblem): RefreshRates {
  const { changeRate, weight, least, most, budget } = problem;
  const pages = changeRate.length;
  const frequency = new Float64Array(pages);
  const fill = (price: number): number => {
    let total = 0;
    for (let i = 0; i < pages; i++) {
      const q = (price * changeRate[i]) / weight[i];
      let f = q < 1 ? changeRate[i] / inverseFreshnessGain(q) : 0;
      if (!(f > least[i])) f = least[i];
      else if (f > most[i]) f = most[i];
      frequency[i] = f;
      total += f;
    }
    return total;
  };
  let dearest = 0;
  for (let i = 0; i < pages; i++) dearest = Math.max(dearest, weight[i] / changeRate[i]);
  if (dearest === 0 || budget <= 0) {
    fill(Number.POSITIVE_INFINITY);
    return { frequency, price: 0 };
  }
  // At the dearest price nobody gets more than his least; the price falls until the budget is spent.
  let high = Math.log(dearest);
  let highExcess = fill(Math.exp(high)) - budget;
  let low = high;
  let lowExcess = highExcess;
  for (let step = 1; lowExcess <= 0 && low > high - 600; step *= 2) {
    high = low;
    highExcess = lowExcess;
    low -= step;
    lowExcess = fill(Math.exp(low)) - budget;
  }
  let side = 0;
  let weightLow = lowExcess;
  let weightHigh = highExcess;
  let at = low;
  for (let iteration = 0; iteration < 120 && high - low > 1e-15; iteration++) {
    const secant = low + ((high - low) * weightLow) / (weightLow - weightHigh);
    at = iteration % 4 === 3 || !(secant > low && secant < high) ? 0.5 * (low + high) : secant;
    const excess = fill(Math.exp(at)) - budget;
    if (Math.abs(excess) <= 1e-12 * budget) break;
    if (excess > 0) {
      low = at;
      weightLow = excess;
      if (side === 1) weightHigh *= 0.5;
      side = 1;
    } else {
      high = at;
      weightHigh = excess;
      if (side === -1) weightLow *= 0.5;
      side = -1;
    }
  }
  shareRest(problem, frequency);
  return { frequency, price: Math.exp(at) };
}

/** Spends to the budget exactly: the rest (rounding, or a page at w = μλ) goes to the pages strictly inside their bounds. */
function shareRest({ least, most, budget }: RefreshProblem, frequency: Float64Array): void {
  for (let round = 0; round < 3; round++) {
    let total = 0;
    let inside = 0;
    for (let i = 0; i < frequency.length; i++) {
      total += frequency[i];
      if (frequency[i] > least[i] && frequency[i] < most[i]) inside += frequency[i];
    }
    const rest = budget - total;
    if (rest === 0 || inside === 0) return;
    for (let i = 0; i < frequency.length; i++) {
      if (frequency[i] > least[i] && frequency[i] < most[i]) {
        frequency[i] = Math.min(most[i], Math.max(least[i], frequency[i] * (1 + rest / inside)));
      }
    }
  }
}
