/** What crawlers ship: each page on its own interval, shortened after a change and lengthened without one. */
import {
  type NutchPage,
  nutchDefaults,
  nutchFetched,
  nutchFetches,
  stormCrawlerDefaults,
  stormCrawlerRule,
} from '../../src/solvers/page-simulation/index.ts';
import type { Policy } from './replay.ts';

/**
 * Apache Nutch with the settings of nutch-default.xml, by the rule that the simulator has; the grid's visits are its
 * runs.
 */
export function nutchAdaptive(pages: number, start: number): Policy {
  const { defaultInterval: interval } = nutchDefaults;
  // the first fetch of a page has nothing to be compared with: the interval stays, the change counts as of now
  const state = Array.from(
    { length: pages },
    (): NutchPage => ({ fetchTime: start + interval, interval, modified: start, signed: true }),
  );
  return {
    choose: (time) => Array.from(state.keys()).filter((i) => nutchFetches(state[i], time, nutchDefaults)),
    observe: (i, time, _elapsed, changed) => nutchFetched(state[i], time, changed, nutchDefaults),
  };
}

/** StormCrawler's AdaptiveScheduler with its defaults: a day, +50%, −50% towards an hour, at most two weeks. */
export function stormCrawlerAdaptive(pages: number, start: number): Policy {
  const rule = stormCrawlerRule(stormCrawlerDefaults);
  const state = Array.from({ length: pages }, () => ({
    interval: rule.firstInterval,
    modified: start,
    fetchTime: start + rule.firstInterval,
    signed: true,
  }));
  const due = new Float64Array(pages).fill(start + rule.firstInterval);
  return {
    choose: (time) => Array.from(due.keys()).filter((i) => due[i] <= time),
    observe: (i, time, _elapsed, changed) => {
      due[i] = rule.due(state[i], time, changed);
    },
  };
}
