/** Sufficient statistics of the checks and signals of one page for its likelihood. */
import type { ChangeSignalsProblem } from './problem.ts';

export interface PageEvidence {
  readonly signals: number;
  /** Total time between checks, and the part of it in checks that found no change. */
  readonly watchedTime: number;
  readonly unchangedTime: number;
  readonly unchangedSignals: number;
  /** Checks that found a change. */
  readonly changes: number;
  /**
   * The checks that found a change, as triples: a distinct pair of gap and signals, and the number of checks with it.
   */
  readonly changedChecks: Float64Array;
}

export function summarizePage({ offsets, elapsed, changed, signals }: ChangeSignalsProblem, i: number): PageEvidence {
  let totalSignals = 0;
  let watchedTime = 0;
  let unchangedTime = 0;
  let unchangedSignals = 0;
  const changedGaps: [number, number][] = [];
  for (let k = offsets[i]; k < offsets[i + 1]; k++) {
    totalSignals += signals[k];
    watchedTime += elapsed[k];
    if (changed[k] === 1) changedGaps.push([elapsed[k], signals[k]]);
    else {
      unchangedTime += elapsed[k];
      unchangedSignals += signals[k];
    }
  }
  changedGaps.sort(([a, m], [b, n]) => a - b || m - n);
  const triples: number[] = [];
  for (const [gap, count] of changedGaps) {
    const last = triples.length - 3;
    if (last >= 0 && triples[last] === gap && triples[last + 1] === count) triples[last + 2]++;
    else triples.push(gap, count, 1);
  }
  const changedChecks = Float64Array.from(triples);
  return {
    signals: totalSignals,
    watchedTime,
    unchangedTime,
    unchangedSignals,
    changes: changedGaps.length,
    changedChecks,
  };
}
