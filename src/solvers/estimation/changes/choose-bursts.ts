/**
 * Whether pages change in bursts, and in which: chosen on the log itself, by what each model foretells of its latest
 * part.
 *
 * Each of a grid of bursts and the plain drifting rate filter a sample of the pages (at most so many checks). The
 * bursts are those of the largest likelihood on the first four fifths of every page's checks; they are taken where they
 * foretell the last fifth better than the plain rate by e^4.6, a hundred to one: what was chosen on one part is judged
 * by the other. Their lengths are in units of the usual time between a page's changes, so that nothing is tied to one
 * kind of page.
 */
import { type Budget, keepingShare, unlessStopped } from '../../budget.ts';
import { type BurstIntervals, burstIntervals } from './burst-intervals.ts';
import type { Bursts, BurstyRate } from './bursty-rate.ts';
import { type CheckHistory, pageCount } from './check-history.ts';
import type { RateModel } from './drifting-rate.ts';
import { filterHistories } from './filter-histories.ts';

const shares = [0.1, 0.3];
const ratios = [10, 40];
/** Mean lengths of bursts, over the usual time between changes. */
const lengths = [0.1, 0.4, 1.5];
const mostChecks = 20_000;
/** ln of the odds from which bursts are taken. */
export const enough = Math.log(100);

export interface BurstChoice {
  /** The likeliest bursts on the earlier checks. */
  readonly bursts: Bursts;
  /** ln P(the last checks): with these bursts over without. */
  readonly evidence: number;
  readonly taken: boolean;
  /**
   * Between which values all of the log leaves them; null where they are not taken, or half the time left is too
   * little.
   */
  readonly intervals: BurstIntervals | null;
}

/** @throws NothingToReturn when the budget ends first */
export function chooseBursts(
  history: CheckHistory,
  mean: number,
  models: { readonly plain: () => RateModel; readonly bursty: (bursts: Bursts) => BurstyRate },
  budget: Budget,
): BurstChoice {
  const sample = samplePages(history);
  const plain = filterHistories(sample, models.plain(), budget);
  let best: Omit<BurstChoice, 'intervals'> | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const busyShare of shares) {
    for (const ratio of ratios) {
      for (const length of lengths) {
        const bursts = { busyShare, ratio, length: length / mean };
        const { logLikelihood, heldOut } = filterHistories(sample, models.bursty(bursts), budget);
        if (logLikelihood - heldOut <= most) continue;
        most = logLikelihood - heldOut;
        const evidence = heldOut - plain.heldOut;
        best = { bursts, evidence, taken: evidence > enough && most > plain.logLikelihood - plain.heldOut };
      }
    }
  }
  if (best === null) throw new RangeError('no bursts were tried');
  if (!best.taken) return { ...best, intervals: null };
  const about = { start: best.bursts, mean };
  const describing = keepingShare(budget, 1 / 2);
  return { ...best, intervals: unlessStopped(null, () => burstIntervals(sample, about, models.bursty, describing)) };
}

/** Whole pages, evenly spaced, with about so many checks between them. */
function samplePages(history: CheckHistory): CheckHistory {
  const stride = Math.max(1, history.elapsed.length / mostChecks);
  if (stride === 1) return history;
  const pages: number[] = [];
  for (let s = 0; Math.floor(s * stride) < pageCount(history); s++) pages.push(Math.floor(s * stride));
  const offsets = new Uint32Array(pages.length + 1);
  for (const [k, i] of pages.entries()) offsets[k + 1] = offsets[k] + history.offsets[i + 1] - history.offsets[i];
  const elapsed = new Float64Array(offsets[pages.length]);
  const outcome = new Uint8Array(elapsed.length);
  for (const [k, i] of pages.entries()) {
    elapsed.set(history.elapsed.subarray(history.offsets[i], history.offsets[i + 1]), offsets[k]);
    outcome.set(history.outcome.subarray(history.offsets[i], history.offsets[i + 1]), offsets[k]);
  }
  return { offsets, elapsed, outcome };
}
