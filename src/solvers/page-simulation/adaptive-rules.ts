/**
 * The rules by which two crawlers adapt a page's fetch interval; times in seconds.
 *
 * Source: Apache Nutch 1.x as in nutch.ts. Apache StormCrawler: AdaptiveScheduler with its default configuration,
 * rewritten from its behaviour. Every fetch is made when it is due.
 */
import { day } from '../day.ts';
import type { AdaptiveRule } from './fetch-rule.ts';
import { type NutchParameters, nutchFetched, nutchFetches } from './nutch.ts';

const minute = 60;
/** A fetch due this share of a cycle after a run is due at it. */
const rounding = 1e-9;

/** Nutch's rule, pages being fetched at the runs of its generator. */
export function nutchRule(parameters: NutchParameters): AdaptiveRule {
  const { defaultInterval, cycle } = parameters;
  return {
    firstInterval: defaultInterval,
    due(state, time, changed) {
      nutchFetched(state, time, changed, parameters);
      // what the next run does not fetch as planned too far ahead, no later one does
      const next = (Math.floor(time / cycle + rounding) + 1) * cycle;
      if (nutchFetches(state, next, parameters)) return next;
      return Math.ceil(state.fetchTime / cycle - rounding) * cycle;
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
