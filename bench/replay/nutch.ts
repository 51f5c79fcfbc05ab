/**
 * What Apache Nutch 1.x does with a page under AdaptiveFetchSchedule, as its jobs run it. The generator asks
 * shouldFetch, and the update of the crawl database calls setFetchSchedule. For an interval above db.fetch.interval.max
 * it then calls forceRefetch, which forgets the signature and the time of the last change. The fetch after it is
 * compared with nothing. Times in seconds.
 *
 * Source: AbstractFetchSchedule, AdaptiveFetchSchedule (with the guard of January 2026 on the offset) and
 * CrawlDbReducer, written anew from what they do; settings of nutch-default.xml.
 */
import { day } from '../../src/solvers/day.ts';

const minute = 60;

interface NutchParameters {
  /** Initial fetch interval of a page, s. */
  readonly defaultInterval: number;
  readonly minInterval: number;
  readonly maxInterval: number;
  /** Growth of the interval of an unchanged page, and shrinkage of that of a changed page; shares. */
  readonly incRate: number;
  readonly decRate: number;
  /** Whether the next fetch moves back by `syncDeltaRate` of the time since the page was last seen changed. */
  readonly syncDelta: boolean;
  readonly syncDeltaRate: number;
  /** db.fetch.interval.max: a fetch planned further ahead is made at the next run of the generator. */
  readonly longestWait: number;
}

export const nutchDefaults: NutchParameters = {
  defaultInterval: 30 * day,
  minInterval: minute,
  maxInterval: 365 * day,
  incRate: 0.4,
  decRate: 0.2,
  syncDelta: true,
  syncDeltaRate: 0.3,
  longestWait: 90 * day,
};

/** What Nutch's crawl database keeps of a page. */
export interface NutchPage {
  fetchTime: number;
  interval: number;
  /** Time of the last change; 0 if unknown. */
  modified: number;
  /** Whether the content of the last fetch is known, so that the next can be compared with it. */
  hasSignature: boolean;
}

/** shouldFetch, at a run of the generator: a fetch planned further ahead than `longestWait` is made at once. */
export function isNutchDue(page: NutchPage, time: number, { longestWait }: NutchParameters): boolean {
  if (page.fetchTime - time > longestWait) {
    if (page.interval > longestWait) page.interval = 0.9 * longestWait;
    page.fetchTime = time;
  }
  return page.fetchTime <= time;
}

/** setFetchSchedule after a fetch, and forceRefetch where the interval has become too long. */
export function recordNutchFetch(page: NutchPage, time: number, changed: boolean, parameters: NutchParameters): void {
  const { incRate, decRate, minInterval, maxInterval, syncDelta, syncDeltaRate, longestWait } = parameters;
  let interval = page.interval;
  let modifiedAt = page.modified === 0 ? time : page.modified;
  if (page.hasSignature) {
    interval *= changed ? 1 - decRate : 1 + incRate;
    if (changed) modifiedAt = time;
  }
  let offset = 0;
  if (syncDelta) {
    const delta = time - modifiedAt;
    interval = Math.max(interval, delta);
    // With the guard's integer division offset / delta is 0.
    offset = syncDeltaRate * delta > maxInterval ? 0 : syncDeltaRate * delta;
  }
  page.interval = Math.min(maxInterval, Math.max(minInterval, interval));
  page.fetchTime = time - offset + page.interval;
  page.modified = modifiedAt;
  page.hasSignature = true;
  if (page.interval <= longestWait) return;
  // The planned fetch stays; afterwards the page counts as new.
  page.interval = 0.9 * longestWait;
  page.modified = 0;
  page.hasSignature = false;
}
