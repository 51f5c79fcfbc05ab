/** The grid of rates that a log needs, and the first population on it. */
import type { CheckHistory } from './check-history.ts';
import { type Drift, DriftingRate, widestRange } from './drifting-rate.ts';

const largestGapSample = 65_536;
/** A gap counts for no more than so many times one that only a hundredth of the gaps are longer than. */
const oddlyLong = 100;

/**
 * The grid and the first population for a history: rates from a fifth of a change in the longest span to 5 a gap.
 *
 * The gap is the shortest where the grid holds all rates up to there. Where it does not, a few odd gaps (a fetch
 * repeated after a millisecond, a line logged twice) would cost the grid its slow end, where most pages are: then the
 * gap is one that only a hundredth of the gaps are shorter than, and a grid too narrow even for that is centred on one
 * change a mean gap.
 */
export function driftModel(history: CheckHistory, mean: number, drift: Drift): DriftingRate {
  const [lowest, highest] = gridRange(history, mean);
  return new DriftingRate(lowest, highest, mean, drift);
}

/**
 * The same, with a population that leaves room for doubt: the grid reaches to `fastest`, and `doubt` of the first
 * population is spread evenly over the logarithms of all its rates. Nothing that regular checks show tells fast from
 * faster.
 */
export function doubtfulDriftModel(
  history: CheckHistory,
  mean: number,
  drift: Drift,
  { fastest, doubt }: { readonly fastest: number; readonly doubt: number },
): DriftingRate {
  const [lowest, highest] = gridRange(history, mean);
  const model = new DriftingRate(lowest, Math.max(highest, fastest), mean, drift);
  for (let g = 0; g < model.size; g++) {
    model.population[g] = (1 - doubt) * model.population[g] + doubt / model.size;
  }
  return model;
}

/**
 * The history with its oddly long gaps cut short: what the grid and the population are to be found from. A page whose
 * last fetch a log puts into 1970 was watched for longer than all others together; it would say how fast they all
 * change.
 *
 * @param least no shorter gap is cut
 * @returns the same history where no gap is odd
 */
export function withoutLongGaps(history: CheckHistory, least: number): CheckHistory {
  const { elapsed } = history;
  if (elapsed.length === 0) return history;
  const gaps = sampledGaps(history);
  const most = Math.max(least, oddlyLong * gaps[Math.max(0, gaps.length - 1 - Math.ceil(0.01 * gaps.length))]);
  if (longest(elapsed) <= most) return history;
  return { ...history, elapsed: elapsed.map((gap) => Math.min(gap, most)) };
}

function longest(gaps: Float64Array): number {
  let most = 0;
  for (let k = 0; k < gaps.length; k++) if (gaps[k] > most) most = gaps[k];
  return most;
}

function gridRange(history: CheckHistory, mean: number): [lowest: number, highest: number] {
  const { shortest, longestSpan, meanGap } = gapsOf(history);
  if (longestSpan === 0) return [0.01 * mean, 100 * mean];
  const lowest = Math.min(0.2 / longestSpan, 0.1 * mean);
  const fastest = Math.max(5 / shortest, 10 * mean);
  if (fastest <= lowest * widestRange) return [lowest, fastest];
  const usual = Math.max(5 / lowGap(history), 10 * mean);
  if (usual <= lowest * widestRange) return [lowest, usual];
  const centred = 1 / (meanGap * Math.sqrt(widestRange));
  const from = Math.max(lowest, Math.min(centred, usual / widestRange));
  return [from, from * widestRange];
}

/** The shortest gap, the longest time a page was watched (0 without a check), and the mean of all gaps. */
function gapsOf({ offsets, elapsed }: CheckHistory) {
  let shortest = Number.POSITIVE_INFINITY;
  let longestSpan = 0;
  let total = 0;
  for (let i = 0; i + 1 < offsets.length; i++) {
    let span = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      span += elapsed[k];
      if (elapsed[k] > 0 && elapsed[k] < shortest) shortest = elapsed[k];
    }
    if (span > longestSpan) longestSpan = span;
    total += span;
  }
  return { shortest, longestSpan, meanGap: total / elapsed.length };
}

/** A gap that a hundredth of the gaps are shorter than (at least one, of two and more), from a sample of them. */
function lowGap(history: CheckHistory): number {
  const gaps = sampledGaps(history);
  return gaps[Math.min(gaps.length - 1, Math.ceil(0.01 * gaps.length))];
}

/** A sample of the gaps, ascending. */
function sampledGaps({ elapsed }: CheckHistory): Float64Array {
  const stride = Math.max(1, elapsed.length / largestGapSample);
  const sample: number[] = [];
  for (let s = 0; Math.floor(s * stride) < elapsed.length; s++) sample.push(elapsed[Math.floor(s * stride)]);
  return Float64Array.from(sample).sort();
}
