/** When a page is fetched: the rule gives the first fetch and, after each, the next one. */
import type { Random } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';
import type { NutchPage } from './nutch.ts';

export interface FetchRule {
  /** The copy's last fetch before 0; NaN for a page never fetched. */
  readonly lastFetch: number;
  /** The first fetch from 0 on; Infinity if there is none. */
  readonly first: number;
  /** The fetch after the one at `time`, which found the page changed or not. */
  next(time: number, changed: boolean): number;
}

const never: FetchRule = {
  lastFetch: Number.NaN,
  first: Number.POSITIVE_INFINITY,
  next: () => Number.POSITIVE_INFINITY,
};

/** Evenly spaced fetches at a rate, in their steady state: the phase is drawn. */
export function evenRule(rate: number, random: Random): FetchRule {
  if (rate === 0) return never;
  const gap = 1 / rate;
  const first = random() * gap;
  let turn = 0;
  return { lastFetch: first - gap, first, next: () => first + ++turn * gap };
}

/** Fetches at random moments at a rate, in their steady state. */
export function randomRule(rate: number, random: Random): FetchRule {
  if (rate === 0) return never;
  const gap = (): number => standardExponential(random) / rate;
  return { lastFetch: -gap(), first: gap(), next: (time) => time + gap() };
}

/**
 * Fetches at listed times, increasing from 0 on.
 *
 * @param times all pages' times, page after page; this page's are those in [from, to)
 */
export function listedRule(times: Float64Array, from: number, to: number, lastFetch: number): FetchRule {
  let position = from;
  const next = (): number => (position < to ? times[position++] : Number.POSITIVE_INFINITY);
  return { lastFetch, first: next(), next };
}

/** What an adaptive rule keeps of a page; StormCrawler's the interval alone. */
export type AdaptiveState = NutchPage;

/** A rule by which a crawler adapts each page's fetch interval to what its fetches see. */
export interface AdaptiveRule {
  readonly firstInterval: number;
  /** Updates the state after a fetch and says when the next one is due. */
  due(state: AdaptiveState, time: number, changed: boolean): number;
}

/** Fetches as an adaptive rule sets them; pages start spread evenly over their first interval. */
export function adaptiveFetches(rule: AdaptiveRule, random: Random): FetchRule {
  const first = random() * rule.firstInterval;
  const lastFetch = first - rule.firstInterval;
  const state: AdaptiveState = { interval: rule.firstInterval, modified: lastFetch, fetchTime: first, signed: true };
  return { lastFetch, first, next: (time, changed) => rule.due(state, time, changed) };
}
