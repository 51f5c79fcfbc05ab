/**
 * From a host's requests to paces: the mean of the last m gaps before a request, and whether it was refused.
 *
 * A request counts only if it was made at a steady pace, so that a refusal is due to the pace. At least m gaps must lie
 * before it, none longer than four times their mean, since a burst after a pause says nothing about a sustained pace.
 * The request must not be before the end of a Retry-After. Which requests count depends on times alone, not on how they
 * ended.
 */
import { inconclusiveOutcome, type RequestLog } from './problem.ts';

/** Ratio of a gap to the mean gap above which the gap is a pause. */
const maxGapRatio = 4;

/** Requests at a steady pace, in order of time. */
export interface Paces {
  readonly pace: Float64Array;
  /** 1 for refused. */
  readonly isRefused: Uint8Array;
}

export function selectSteadyPaces(
  { offsets, time, outcome, retryAfter }: RequestLog,
  host: number,
  memory: number,
): Paces {
  const from = offsets[host];
  const to = offsets[host + 1];
  const pace = new Float64Array(to - from);
  const isRefused = new Uint8Array(to - from);
  let count = 0;
  let retryTime = Number.NEGATIVE_INFINITY;
  for (let k = from; k < to; k++) {
    const beforeRetry = time[k] < retryTime;
    if (!Number.isNaN(retryAfter[k])) retryTime = Math.max(retryTime, time[k] + retryAfter[k]);
    if (beforeRetry || k - memory < from || outcome[k] === inconclusiveOutcome) continue;
    const mean = (time[k] - time[k - memory]) / memory;
    let longest = 0;
    for (let g = k - memory; g < k; g++) longest = Math.max(longest, time[g + 1] - time[g]);
    if (!(mean > 0) || longest > maxGapRatio * mean) continue;
    pace[count] = mean;
    isRefused[count++] = outcome[k];
  }
  return { pace: pace.slice(0, count), isRefused: isRefused.slice(0, count) };
}
