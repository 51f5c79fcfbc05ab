/**
 * How often to access each page for ever, when every access is drawn independently with probabilities x.
 *
 *   minimise Σ c_i r_i(x_i),  r_i(x) = 1 − (x/(μ_i E X))·G_i/(G_i + x),  G_i = 1/h_i − 1 = e^(L_i) − 1,  over Σ x_i = 1, x_i ≥ m.
 *
 * Here the cost is exact, not a bound: interaccess distances are geometric (Coffman, Liu & Weber 1997, Lemma 4.1).
 *
 * Optimality: a_i(G_i/(G_i + x_i))² = λ where x_i > m, that is x_i = max(m, G_i(ρ_i/τ − 1)) with ρ_i = √a_i, τ = √λ.
 * That is the papers' (15). Its condition that every x_i be positive is not needed: pages with ρ_i ≤ τ simply get the
 * least.
 *
 * Method. Σ x as a function of z = 1/τ is convex, increasing and piecewise linear. Newton's method from z = ∞ (all
 * pages above the least) descends to the root, dropping pages, in a finite number of sweeps, typically about 10. O(N) a
 * sweep, no sort. Then the frequencies are taken from the page with the smallest ρ still above the least. With ρ_i = ρ
 * + d_i and η = ρ/τ − 1, x_i = G_i(η·ρ_i + d_i)/ρ. That stays exact where G is large and ρ_i/τ rounds to 1. Loads above
 * 600 count as 600 (e^(−600) is no probability any cost can tell from 0).
 */
import { type Budget, unlimitedBudget } from '../budget.ts';
import type { AccessPages } from './access-pages.ts';
import { type Frequencies, withoutChoice } from './frequencies.ts';
import { pricedFrequencies } from './priced-frequencies.ts';

const sameWorth = 1e-14;
const heaviest = 600;
/** What fewer pages take is never interrupted. */
const manyPages = 20_000;

/**
 * @param pages at least one
 * @param least m, 0 ≤ m·N ≤ 1
 * @param budget when it ends, the frequencies are those at the last price tried
 */
export function randomizedFrequencies(
  pages: AccessPages,
  least: number,
  budget: Budget = unlimitedBudget(),
): Frequencies {
  const { length, gain, load } = pages;
  const highest = gain.reduce((a, b) => Math.max(a, b), 0);
  const growth = load.map((value) => Math.expm1(Math.min(value, heaviest)));
  if (least * length >= 1 || highest === 0) return withoutChoice(growth, least);
  // scaled so that the largest ρ is 1
  const root = gain.map((a) => Math.sqrt(a / highest));
  const { smallest, sweeps, stopped } = activeSet(root, growth, least, budget);
  if (smallest === null) {
    const price = highest * stopped * stopped;
    const { frequency, bound } = pricedFrequencies(pages, 'randomized', price, least);
    return { frequency, multiplier: price, sweeps, stoppedAt: bound };
  }
  const { linear, known } = sumsFrom(smallest, root, growth, least);
  const frequency = new Float64Array(length);
  const eta = Math.max(0, (1 - known) / linear);
  let above = 0;
  for (let i = 0; i < length; i++) {
    let x = least;
    if (active(root[i], growth[i], least, smallest)) {
      const away = root[i] - smallest.root;
      const step = Math.abs(away) > sameWorth * smallest.root ? away / smallest.root : 0;
      x = Math.max(least, growth[i] * (eta * (root[i] / smallest.root) + step));
    }
    frequency[i] = x;
    above += x - least;
  }
  const factor = (1 - least * length) / above;
  for (let i = 0; i < length; i++) frequency[i] = least + (frequency[i] - least) * factor;
  const tau = smallest.root / (1 + eta);
  return { frequency, multiplier: highest * tau * tau, sweeps, stoppedAt: null };
}

/** The page where the active set ends: the smallest key ρG/(G + m) above τ, and its ρ. */
interface LastActive {
  readonly key: number;
  readonly root: number;
}

/** Whether G(ρ/τ − 1) > m for the τ just under the key of `last`. */
function active(root: number, growth: number, least: number, last: LastActive): boolean {
  return key(root, growth, least) >= last.key * (1 - sameWorth);
}

/** x > m exactly when τ is under this. */
function key(root: number, growth: number, least: number): number {
  return root / (1 + least / growth);
}

/** Σ x = known + linear·η, taken from the last active page: η = ρ/τ − 1. */
function sumsFrom(
  last: LastActive,
  root: Float64Array,
  growth: Float64Array,
  least: number,
): { linear: number; known: number } {
  let linear = 0;
  let known = 0;
  for (let i = 0; i < root.length; i++) {
    if (!active(root[i], growth[i], least, last)) {
      known += least;
      continue;
    }
    linear += growth[i] * (root[i] / last.root);
    const away = root[i] - last.root;
    if (Math.abs(away) > sameWorth * last.root) known += growth[i] * (away / last.root);
  }
  return { linear, known };
}

/**
 * Newton's method on Σ x as a function of 1/τ, dropping pages. Where G is huge, rounding may hide which side of a key
 * the root is on:
 * - a page kept although the others alone exceed 1 at its key (`known` > 1) is dropped;
 * - when the pages left ask for a smaller τ than the last one, the dropped page of largest key is the last active.
 * Stopped by the budget it knows τ only, and no last active page.
 */
function activeSet(
  root: Float64Array,
  growth: Float64Array,
  least: number,
  budget: Budget,
): { smallest: LastActive | null; sweeps: number; stopped: number } {
  let tau = 0;
  for (let sweeps = 1; ; sweeps++) {
    if (sweeps > 1 && root.length > manyPages && budget.stopRequested())
      return { smallest: null, sweeps, stopped: tau };
    let weighted = 0;
    let total = 0;
    let atLeast = 0;
    let smallest: LastActive = { key: Infinity, root: 0 };
    let dropped: LastActive = { key: 0, root: 0 };
    for (let i = 0; i < root.length; i++) {
      const own = key(root[i], growth[i], least);
      if (own > tau) {
        weighted += root[i] * growth[i];
        total += growth[i];
        if (own < smallest.key) smallest = { key: own, root: root[i] };
      } else {
        atLeast += least;
        if (own > dropped.key) dropped = { key: own, root: root[i] };
      }
    }
    const next = weighted / (1 - atLeast + total);
    if (smallest.key === Infinity || next < tau) return { smallest: dropped, sweeps, stopped: tau };
    if (next >= smallest.key && next > tau) tau = next;
    else if (sumsFrom(smallest, root, growth, least).known <= 1) return { smallest, sweeps, stopped: tau };
    else tau = smallest.key;
  }
}
