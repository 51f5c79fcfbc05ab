/**
 * The rules by which two crawlers adapt a page's fetch interval; times in seconds.
 *
 * Source: Apache Nutch 1.x, AdaptiveFetchSchedule with the settings of nutch-default.xml; Apache StormCrawler,
 * AdaptiveScheduler with its default configuration. Both are written anew from what those rules do; fetches are taken to be
 * made when they are due.
 */
import type { AdaptiveRule } from './fetch-rule.ts';

const minute = 60;
const day = 86_400;

export interface NutchParameters {
  /** Fetch interval of a page not fetched yet. */
  readonly defaultInterval: number;
  readonly minInterval: number;
  readonly maxInterval: number;
  /** An unchanged page's interval grows by this share, a changed page's shrinks by that one. */
  readonly incRate: number;
  readonly decRate: number;
  /** Whether the next fetch moves back by `syncDeltaRate` of the time since the page was last seen changed. */
  readonly syncDelta: boolean;
  readonly syncDeltaRate: number;
}

export const nutchDefaults: NutchParameters = {
  defaultInterval: 30 * day,
  minInterval: minute,
  maxInterval: 365 * day,
  incRate: 0.4,
  decRate: 0.2,
  syncDelta: true,
  syncDeltaRate: 0.3,
};

export function nutchRule(parameters: NutchParameters): AdaptiveRule {
  const { defaultInterval, minInterval, maxInterval, incRate, decRate, syncDelta, syncDeltaRate } = parameters;
  return {
    firstInterval: defaultInterval,
    due(state, time, changed) {
      let interval = state.interval * (changed ? 1 - decRate : 1 + incRate);
      if (changed) state.modified = time;
      let reference = time;
      if (syncDelta) {
        const delta = time - state.modified;
        if (delta > interval) interval = delta;
        reference = time - delta * syncDeltaRate;
      }
      state.interval = Math.min(Math.max(interval, minInterval), maxInterval);
      // A page due at once would be fetched for ever at one moment: the next round comes a minute later at the earliest.
      return Math.max(reference + state.interval, time + Math.min(minute, minInterval));
    },
  };
}

export interface StormCrawlerParameters {
  readonly defaultInterval: number;
  readonly minInterval: number;
  readonly maxInterval: number;
  readonly incRate: number;
  readonly decRate: number;
}

export const stormCrawlerDefaults: StormCrawlerParameters = {
  defaultInterval: day,
  minInterval: 60 * minute,
  maxInterval: 20_160 * minute,
  incRate: 0.5,
  decRate: 0.5,
};

export function stormCrawlerRule(parameters: StormCrawlerParameters): AdaptiveRule {
  const { defaultInterval, minInterval, maxInterval, incRate, decRate } = parameters;
  return {
    firstInterval: defaultInterval,
    due(state, time, changed) {
      const interval = changed
        ? state.interval - decRate * (state.interval - minInterval)
        : Math.min(state.interval * (1 + incRate), maxInterval);
      // AdaptiveScheduler counts whole minutes, and cuts off what is beyond.
      state.interval = Math.max(minute * Math.trunc(interval / minute), minInterval);
      return time + state.interval;
    },
  };
}
