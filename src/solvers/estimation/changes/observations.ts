/**
 * From a page's log to its checks. Crawlers keep a fetch time with a changed flag, a Last-Modified time, a content
 * signature, or an HTTP status.
 *
 * - A status other than 2xx and 304 is no observation; the next check spans it.
 * - 304: unchanged. Else the flag decides; else the signature against the last one known; else Last-Modified: later
 *   than the fetch before, or other than the one before, is a change. A fetch that says none of these starts the next gap.
 * - Where a change has a Last-Modified between the two fetches, its age is known, and on the first fetch of all too.
 * - Entries are taken in order of time; two at the same instant are one.
 */
import { changed, changedAtKnownAge, unchanged } from './check-history.ts';

/** One fetch; times in one unit. */
export interface Observation {
  readonly time: number;
  readonly changed?: boolean | undefined;
  readonly lastModified?: number | undefined;
  readonly signature?: string | undefined;
  readonly status?: number | undefined;
  /** By how much a change found counts, 0 to 1; left out: 1. 0 is no change. */
}

/** Whether a fetch saw the page: its status is 2xx or 304, or not known. */
export const sawPage = (status: number | undefined): boolean =>
  status === undefined || status === 304 || (status >= 200 && status <= 299);

/** What was set aside, and when the page was last seen (NaN: never). */
export interface ObservationSummary {
  readonly lastSeen: number;
  readonly failures: number;
  readonly duplicates: number;
  readonly outOfOrder: number;
}

/**
 * Calls `add` with each check, oldest first: the time since the fetch before, what was found, when, and by how much a
 * change counts.
 */
export function checksFromObservations(
  observations: readonly Observation[],
  add: (elapsed: number, outcome: number, time: number) => void,
): ObservationSummary {
  let outOfOrder = 0;
  for (let k = 1; k < observations.length; k++) if (observations[k].time < observations[k - 1].time) outOfOrder++;
  const ordered = outOfOrder > 0 ? [...observations].sort((a, b) => a.time - b.time) : observations;
  let failures = 0;
  let duplicates = 0;
  let last = Number.NaN;
  let lastModified: number | undefined;
  let signature: string | undefined;
  let signatureTime = Number.NaN;
  for (const seen of ordered) {
    const { time, status } = seen;
    if (!sawPage(status)) {
      failures++;
      continue;
    }
    if (time === last) {
      duplicates++;
      continue;
    }
    const modified = seen.lastModified;
    if (Number.isNaN(last)) {
      if (modified !== undefined && modified < time) add(time - modified, changedAtKnownAge, time);
    } else {
      const bySignature = status !== 304 && seen.changed === undefined && seen.signature !== undefined;
      const since = bySignature && signature !== undefined ? signatureTime : last;
      const verdict = outcomeOf(seen, since, lastModified, signature);
      const dated = modified !== undefined && modified > since && modified < time;
      if (verdict === changed && dated) add(time - modified, changedAtKnownAge, time);
      else if (verdict !== null) add(time - since, verdict, time);
    }
    last = time;
    if (modified !== undefined) lastModified = modified;
    if (seen.signature !== undefined) {
      signature = seen.signature;
      signatureTime = time;
    } else if (status === 304) signatureTime = time;
  }
  return { lastSeen: last, failures, duplicates, outOfOrder };
}

function outcomeOf(
  seen: Observation,
  since: number,
  modifiedBefore: number | undefined,
  signatureBefore: string | undefined,
): number | null {
  if (seen.status === 304) return unchanged;
  if (seen.changed !== undefined) return seen.changed ? changed : unchanged;
  if (seen.signature !== undefined && signatureBefore !== undefined) {
    return seen.signature === signatureBefore ? unchanged : changed;
  }
  if (seen.lastModified === undefined) return null;
  const other = modifiedBefore !== undefined && seen.lastModified !== modifiedBefore;
  return other || seen.lastModified > since ? changed : unchanged;
}
