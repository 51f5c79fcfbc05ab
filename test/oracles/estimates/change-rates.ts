/**
 * Checks estimated change rates against the likelihood as the model states it, term by term. It pools no gaps, brackets
 * nothing and shares nothing with the finder (change-likelihood.ts).
 */

import type { PageRates } from '../../../src/solvers/estimation/changes/change-rates.ts';
import type { ChangeRatesProblem } from '../../../src/solvers/estimation/problem.ts';

/** Outcomes of checks, as histories hold them. */
const changed = 1;
const changedAtKnownAge = 2;

/** What is wrong with rates said to be of maximum likelihood without a prior; empty where nothing is. */
export function certifyChangeRates(
  { history }: Pick<ChangeRatesProblem, 'history'>,
  { rate, interval: { low, high } }: Pick<PageRates, 'rate' | 'interval'>,
): string[] {
  const { offsets, elapsed, outcome } = history;
  const violations: string[] = [];
  for (let i = 0; i < rate.length; i++) {
    if (!(rate[i] > 0 && rate[i] < Infinity))
      violations.push(`page ${i}: the rate ${rate[i]} is not positive and finite`);
    if (!(low[i] <= rate[i] && rate[i] <= high[i])) {
      violations.push(`page ${i}: the interval from ${low[i]} to ${high[i]} does not hold the rate ${rate[i]}`);
    }
    // dℓ/dλ = Σ_changed τ/(e^{λτ} − 1) + (changes of known age)/λ − (time without a change)
    let rising = 0;
    let falling = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      if (outcome[k] === changed) rising += elapsed[k] / Math.expm1(rate[i] * elapsed[k]);
      else falling += elapsed[k];
      if (outcome[k] === changedAtKnownAge) rising += 1 / rate[i];
    }
    // where every check agrees the likelihood has no maximum, and the estimate is another
    if (rising === 0 || falling === 0) continue;
    const slope = Math.abs(rising / falling - 1);
    if (slope > 1e-8) violations.push(`page ${i}: at ${rate[i]} the likelihood still has the relative slope ${slope}`);
  }
  return violations;
}
