/**
 * Quotas of a host: a number of requests a window, found in a log of answers and refusals.
 *
 * Model: of the requests of a window the first `count` are answered and the others refused. A fixed window begins at
 * `phase` and every `period` after it; a sliding one is the time before each request. Method: each usual period is
 * tried, and the one between the ends of refusals; as a sliding window, and as a fixed one with each candidate phase:
 * 0, the end of a Retry-After, and a time between a refusal and the answer after it. Let n_k be the answers before
 * request k in its window. The count Q explains the log where answers have n < Q and refusals n ≥ Q. The Q with the
 * fewest exceptions is taken, and of all windows the one with the fewest, the longest among equals. The log of a
 * crawler that obeys Retry-After is explained by shorter windows too. Failures are taken either to count against the
 * quota or not, whichever leaves fewer exceptions. A quota is reported where at most one request in fifty is an
 * exception, and refusals came in two windows at least.
 * Complexity: O(n) a candidate window, and O(n log n) once. Known limits: a sliding window of an unusual length is not
 * found, and the length of an unusual fixed one without Retry-After only to the minute. Requests of other clients that
 * count against the same quota are not in the log.
 */
import { answeredOutcome, type HostQuota, inconclusiveOutcome, type RequestLog, refusedOutcome } from './problem.ts';

/** Window lengths tried on every log, in seconds: those that services and proxies use, from ten seconds to a day. */
const commonPeriods = [
  10, 15, 20, 30, 60, 90, 120, 300, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200, 10_800, 14_400, 21_600, 28_800,
  43_200, 86_400,
] as const;
/** Distance in seconds within which the ends of two refusals count as one. */
const minPeriod = 2;
/** Share of the requests that a quota may leave unexplained. */
const maxExceptions = 0.02;
/** Windows that a log must cover at least, and windows in which there must be refusals. */
const minWindows = 2;
/** Smallest quota: one request per window is a delay. */
const minCount = 2;

interface Candidate extends HostQuota {
  readonly exceptions: number;
}

/** Requests of one host in order of time; `retryTime` is the end of a refusal's Retry-After, NaN where there is none. */
interface HostRequests {
  readonly times: Float64Array;
  readonly outcome: Uint8Array;
  readonly retryTime: Float64Array;
}

/** The quota that explains the refusals of a host; null where none does. */
export function findQuota(log: RequestLog, h: number): HostQuota | null {
  const conclusive = selectRequests(log, h, (outcome) => outcome !== inconclusiveOutcome);
  const refusals = conclusive.outcome.filter((each) => each === refusedOutcome).length;
  if (refusals === 0 || refusals === conclusive.times.length) return null;
  let best = bestQuota(conclusive, null);
  const allRequests = selectRequests(log, h, () => true);
  if (allRequests.times.length > conclusive.times.length) best = bestQuota(allRequests, best);
  if (best === null || best.exceptions > maxExceptions * conclusive.times.length || 2 * best.exceptions > refusals)
    return null;
  const { exceptions: _, ...quota } = best;
  return quota;
}

function selectRequests(
  { offsets, time, outcome, retryAfter }: RequestLog,
  h: number,
  isSelected: (of: number) => boolean,
): HostRequests {
  const positions: number[] = [];
  for (let k = offsets[h]; k < offsets[h + 1]; k++) if (isSelected(outcome[k])) positions.push(k);
  return {
    times: Float64Array.from(positions, (k) => time[k]),
    outcome: Uint8Array.from(positions, (k) => outcome[k]),
    retryTime: Float64Array.from(positions, (k) =>
      outcome[k] === refusedOutcome && retryAfter[k] > 0 ? time[k] + retryAfter[k] : Number.NaN,
    ),
  };
}

/** The better of a known quota and the best of those that explain the requests. */
function bestQuota(requests: HostRequests, incumbent: Candidate | null): Candidate | null {
  const { times, outcome } = requests;
  let best = incumbent;
  const periods = new Set<number>(commonPeriods);
  for (const period of inferPeriods(requests)) periods.add(period);
  for (const period of [...periods].sort((a, b) => a - b)) {
    if (times[times.length - 1] - times[0] < minWindows * period) break;
    for (const phase of phasesOf(requests, period)) {
      const candidate = fitCount(times, outcome, period, phase);
      if (candidate === null || (best !== null && candidate.exceptions > best.exceptions)) continue;
      if (best === null || candidate.exceptions < best.exceptions || candidate.period > best.period) best = candidate;
    }
  }
  return best;
}

/**
 * Periods inferred from the log: the median time between the ends of refusals, in whole seconds where Retry-After gives
 * the ends, else in whole minutes.
 */
function inferPeriods({ times, outcome, retryTime }: HostRequests): number[] {
  const retryTimes = retryTime.filter((each) => !Number.isNaN(each)).sort();
  const ends =
    retryTimes.length > 0
      ? retryTimes
      : times.filter((_, k) => k > 0 && outcome[k - 1] === refusedOutcome && outcome[k] === answeredOutcome);
  const unit = retryTimes.length > 0 ? 1 : 60;
  const gaps = Array.from(ends, (end, k) => (k === 0 ? 0 : end - ends[k - 1])).filter((gap) => gap > minPeriod);
  if (gaps.length === 0) return [];
  const median = gaps.sort((a, b) => a - b)[gaps.length >> 1];
  const period = unit * Math.round(median / unit);
  return period > minPeriod ? [period] : [];
}

/**
 * Candidate phases of windows; the phase null is a sliding window. The phase of the last Retry-After comes first, since
 * ties go to the first.
 */
function phasesOf({ times, outcome, retryTime }: HostRequests, period: number): Set<number | null> {
  const lastRetryTime = retryTime.findLast((each) => !Number.isNaN(each));
  const inferredPhase = inferPhase(times, outcome, period);
  return new Set([
    ...(lastRetryTime === undefined ? [] : [Math.round(lastRetryTime) % period]),
    null,
    0,
    ...(inferredPhase === null ? [] : [inferredPhase]),
  ]);
}

/** The phase that lies between each refusal and the answer next to it, in whole seconds; null where none does. */
function inferPhase(times: Float64Array, outcome: Uint8Array, period: number): number | null {
  let reference = Number.NaN;
  let low = -period / 2;
  let high = period / 2;
  for (let k = 1; k < times.length; k++) {
    if (outcome[k - 1] !== refusedOutcome || outcome[k] !== answeredOutcome) continue;
    if (Number.isNaN(reference)) reference = times[k];
    const answer = wrapDifference(times[k] - reference, period);
    low = Math.max(low, answer - (times[k] - times[k - 1]));
    high = Math.min(high, answer);
  }
  if (Number.isNaN(reference) || low > high) return null;
  return Math.floor(reference + (low + high) / 2) % period;
}

/** A difference of times modulo the period, in ±period/2. */
function wrapDifference(difference: number, period: number): number {
  return difference - period * Math.round(difference / period);
}

/** The count with the fewest exceptions for a period and phase; null where refusals came in too few windows. */
function fitCount(times: Float64Array, outcome: Uint8Array, period: number, phase: number | null): Candidate | null {
  const answersBefore = new Uint32Array(times.length);
  const windows = new Set<number>();
  let maxAnswers = 0;
  let from = 0;
  let answersInWindow = 0;
  for (let k = 0; k < times.length; k++) {
    const begin = phase === null ? times[k] - period : Math.floor((times[k] - phase) / period) * period + phase;
    // a sliding window excludes its start, a fixed one includes it
    while (from < k && (phase === null ? times[from] <= begin : times[from] < begin))
      if (outcome[from++] !== refusedOutcome) answersInWindow--;
    answersBefore[k] = answersInWindow;
    maxAnswers = Math.max(maxAnswers, answersInWindow);
    if (outcome[k] !== refusedOutcome) answersInWindow++;
    else windows.add(Math.floor((times[k] - (phase ?? 0)) / period));
  }
  if (windows.size < minWindows) return null;
  // exceptions to a quota Q: refusals after fewer than Q answers, and answers after at least Q
  const answers = new Uint32Array(maxAnswers + 2);
  const refusals = new Uint32Array(maxAnswers + 2);
  for (let k = 0; k < times.length; k++) {
    if (outcome[k] === refusedOutcome) refusals[answersBefore[k]]++;
    else if (outcome[k] === answeredOutcome) answers[answersBefore[k]]++;
  }
  let earlyRefusals = 0;
  let lateAnswers = answers.reduce((sum, each) => sum + each, 0);
  let best: Candidate | null = null;
  for (let count = 0; count <= maxAnswers + 1; count++) {
    const exceptions = earlyRefusals + lateAnswers;
    if (count >= minCount && (best === null || exceptions < best.exceptions)) {
      best = { period, count, window: phase === null ? 'sliding' : 'fixed', phase, exceptions };
    }
    earlyRefusals += refusals[count];
    lateAnswers -= answers[count];
  }
  return best;
}
