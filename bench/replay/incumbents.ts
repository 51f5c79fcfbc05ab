/** What crawlers ship: each page on its own interval, shortened after a change and lengthened without one. */
import { day, type Policy } from './replay.ts';

const minute = 60;
const year = 365 * day;

function intervalPolicy(
  pages: number,
  start: number,
  first: number,
  next: (page: number, interval: number, time: number, changed: boolean) => { interval: number; due: number },
): Policy {
  const interval = new Float64Array(pages).fill(first);
  const due = new Float64Array(pages).fill(start + first);
  return {
    choose: (time) => Array.from(due.keys()).filter((i) => due[i] <= time),
    observe: (page, time, _elapsed, changed) => {
      const after = next(page, interval[page], time, changed);
      interval[page] = after.interval;
      due[page] = after.due;
    },
  };
}

/** Apache Nutch's AdaptiveFetchSchedule with the settings of nutch-default.xml: 30 days, +40%, −20%, synchronised at 0.3. */
export function nutchAdaptive(pages: number, start: number): Policy {
  const modified = new Float64Array(pages).fill(start);
  return intervalPolicy(pages, start, 30 * day, (page, before, time, changed) => {
    let interval = before * (changed ? 0.8 : 1.4);
    if (changed) modified[page] = time;
    const delta = time - modified[page];
    if (delta > interval) interval = delta;
    interval = Math.min(year, Math.max(minute, interval));
    return { interval, due: time - 0.3 * delta + interval };
  });
}

/** StormCrawler's AdaptiveScheduler with its defaults: a day, +50%, −50% towards an hour, at most two weeks. */
export function stormCrawlerAdaptive(pages: number, start: number): Policy {
  return intervalPolicy(pages, start, day, (_page, before, time, changed) => {
    const interval = changed ? 0.5 * before + 0.5 * 60 * minute : Math.min(1.5 * before, 20_160 * minute);
    return { interval, due: time + interval };
  });
}
