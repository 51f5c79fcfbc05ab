/**
 * From a page's log to its checks. Crawlers keep a fetch time with a changed flag, a Last-Modified time, a content
 * signature, or an HTTP status. This is the one place where such evidence becomes a verdict.
 *
 * - A fetch with a status other than 2xx and 304 is no check; the next check's gap spans it.
 * - 304: unchanged, and the signature known before holds, whatever the log line has (RFC 9110, 15.4.5). Else the flag
 *   decides. Else the signature against the last one of its kind. Else Last-Modified: later than the fetch before, or
 *   other than the one before, is a change. A fetch without any of these gives no check, and the next gap starts at it.
 * - Last-Modified is a hint. One before 1995 or after the fetch counts for nothing. Where it stays the same while the
 *   content changes, it is ignored for the whole page.
 * - Where a change has a Last-Modified between the two fetches, its age is known. At the first fetch it is known too,
 *   but counts for no longer than the page has been watched since.
 * - Entries are taken in order of time; two at the same instant are one.
 */
import { changedAtKnownAge, changedOutcome, unchangedOutcome } from './check-history.ts';
import { type FetchColumns, sawPage } from './fetches.ts';
import { areComparable } from './signatures.ts';

/** Start of 1995 in epoch seconds: earlier Last-Modified times are build dates and zeros. */
export const earliestModified = 788_918_400;
/**
 * Start of 2100 in epoch seconds. Fetch times from 1995 until then are epoch seconds; other times are of a clock of the
 * caller's.
 */
const latestEpoch = 4_102_444_800;

/** The failed fetches of a page since it was last seen. */
export interface FailureRun {
  /** Times of the first and the last failure of the run. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Status of the last failure and of the failure before it; NaN where there is none. */
  readonly status: number;
  readonly statusBefore: number;
}

/** Counts of the fetches that give no check, and the time at which the page was last seen (NaN: never). */
export interface ObservationSummary {
  readonly lastSeen: number;
  readonly failures: number;
  readonly duplicates: number;
  readonly outOfOrder: number;
  /** Number of Last-Modified times that cannot be right: later than the fetch, or before 1995. */
  readonly implausible: number;
  /** The failures since the page was last seen; null where the last fetch saw it. */
  readonly failureRun: FailureRun | null;
}

type AddCheck = (elapsed: number, outcome: number, time: number) => void;

/**
 * Calls `add` with each check, oldest first: the time since the previous fetch, the outcome, and the time of the check.
 * Complexity: linear where the fetches are in order of time.
 */
export function checksFromFetches(fetches: FetchColumns, add: AddCheck): ObservationSummary {
  const { length, time: times, status, signature: signatures, changed: flags } = fetches;
  const { order, outOfOrder } = orderOf(fetches);
  const { modifiedOf, implausible } = modifiedTimes(fetches, order);
  const span = watchedTime(fetches, order);
  let [failures, duplicates] = [0, 0];
  let lastTime = Number.NaN;
  let lastModified = Number.NaN;
  let signature = Number.NaN;
  let signatureTime = Number.NaN;
  let failureRun: FailureRun | null = null;
  for (let n = 0; n < length; n++) {
    const k = order === null ? n : order[n];
    const time = times[k];
    if (!sawPage(status[k])) {
      failures++;
      failureRun = extendRun(failureRun, time, status[k]);
      continue;
    }
    failureRun = null;
    if (time === lastTime) {
      duplicates++;
      continue;
    }
    const isNotModified = status[k] === 304;
    const modifiedTime = isNotModified ? Number.NaN : modifiedOf(k);
    const ownSignature = isNotModified ? Number.NaN : signatures[k];
    const age = time - modifiedTime;
    if (Number.isNaN(lastTime)) {
      if (age > 0 && (span === 0 || age <= span)) add(age, changedAtKnownAge, time);
      else if (age > 0) add(span, unchangedOutcome, time);
    } else {
      const bySignature = flags[k] < 0 && ownSignature >= 0 && areComparable(ownSignature, signature);
      const previousTime = bySignature ? signatureTime : lastTime;
      const byModified = modifiedTime > previousTime || (lastModified >= 0 && modifiedTime !== lastModified);
      const isChanged = isNotModified
        ? false
        : flags[k] >= 0
          ? flags[k] === 1
          : bySignature
            ? ownSignature !== signature
            : Number.isNaN(modifiedTime)
              ? null
              : byModified;
      if (isChanged === true && modifiedTime > previousTime && age > 0) add(age, changedAtKnownAge, time);
      else if (isChanged !== null) add(time - previousTime, isChanged ? changedOutcome : unchangedOutcome, time);
    }
    lastTime = time;
    if (!Number.isNaN(modifiedTime)) lastModified = modifiedTime;
    if (ownSignature >= 0) [signature, signatureTime] = [ownSignature, time];
    else if (isNotModified) signatureTime = time;
  }
  return { lastSeen: lastTime, failures, duplicates, outOfOrder, implausible, failureRun };
}

const extendRun = (run: FailureRun | null, time: number, status: number): FailureRun => ({
  from: run?.from ?? time,
  to: time,
  count: (run?.count ?? 0) + 1,
  status,
  statusBefore: run?.status ?? Number.NaN,
});

/** Positions in order of time, equal times in their order; null where the fetches stand in order of time already. */
function orderOf({ length, time }: FetchColumns): { readonly order: Uint32Array | null; readonly outOfOrder: number } {
  let outOfOrder = 0;
  for (let k = 1; k < length; k++) if (time[k] < time[k - 1]) outOfOrder++;
  if (outOfOrder === 0) return { order: null, outOfOrder };
  const order = Uint32Array.from({ length }, (_, k) => k);
  return { order: order.sort((a, b) => time[a] - time[b] || a - b), outOfOrder };
}

/**
 * The Last-Modified time of each fetch, NaN where it is not usable, and the number of implausible ones. None is usable
 * if it stayed the same while the content changed.
 */
function modifiedTimes(
  { length, time, status, lastModified, signature, changed: flags }: FetchColumns,
  order: Uint32Array | null,
): { readonly modifiedOf: (k: number) => number; readonly implausible: number } {
  const isPlausible = (k: number): boolean => {
    const isEpoch = time[k] >= earliestModified && time[k] < latestEpoch;
    return lastModified[k] <= time[k] && (!isEpoch || lastModified[k] >= earliestModified);
  };
  let implausible = 0;
  let isConstant = false;
  let [ownBefore, modifiedBefore] = [Number.NaN, Number.NaN];
  for (let n = 0; n < length; n++) {
    const k = order === null ? n : order[n];
    const modifiedTime = lastModified[k];
    if (Number.isNaN(modifiedTime)) continue;
    if (!isPlausible(k)) implausible++;
    else if (sawPage(status[k]) && status[k] !== 304) {
      const isOther = flags[k] === 1 || (areComparable(signature[k], ownBefore) && signature[k] !== ownBefore);
      if (isOther && modifiedTime === modifiedBefore) isConstant = true;
      [ownBefore, modifiedBefore] = [signature[k], modifiedTime];
    }
  }
  const modifiedOf = (k: number): number => (!isConstant && isPlausible(k) ? lastModified[k] : Number.NaN);
  return { modifiedOf, implausible };
}

/** Time from the first to the last fetch that saw the page. */
function watchedTime({ length, time, status }: FetchColumns, order: Uint32Array | null): number {
  let [first, last] = [Number.NaN, Number.NaN];
  for (let n = 0; n < length; n++) {
    const k = order === null ? n : order[n];
    if (!sawPage(status[k])) continue;
    if (Number.isNaN(first)) first = time[k];
    last = time[k];
  }
  return first < last ? last - first : 0;
}
