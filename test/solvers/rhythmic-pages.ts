/** Pages whose changes keep hours, drawn by thinning: no clock of the solvers is used. */
import { CheckLog } from '../../src/solvers/estimation/index.ts';
import type { Random } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../src/solvers/numerics/random/random-variates.ts';

export const day = 86_400;
/** Monday, 2023-11-13 00:00 UTC. */
export const monday = 1_699_833_600;

/** Change rate over the mean by time, in UTC. */
export type Course = (time: number) => number;

/** Smooth over the day, most at `peak` o'clock, at `depth` from the mean in ln. */
export function dailyWave(peak: number, depth: number): Course {
  const raw = (time: number): number => Math.exp(depth * Math.cos((2 * Math.PI * (time / 3600 - peak)) / 24));
  let mean = 0;
  for (let k = 0; k < 1440; k++) mean += raw(60 * k + 30) / 1440;
  return (time) => raw(time) / mean;
}

/** Five times as often from 9 to 17 o'clock on weekdays as at other times. */
export const officeHours: Course = (time) => {
  const hours = ((((time - monday) % (7 * day)) + 7 * day) % (7 * day)) / 3600;
  const open = hours < 120 && hours % 24 >= 9 && hours % 24 < 17;
  return (open ? 5 : 1) / ((40 * 5 + 128) / 168);
};

export const flat: Course = () => 1;

/** Changes at `rate` times the course, which is never above `most`. */
export function changesIn(
  course: Course,
  rate: number,
  [from, to]: readonly [number, number],
  random: Random,
): number[] {
  const most = 4;
  const times: number[] = [];
  for (let t = from; ; ) {
    t += standardExponential(random) / (rate * most);
    if (t >= to) return times;
    if (random() * most < course(t)) times.push(t);
  }
}

/**
 * Expected stale time from `from` to `to` of copies fetched at these times (rising, the first at or before `from`), by
 * sums over steps of ten minutes: nothing of the solvers.
 */
export function expectedStaleTime(
  course: Course,
  rate: number,
  fetches: readonly number[],
  [from, to]: readonly [number, number],
): number {
  const step = 600;
  let next = 0;
  let changes = 0;
  let stale = 0;
  for (let t = fetches[0]; t < to; t += step) {
    while (next < fetches.length && fetches[next] <= t) {
      next++;
      changes = 0;
    }
    changes += 0.5 * step * rate * course(t + 0.5 * step);
    if (t >= from) stale -= step * Math.expm1(-changes);
    changes += 0.5 * step * rate * course(t + 0.5 * step);
  }
  return stale;
}

/** A log of pages with these changes, each checked at uneven gaps of `gap` in the mean. */
export function watch(
  changes: readonly (readonly number[])[],
  [from, to]: readonly [number, number],
  gap: number,
  random: Random,
): CheckLog {
  const log = new CheckLog(new Float64Array(changes.length).fill(from));
  for (const [i, own] of changes.entries()) {
    let at = 0;
    for (let t = from + gap * random(); t < to; t += gap * (0.2 + 1.6 * random())) {
      const before = at;
      while (at < own.length && own[at] <= t) at++;
      log.record(i, t, at > before);
    }
  }
  return log;
}
