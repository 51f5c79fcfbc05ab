/**
 * StormCrawler's AdaptiveScheduler with its default configuration, written anew from what it does; seconds.
 */
import { day } from '../../src/solvers/day.ts';

const minute = 60;
const minInterval = 60 * minute;
const maxInterval = 20_160 * minute;

export const firstInterval = day;

/** The next interval: 1.5 times as long without a change, half way to the shortest after one; whole minutes. */
export function nextInterval(interval: number, changed: boolean): number {
  const next = changed ? interval - 0.5 * (interval - minInterval) : Math.min(1.5 * interval, maxInterval);
  return Math.max(minute * Math.trunc(next / minute), minInterval);
}
