/** What the checks and signals of one page say, summed up as far as its likelihood needs it. */
import type { ChangeSignalsProblem } from './problem.ts';

/** One page's evidence. */
export interface PageEvidence {
  readonly signals: number;
  /** Time watched, and how much of it ended without a change. */
  readonly watched: number;
  readonly unchanged: number;
  readonly unchangedSignals: number;
  /** Checks that found a change. */
  readonly changes: number;
  /** Different (gap, signals) of these, and how many there are of each: triples. */
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
