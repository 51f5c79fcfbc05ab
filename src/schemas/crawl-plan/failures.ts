/** What failed observations ask of a plan: a page waits before its next fetch, and one that is gone is tried once in a week, later in a month. */
import type { Warning } from '../../solvers/answer.ts';
import { failingPages } from '../../solvers/estimation/index.ts';
import type { ChecksReader } from '../parts/checks/checks-reader.ts';
import { failureNotes } from '../words/failure-notes.ts';

/** What failures change in a plan's pages; the lists are changed in place. Times in seconds. */
interface PlannedPages {
  readonly now: number;
  readonly interval: number;
  readonly isPromise: boolean;
  readonly host: readonly (string | undefined)[];
  readonly name: readonly (string | undefined)[] | null;
  readonly notBefore: Float64Array;
  readonly weight: Float64Array;
  readonly minInterval: Float64Array;
  readonly maxInterval: Float64Array;
}

/**
 * Delays the next fetch of pages that failed last. One that is gone weighs nothing and gets one try at most, when it is
 * due and in the second half of the interval. Under a promise nothing waits: the wait of one page would keep all others
 * from it.
 */
export function applyFailures(observations: ChecksReader, pages: PlannedPages): Warning[] {
  const { now, interval, isPromise, host, name, notBefore, weight, minInterval, maxInterval } = pages;
  const failing = failingPages(
    Array.from(observations.failing, (run, i) => ({
      host: host[i] ?? '',
      failing: run,
      firstFetch: observations.earliest[i],
      lastFetch: observations.latest[i],
      fetches: observations.counts[i] < 0 ? 0 : observations.fetches[i],
    })).map((page) => (page.fetches > 0 ? page : { ...page, lastFetch: Number.NEGATIVE_INFINITY })),
  );
  const delay = (i: number, until: number): void => {
    if (until > now) notBefore[i] = Number.isNaN(notBefore[i]) ? until : Math.max(until, notBefore[i]);
  };
  const waiting = isPromise ? [] : failing.waiting.filter(({ notBefore: until }) => until > now);
  for (const { page, notBefore: until } of waiting) delay(page, until);
  for (const { page, notBefore: due } of failing.gone) {
    weight[page] = 0;
    minInterval[page] = Math.max(minInterval[page], interval);
    maxInterval[page] = Number.POSITIVE_INFINITY;
    delay(page, isPromise ? Math.max(due, now + interval) : Math.max(due, now + interval / 2));
  }
  const notes = failureNotes({ ...failing, waiting }, (i) =>
    name?.[i] === undefined ? `page ${i}` : JSON.stringify(name[i]),
  );
  return notes.map((detail) => ({ code: 'failing-pages', detail, pointer: '/pages' }));
}
