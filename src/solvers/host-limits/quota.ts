/**
 * Quotas of a host: a number of requests a window, found in a log of answers and refusals.
 *
 * Model: of the requests of a window the first `count` are answered and the others refused. A fixed window begins at
 * `phase` and every `period` after it; a sliding one is the time before each request. Method: look at each usual period
 * and the one between the ends of refusals, sliding and with each phase that is at hand. (These are 0, where a
 * Retry-After points to, and between a refusal and the answer after it.) Let n_k be the answers before request k in its
 * window. The count Q explains the log where answers have n < Q and refusals n ≥ Q. The Q with the fewest exceptions is
 * taken, and of all windows the one with the fewest, the longest among equals. A crawler that waits as it is told
 * leaves the shorter ones possible. Failures count against the quota or not, whichever explains more. A quota is said
 * where at most one request in fifty is an exception, and refusals came in two windows at least. Complexity: O(n) a
 * window looked at, and O(n log n) once. Known limits: unusual sliding windows are not found, nor unusual fixed ones
 * whose ends nothing tells but their requests, to the minute. Requests of others that count against the same quota are
 * not seen.
 */
import { day } from '../day.ts';
import { answeredOutcome, type HostQuota, inconclusiveOutcome, type RequestLog, refusedOutcome } from './problem.ts';

const usualPeriods = [
  10,
  15,
  20,
  30,
  60,
  90,
  120,
  300,
  600,
  900,
  1200,
  1800,
  2700,
  3600,
  5400,
  7200,
  10_800,
  14_400,
  21_600,
  28_800,
  43_200,
  day,
] as const;
/** Windows that are looked for, in seconds. */
const leastPeriod = 2;
const longestPeriod = 31 * day;
/** Starts of windows that are tried. */
const mostPhases = 4;
/** Share of the requests that a quota may leave unexplained. */
const mostExceptions = 0.02;
/** Windows that a log must cover. */
const fewestWindows = 2;
/** Share of the Retry-Afters that must point to one phase to be believed before a sliding window. */
const mostAgree = 0.9;
/** A quota of one is a delay. */
const leastCount = 2;

interface Candidate extends HostQuota {
  readonly exceptions: number;
}

/** Requests of one host in order of time, and when those that were refused were told to come back (NaN: not told). */
interface Seen {
  readonly times: Float64Array;
  readonly outcome: Uint8Array;
  readonly pointed: Float64Array;
}

/** The quota that explains the refusals of a host; null where none does. */
export function findQuota(log: RequestLog, h: number): HostQuota | null {
  const conclusive = seenBy(log, h, (outcome) => outcome !== inconclusiveOutcome);
  const refusals = conclusive.outcome.filter((each) => each === refusedOutcome).length;
  if (refusals === 0 || refusals === conclusive.times.length) return null;
  let best = bestQuota(conclusive, null);
  const all = seenBy(log, h, () => true);
  if (all.times.length > conclusive.times.length) best = bestQuota(all, best);
  if (best === null || best.exceptions > mostExceptions * conclusive.times.length || 2 * best.exceptions > refusals)
    return null;
  const { exceptions: _, ...quota } = best;
  return quota;
}

function seenBy({ offsets, time, outcome, retryAfter }: RequestLog, h: number, keeps: (of: number) => boolean): Seen {
  const positions: number[] = [];
  for (let k = offsets[h]; k < offsets[h + 1]; k++) if (keeps(outcome[k])) positions.push(k);
  return {
    times: Float64Array.from(positions, (k) => time[k]),
    outcome: Uint8Array.from(positions, (k) => outcome[k]),
    pointed: Float64Array.from(positions, (k) =>
      outcome[k] === refusedOutcome && retryAfter[k] > 0 ? time[k] + retryAfter[k] : Number.NaN,
    ),
  };
}

/** The better of a quota and all that explain these requests. */
function bestQuota(seen: Seen, known: Candidate | null): Candidate | null {
  const { times, outcome } = seen;
  let best = known;
  const periods = new Set<number>(usualPeriods);
  for (const period of periodsBetween(seen)) periods.add(period);
  for (const period of [...periods].sort((a, b) => a - b)) {
    if (times[times.length - 1] - times[0] < fewestWindows * period) break;
    for (const phase of phasesOf(seen, period)) {
      const found = explained(times, outcome, period, phase);
      if (found === null || (best !== null && found.exceptions > best.exceptions)) continue;
      if (best === null || found.exceptions < best.exceptions || found.period > best.period) best = found;
    }
  }
  return best;
}

/**
 * Periods that the log itself points to: the usual time between two ends of refusals. They are in whole seconds where
 * Retry-After tells the ends, else in whole minutes.
 */
function periodsBetween({ times, outcome, pointed }: Seen): number[] {
  const pointedEnds = pointed.filter((each) => !Number.isNaN(each)).sort();
  const ends =
    pointedEnds.length > 0
      ? pointedEnds
      : times.filter((_, k) => k > 0 && outcome[k - 1] === refusedOutcome && outcome[k] === answeredOutcome);
  const unit = pointedEnds.length > 0 ? 1 : 60;
  const gaps = Array.from(ends, (end, k) => (k === 0 ? 0 : end - ends[k - 1])).filter((gap) => gap > leastPeriod);
  if (gaps.length === 0) return [];
  const median = gaps.sort((a, b) => a - b)[gaps.length >> 1];
  const period = unit * Math.round(median / unit);
  return period > leastPeriod && period <= longestPeriod ? [period] : [];
}

/**
 * Where windows may begin, null for sliding ones. The phase that all Retry-Afters agree on comes first, as the first of
 * equals is taken.
 */
function phasesOf({ times, outcome, pointed }: Seen, period: number): (number | null)[] {
  const pointedEnds = pointed.filter((each) => !Number.isNaN(each));
  const last = pointedEnds.length > 0 ? Math.round(pointedEnds[pointedEnds.length - 1]) % period : Number.NaN;
  const agreeing = pointedEnds.filter((each) => Math.abs(fromMiddle(each - last, period)) <= 1).length;
  const phases = new Set<number | null>(
    pointedEnds.length > 0 && agreeing >= mostAgree * pointedEnds.length ? [last] : [],
  );
  phases.add(null).add(0);
  for (let k = pointedEnds.length - 1; k >= 0 && phases.size < mostPhases; k--)
    phases.add(Math.round(pointedEnds[k]) % period);
  const between = phaseBetween(times, outcome, period);
  if (between !== null) phases.add(between);
  return [...phases];
}

/** The phase that lies between each refusal and the answer next to it, in whole seconds; null where none does. */
function phaseBetween(times: Float64Array, outcome: Uint8Array, period: number): number | null {
  let reference = Number.NaN;
  let low = -period / 2;
  let high = period / 2;
  for (let k = 1; k < times.length; k++) {
    if (outcome[k - 1] !== refusedOutcome || outcome[k] !== answeredOutcome) continue;
    if (Number.isNaN(reference)) reference = times[k];
    const answer = fromMiddle(times[k] - reference, period);
    low = Math.max(low, answer - (times[k] - times[k - 1]));
    high = Math.min(high, answer);
  }
  if (Number.isNaN(reference) || low > high) return null;
  return Math.floor(reference + (low + high) / 2) % period;
}

/** A difference of times, in windows of ±period/2. */
function fromMiddle(difference: number, period: number): number {
  return difference - period * Math.round(difference / period);
}

/** The count with the fewest exceptions; null where refusals came in too few windows. */
function explained(times: Float64Array, outcome: Uint8Array, period: number, phase: number | null): Candidate | null {
  const before = new Uint32Array(times.length);
  const windows = new Set<number>();
  let most = 0;
  let from = 0;
  let used = 0;
  for (let k = 0; k < times.length; k++) {
    const begin = phase === null ? times[k] - period : Math.floor((times[k] - phase) / period) * period + phase;
    // a sliding window has the answers after its beginning, a fixed one those at it too
    while (from < k && (phase === null ? times[from] <= begin : times[from] < begin))
      if (outcome[from++] !== refusedOutcome) used--;
    before[k] = used;
    most = Math.max(most, used);
    if (outcome[k] !== refusedOutcome) used++;
    else windows.add(Math.floor((times[k] - (phase ?? 0)) / period));
  }
  if (windows.size < fewestWindows) return null;
  // exceptions by Q: refusals with fewer answers before them, and answers with as many or more
  const answers = new Uint32Array(most + 2);
  const refusals = new Uint32Array(most + 2);
  for (let k = 0; k < times.length; k++) {
    if (outcome[k] === refusedOutcome) refusals[before[k]]++;
    else if (outcome[k] === answeredOutcome) answers[before[k]]++;
  }
  let below = 0;
  let above = answers.reduce((sum, each) => sum + each, 0);
  let best: Candidate | null = null;
  for (let count = 0; count <= most + 1; count++) {
    const exceptions = below + above;
    if (count >= leastCount && (best === null || exceptions < best.exceptions)) {
      best = { period, count, window: phase === null ? 'sliding' : 'fixed', phase, exceptions };
    }
    below += refusals[count];
    above -= answers[count];
  }
  return best;
}
