/** What crawlers ship: each page on its own interval, shortened after a change and lengthened without one. */
import { stormCrawlerDefaults, stormCrawlerRule } from '../../src/solvers/page-simulation/index.ts';
import { day, type Policy } from './replay.ts';

const minute = 60;
const year = 365 * day;

/** What Nutch's crawl database keeps of a page. Times in seconds. */
interface NutchPage {
  fetchTime: number;
  interval: number;
  /** 0 for none. */
  modifiedTime: number;
  /** Whether the content of the last fetch is known, so that the next can be compared with it. */
  signed: boolean;
}

/** The settings of nutch-default.xml: db.fetch.interval.default and .max, db.fetch.schedule.adaptive.*. */
const nutch = {
  defaultInterval: 30 * day,
  /** Of a page in the database: forceRefetch and shouldFetch hold to it. */
  maxInterval: 90 * day,
  adaptive: { increase: 0.4, decrease: 0.2, minInterval: minute, maxInterval: year, syncRate: 0.3 },
} as const;

/**
 * Apache Nutch 1.x with AdaptiveFetchSchedule and the settings of nutch-default.xml, as its jobs run it: the generator asks
 * shouldFetch, the update of the crawl database calls setFetchSchedule and then, for an interval above 90 days,
 * forceRefetch, which forgets the signature and the time of the last change: the fetch after it is compared with nothing.
 * Source: AbstractFetchSchedule, AdaptiveFetchSchedule (with the guard of January 2026 on the offset) and CrawlDbReducer.
 */
export function nutchAdaptive(pages: number, start: number): Policy {
  // the first fetch of a page has nothing to be compared with: the interval stays, the change counts as of now
  const state = Array.from(
    { length: pages },
    (): NutchPage => ({
      fetchTime: start + nutch.defaultInterval,
      interval: nutch.defaultInterval,
      modifiedTime: start,
      signed: true,
    }),
  );
  return {
    choose: (time) => Array.from(state.keys()).filter((i) => shouldFetch(state[i], time)),
    observe: (i, time, _elapsed, changed) => {
      setFetchSchedule(state[i], time, changed);
      if (state[i].interval > nutch.maxInterval) forceRefetch(state[i]);
    },
  };
}

/** A fetch planned further ahead than 90 days is made at once. */
function shouldFetch(page: NutchPage, time: number): boolean {
  if (page.fetchTime - time > nutch.maxInterval) {
    if (page.interval > nutch.maxInterval) page.interval = 0.9 * nutch.maxInterval;
    page.fetchTime = time;
  }
  return page.fetchTime <= time;
}

function setFetchSchedule(page: NutchPage, time: number, changed: boolean): void {
  const { increase, decrease, minInterval, maxInterval, syncRate } = nutch.adaptive;
  let interval = page.interval;
  let modified = page.modifiedTime > 0 ? page.modifiedTime : time;
  if (page.signed) {
    interval *= changed ? 1 - decrease : 1 + increase;
    if (changed) modified = time;
  }
  const delta = time - modified;
  interval = Math.max(interval, delta);
  // the guard's quotient of two whole numbers, offset / delta, is 0
  const offset = syncRate * delta > maxInterval ? 0 : syncRate * delta;
  page.interval = Math.min(maxInterval, Math.max(minInterval, interval));
  page.fetchTime = time - offset + page.interval;
  page.modifiedTime = modified;
  page.signed = true;
}

/** The fetch planned stays; the page is then new again. */
function forceRefetch(page: NutchPage): void {
  page.interval = 0.9 * nutch.maxInterval;
  page.modifiedTime = 0;
  page.signed = false;
}

/** StormCrawler's AdaptiveScheduler with its defaults: a day, +50%, −50% towards an hour, at most two weeks. */
export function stormCrawlerAdaptive(pages: number, start: number): Policy {
  const rule = stormCrawlerRule(stormCrawlerDefaults);
  const state = Array.from({ length: pages }, () => ({ interval: rule.firstInterval, modified: start }));
  const due = new Float64Array(pages).fill(start + rule.firstInterval);
  return {
    choose: (time) => Array.from(due.keys()).filter((i) => due[i] <= time),
    observe: (i, time, _elapsed, changed) => {
      due[i] = rule.due(state[i], time, changed);
    },
  };
}
