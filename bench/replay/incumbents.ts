/** Adaptive schedules of existing crawlers: each page has an interval, shorter after a change and longer without one. */
import { isNutchDue, type NutchPage, nutchDefaults, recordNutchFetch } from './nutch.ts';
import type { Policy } from './replay.ts';
import { firstInterval, nextInterval } from './storm-crawler.ts';

/** Apache Nutch with the settings of nutch-default.xml; the grid's visits are the runs of its generator. */
export function nutchAdaptive(pages: number, start: number): Policy {
  const { defaultInterval: interval } = nutchDefaults;
  // the first fetch of a page has nothing to be compared with: the interval stays, the change counts as of now
  const state = Array.from(
    { length: pages },
    (): NutchPage => ({ fetchTime: start + interval, interval, modified: start, hasSignature: true }),
  );
  return {
    choose: (time) => Array.from(state.keys()).filter((i) => isNutchDue(state[i], time, nutchDefaults)),
    observe: (i, time, _elapsed, changed) => recordNutchFetch(state[i], time, changed, nutchDefaults),
  };
}

/** StormCrawler's AdaptiveScheduler with its defaults. */
export function stormCrawlerAdaptive(pages: number, start: number): Policy {
  const interval = new Float64Array(pages).fill(firstInterval);
  const due = new Float64Array(pages).fill(start + firstInterval);
  return {
    choose: (time) => Array.from(due.keys()).filter((i) => due[i] <= time),
    observe: (i, time, _elapsed, changed) => {
      interval[i] = nextInterval(interval[i], changed);
      due[i] = time + interval[i];
    },
  };
}
