/**
 * How often to access each page for ever, when the accesses of a page can be spaced evenly.
 *
 *   minimise Σ c_i r_i(x_i),  r_i(x) = 1 − (x/(μ_i E X))(1 − e^(−L_i/x)),  over Σ x_i = 1, x_i ≥ m.
 *
 * Model and symbols as in access-pages.ts; x_i frequency (share of all accesses), m the least allowed (0: none), λ the
 * multiplier of Σ x = 1. The problem is convex; its value bounds the cost of every order of accesses from below.
 *
 * Optimality: with s_i = L_i/x_i and freshnessGain(s) = 1 − (1 + s)e^(−s), a_i·freshnessGain(s_i) = λ where x_i > m.
 * The derivative at x → 0+ is finite (−a_i). So a page gets the least frequency exactly when
 * a_i·freshnessGain(L_i/m) ≤ λ (m = 0: a_i ≤ λ). The papers' Lagrange condition leaves this out (Liu & Nain 2006,
 * (1.28); Coffman, Liu & Weber 1997, (8)).
 *
 * Method. All a_i equal (weights proportional to the change rates) and m = 0: x ∝ L (1997, (10)). Else λ is searched
 * for: multiplier-search.ts.
 */
import { type Budget, unlimitedBudget } from '../budget.ts';
import { freshnessGain } from '../pages/objectives/index.ts';
import type { AccessPages } from './access-pages.ts';
import { sameWorth } from './demand.ts';
import { type Frequencies, withoutChoice } from './frequencies.ts';
import { MultiplierSearch } from './multiplier-search.ts';

/**
 * @param pages at least one
 * @param least m, 0 ≤ m·N ≤ 1
 * @param budget when it ends, the frequencies are those at the last price tried
 */
export function deterministicFrequencies(
  pages: AccessPages,
  least: number,
  budget: Budget = unlimitedBudget(),
): Frequencies {
  const { length, gain, load } = pages;
  let highest = 0;
  let lowest = Infinity;
  for (let i = 0; i < length; i++) {
    const a = gain[i];
    if (a > highest) highest = a;
    if (a < lowest) lowest = a;
  }
  if (least * length >= 1 || highest === 0) return withoutChoice(load, least);
  if (least === 0 && highest - lowest <= sameWorth * highest) {
    const total = load.reduce((a, b) => a + b, 0);
    return {
      frequency: load.map((value) => value / total),
      multiplier: highest * freshnessGain(total),
      sweeps: 1,
      stoppedAt: null,
    };
  }
  return new MultiplierSearch(pages, least, highest, budget).solve();
}
