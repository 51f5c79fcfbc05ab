/** Sufficient statistics of the checks and signals of one page for its likelihood. */
import type { ChangeSignalsProblem } from './problem.ts';

export interface PageEvidence {
  readonly signals: number;
  /** Total time between checks, and the part of it in checks that found no change. */
  readonly watched: number;
  readonly unchanged: number;
  readonly unchangedSignals: number;
  /** Checks that found a change. */
  readonly changes: number;
  /** Triples: each distinct (gap, signals) of these checks, and its number. */
  readonly changed: Float64Array;
}

export function summarizePage({ offsets, elapsed, changed, signals }: ChangeSignalsProblem, i: number): PageEvidence {
  let all = 0;
  let watched = 0;
  let unchanged = 0;
  let unchangedSignals = 0;
  const seen: [number, number][] = [];
  for (let k = offsets[i]; k < offsets[i + 1]; k++) {
    all += signals[k];
    watched += elapsed[k];
    if (changed[k] === 1) seen.push([elapsed[k], signals[k]]);
    else {
      unchanged += elapsed[k];
      unchangedSignals += signals[k];
    }
  }
  seen.sort(([a, m], [b, n]) => a - b || m - n);
  const triples: number[] = [];
  for (const [gap, count] of seen) {
    const last = triples.length - 3;
    if (last >= 0 && triples[last] === gap && triples[last + 1] === count) triples[last + 2]++;
    else triples.push(gap, count, 1);
  }
  const pooled = Float64Array.from(triples);
  return { signals: all, watched, unchanged, unchangedSignals, changes: seen.length, changed: pooled };
}
