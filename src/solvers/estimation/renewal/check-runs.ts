/**
 * Checks as runs: how long a page was found unchanged, and then the gap in which it had changed.
 *
 * All that a renewal process makes of checks hangs on these two times, so that unchanged checks cost nothing by
 * themselves.
 */
import { type CheckHistory, unchanged } from '../changes/check-history.ts';

/** Page i's runs are offsets[i] … offsets[i + 1] − 1. */
export interface CheckRuns {
  readonly offsets: Uint32Array;
  /** Time the page was seen unchanged before the gap, 0 for none. */
  readonly quiet: Float64Array;
  /** The gap in which it had changed; 0 for the time since the last change that was seen, at the end of a page. */
  readonly gap: Float64Array;
  /** By page: ln of the mean time between its checks, those left out too. */
  readonly spacing: Float64Array;
}

/** The runs of `pages`, of each page's checks all but the last `heldOut` share (at least one is left out if any is). */
export function checkRuns(history: CheckHistory, pages: Uint32Array, heldOut: number): CheckRuns {
  const offsets = new Uint32Array(pages.length + 1);
  const quiet: number[] = [];
  const gap: number[] = [];
  const spacing = new Float64Array(pages.length);
  for (let p = 0; p < pages.length; p++) {
    const from = history.offsets[pages[p]];
    const to = history.offsets[pages[p] + 1];
    const end = to - Math.ceil(heldOut * (to - from));
    let still = 0;
    for (let k = from; k < end; k++) {
      if (history.outcome[k] === unchanged) {
        still += history.elapsed[k];
        continue;
      }
      quiet.push(still);
      gap.push(history.elapsed[k]);
      still = 0;
    }
    if (still > 0) {
      quiet.push(still);
      gap.push(0);
    }
    offsets[p + 1] = quiet.length;
    spacing[p] = Math.log(meanOf(history.elapsed, from, to));
  }
  return { offsets, quiet: Float64Array.from(quiet), gap: Float64Array.from(gap), spacing };
}

function meanOf(values: ArrayLike<number>, from: number, to: number): number {
  let sum = 0;
  for (let k = from; k < to; k++) sum += values[k];
  return sum / (to - from);
}
