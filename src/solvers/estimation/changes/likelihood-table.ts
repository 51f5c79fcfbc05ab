/**
 * What pages' checks say of their rates: likelihoods on a grid of ln λ, for what is fitted to all pages together.
 *
 * Complexity: checks of the sample × grid.
 */
import type { Budget } from '../../budget.ts';
import { type CheckHistory, changedAtKnownAge, unchangedOutcome } from './check-history.ts';

/** The likelihood of each sampled page on a grid of ln λ, each page's maximum scaled to 1. */
export interface LikelihoodTable {
  readonly thetas: Float64Array;
  /** Row-major, sampled pages × grid. */
  readonly values: Float64Array;
  /** Positions of the sampled pages. */
  readonly pages: readonly number[];
  /** Checks of theirs that saw a change. */
  readonly changes: number;
}

/** Gaps of the pages between two polls of the budget; each costs a hundred logarithms. */
const gapsPerPoll = 1024;

/** Positions of pages with checks, evenly spaced, `maxPages` of them at most. */
export function sampleOf({ offsets }: CheckHistory, maxPages: number): readonly number[] {
  const pages = offsets.length - 1;
  const stride = Math.max(1, pages / maxPages);
  const sample: number[] = [];
  for (let s = 0; Math.floor(s * stride) < pages; s++) {
    const i = Math.floor(s * stride);
    if (offsets[i] < offsets[i + 1]) sample.push(i);
  }
  return sample;
}

/** Null when the budget ends first. Without any check the grid has one point. */
export function likelihoodsOnGrid(
  history: CheckHistory,
  sample: readonly number[],
  { step, points }: { readonly step: number; readonly points: number },
  budget: Budget,
): LikelihoodTable | null {
  const { offsets, elapsed, outcome } = history;
  let shortest = Number.POSITIVE_INFINITY;
  let longestSpan = 0;
  let changes = 0;
  for (const i of sample) {
    let span = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      span += elapsed[k];
      if (elapsed[k] > 0 && elapsed[k] < shortest) shortest = elapsed[k];
      if (outcome[k] !== unchangedOutcome) changes++;
    }
    if (span > longestSpan) longestSpan = span;
  }
  const low = Math.log(0.01 / longestSpan);
  const high = Math.log(20 / shortest);
  const size = longestSpan > 0 ? Math.min(points, Math.ceil((high - low) / step) + 1) : 1;
  const thetas = Float64Array.from({ length: size }, (_, g) => low + ((high - low) * g) / (size - 1));
  const rates = thetas.map(Math.exp);
  const values = new Float64Array(sample.length * size);
  const logs = new Float64Array(size);
  let gapsSincePoll = 0;
  for (const [row, i] of sample.entries()) {
    logs.fill(0);
    let exposure = 0;
    let knownAgeChanges = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; ) {
      if (++gapsSincePoll === gapsPerPoll) {
        gapsSincePoll = 0;
        if (budget.stopRequested()) return null;
      }
      if (outcome[k] !== changedAtKnownAge && outcome[k] !== unchangedOutcome) {
        const gap = elapsed[k];
        const from = k;
        while (k < offsets[i + 1] && elapsed[k] === gap && outcome[k] === outcome[from]) k++;
        const count = k - from;
        for (let g = 0; g < size; g++) logs[g] += count * Math.log(-Math.expm1(-rates[g] * gap));
      } else {
        exposure += elapsed[k];
        if (outcome[k] === changedAtKnownAge) knownAgeChanges++;
        k++;
      }
    }
    let peak = Number.NEGATIVE_INFINITY;
    for (let g = 0; g < size; g++) {
      logs[g] += knownAgeChanges * thetas[g] - exposure * rates[g];
      if (logs[g] > peak) peak = logs[g];
    }
    for (let g = 0; g < size; g++) values[row * size + g] = Math.exp(logs[g] - peak);
  }
  return { thetas, values, pages: sample, changes };
}
