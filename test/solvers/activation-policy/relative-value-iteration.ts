/**
 * Relative value iteration as Liu & Nain give it (2006, Proposition 6), on their uniformised chain (q, r, s).
 *
 * Model: decision epochs of rate ν = λN + μ; s = 0 a departure, 1 an arrival, 2 a fictitious event; q and r just before
 *   it. One-step cost γ·1(q=0) + ν·1(q=K, s=1) + w·r; transition probabilities (1.14)-(1.16) with their misprints
 *   corrected: with r' the crawlers after the decision the three outcomes have probabilities μ·1(q'>0)/ν, λr'/ν and
 *   ((N − r')λ + μ·1(q'=0))/ν, q' = min(q + 1, K) after an arrival.
 * Method: h ← (1 − τ)h + τ(Th − Th(x̂)), h0 = 0, x̂ = (1, 1, 1).
 * Stopping rule: the paper's, max |(h_{k+1} − h_k)/h_k| < tolerance with 0/0 left out. It certifies nothing, so the
 * span
 *   min/max (Th − h) over all states and actions stands beside it: the optimal cost lies between (Odoni 1969).
 * Complexity: O(N·K) an iteration, but the iterations grow with ν/μ and worse.
 * Source: Proposition 6; there θ = τT(h)(x̂) should read T(h)(x̂).
 */

import type { ActivationModel } from '../../../src/solvers/activation-policy/model.ts';
import type { Budget } from '../../../src/solvers/budget.ts';

/** Where the iteration stopped. */
export interface ValueIterationOutcome {
  /** T(h)(x̂) at the last update: the paper's estimate of the optimal cost. */
  readonly estimate: number;
  /** The best bounds of any iteration. */
  readonly bounds: { readonly lower: number; readonly upper: number };
  /** For each queue length after the event, how many crawlers the greedy policy activates up to. */
  readonly targets: Int32Array;
  readonly iterations: number;
  /** False when the budget ended it before the paper's rule was met. */
  readonly converged: boolean;
}

interface Layers {
  /** h(q, r, s) at r·(K + 1) + q. */
  readonly departure: Float64Array;
  readonly arrival: Float64Array;
  readonly fictitious: Float64Array;
}

/** E(q, r): the mean of h over the kind of the next event, after a decision that leads to (q, r). */
function expectations(model: ActivationModel, nu: number, h: Layers, out: Float64Array): void {
  const { capacity: K, crawlers: N, crawlerRate: lambda, indexingRate: mu } = model;
  const n = K + 1;
  for (let r = 0; r <= N; r++) {
    const arrives = (lambda * r) / nu;
    const nothing = ((N - r) * lambda) / nu;
    const departs = mu / nu;
    const rowStart = r * n;
    out[rowStart] = arrives * h.arrival[rowStart] + (nothing + departs) * h.fictitious[rowStart];
    for (let at = rowStart + 1; at < rowStart + n; at++) {
      out[at] = departs * h.departure[at] + arrives * h.arrival[at] + nothing * h.fictitious[at];
    }
  }
}

/** Th from the expectations; entries of states that do not exist stay 0. */
function applyOperator(model: ActivationModel, nu: number, e: Float64Array, out: Layers): void {
  const { capacity: K, crawlers: N, weights } = model;
  const { starvation: gamma, crawler: crawlerCost } = weights;
  const n = K + 1;
  for (let r = 0; r <= N; r++) {
    const rowStart = r * n;
    const down = rowStart - n;
    const up = r < N ? rowStart + n : rowStart;
    const running = crawlerCost * r;
    for (let q = r === 0 ? 1 : 0; q <= K; q++) {
      const cost = running + (q === 0 ? gamma : 0);
      out.fictitious[rowStart + q] = cost + e[rowStart + q];
      if (q > 0) {
        const forced = q === 1 && r === 0;
        out.departure[rowStart + q] = cost + (forced ? e[up] : Math.min(e[rowStart + q - 1], e[up + q - 1]));
      }
      if (r > 0) {
        const t = q < K ? q + 1 : K;
        out.arrival[rowStart + q] = cost + (q === K ? nu : 0) + Math.min(e[down + t], e[rowStart + t]);
      }
    }
  }
}

/** What one update of one layer showed: the largest relative change and the span of Th − h. */
interface UpdateSpan {
  change: number;
  lower: number;
  upper: number;
}

/** h ← (1 − τ)h + τ(Th − θ) over one layer; the entries of states that do not exist are left out. */
function update(
  h: Float64Array,
  th: Float64Array,
  exists: Uint8Array,
  theta: number,
  tau: number,
  seen: UpdateSpan,
): void {
  for (let at = 0; at < h.length; at++) {
    if (exists[at] === 0) continue;
    const previousValue = h[at];
    const nextValue = (1 - tau) * previousValue + tau * (th[at] - theta);
    const moved = th[at] - previousValue;
    if (moved < seen.lower) seen.lower = moved;
    if (moved > seen.upper) seen.upper = moved;
    const change = Math.abs((nextValue - previousValue) / previousValue);
    if (change > seen.change) seen.change = change;
    h[at] = nextValue;
  }
}

function greedyTargets(model: ActivationModel, e: Float64Array): Int32Array {
  const n = model.capacity + 1;
  const targets = new Int32Array(n);
  for (let q = 0; q < n; q++) {
    let level = q === 0 ? 1 : 0;
    while (level < model.crawlers && e[(level + 1) * n + q] < e[level * n + q]) level++;
    targets[q] = level;
  }
  return targets;
}

/** Which states of each layer exist: departures need q > 0, arrivals r > 0, and (0, 0) does not occur. */
function existingStates(model: ActivationModel): Record<keyof Layers, Uint8Array> {
  const n = model.capacity + 1;
  const states = n * (model.crawlers + 1);
  const departure = new Uint8Array(states);
  const arrival = new Uint8Array(states);
  const fictitious = new Uint8Array(states);
  for (let at = 1; at < states; at++) {
    departure[at] = at % n > 0 ? 1 : 0;
    arrival[at] = at >= n ? 1 : 0;
    fictitious[at] = 1;
  }
  return { departure, arrival, fictitious };
}

/**
 * Iterates until the paper's rule is met.
 *
 * @param tolerance of the paper's rule (there 1e−5)
 * @param relaxation τ in (0, 1) (there 0.99999)
 */
export function iterateRelativeValues(
  model: ActivationModel,
  tolerance: number,
  relaxation: number,
  budget: Budget,
): ValueIterationOutcome {
  const { capacity: K, crawlers: N, crawlerRate, indexingRate } = model;
  const n = K + 1;
  const states = n * (N + 1);
  const nu = crawlerRate * N + indexingRate;
  const layers = (): Layers => ({
    departure: new Float64Array(states),
    arrival: new Float64Array(states),
    fictitious: new Float64Array(states),
  });
  const exists = existingStates(model);
  const h = layers();
  const th = layers();
  const e = new Float64Array(states);
  const perPoll = Math.max(1, Math.ceil(2e5 / states));
  let lower = Number.NEGATIVE_INFINITY;
  let upper = Number.POSITIVE_INFINITY;
  let estimate = 0;
  let iterations = 0;
  let converged = false;
  while (!converged && (iterations % perPoll !== 0 || !budget.stopRequested())) {
    expectations(model, nu, h, e);
    applyOperator(model, nu, e, th);
    estimate = th.arrival[n + 1];
    const span = { change: 0, lower: Number.POSITIVE_INFINITY, upper: Number.NEGATIVE_INFINITY };
    update(h.departure, th.departure, exists.departure, estimate, relaxation, span);
    update(h.arrival, th.arrival, exists.arrival, estimate, relaxation, span);
    update(h.fictitious, th.fictitious, exists.fictitious, estimate, relaxation, span);
    lower = Math.max(lower, span.lower);
    upper = Math.min(upper, span.upper);
    iterations++;
    converged = span.change < tolerance;
    if (iterations % (perPoll * 100) === 0) budget.report({ bound: lower });
  }
  expectations(model, nu, h, e);
  return { estimate, bounds: { lower, upper }, targets: greedyTargets(model, e), iterations, converged };
}
