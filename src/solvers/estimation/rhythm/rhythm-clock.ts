/**
 * A clock that runs as pages change: fast in the hours of a week in which they change much, and slow in the others.
 *
 * With r(t) the course of change rates over the week by a clock on a wall (mean 1), Λ(t) = ∫ r is the clock's time: a
 * page that changes at rate λ·r(t) changes at the steady rate λ by it. Where clocks on walls are put forward or back, Λ
 * goes on with the time that really passes.
 * Complexity: O(log changes of the clock) a reading; a week's hours to look ahead.
 */
import { hour, hoursInWeek, placeInWeek, week } from './week.ts';

/** By how much the clock on the wall is ahead of UTC: `offset[k]` seconds from `from[k]` on; from[0] is −Infinity. */
export interface WallClock {
  readonly from: Float64Array;
  readonly offset: Float64Array;
}

/** The clock that is always on UTC. */
export const utc: WallClock = { from: Float64Array.of(Number.NEGATIVE_INFINITY), offset: Float64Array.of(0) };

/** Hours to look ahead for the best time: each in the first day, then more and more apart, up to a week. */
const ahead = [...Array.from({ length: 24 }, (_, k) => k + 1), 27, 30, 36, 42, 48, 60, 72, 96, 120, 144, 168];
/** Λ is found backwards to this, in seconds. */
const tolerance = 1;

/** The position of the wall clock's setting at a time. */
export function settingAt({ from }: WallClock, time: number): number {
  let low = 0;
  let high = from.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (from[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

export class RhythmClock {
  /** r by hour of the week. */
  readonly course: Float64Array;
  /**
   * By hour of the week: how urgent the fetch of a slowly changing page is then, over that of a page without a rhythm.
   */
  readonly urgencyByHour: Float64Array;
  /** The least of the course. */
  readonly slowest: number;
  readonly #wall: WallClock;
  /** ∫ r in hours up to each hour of the week. */
  readonly #upTo: Float64Array;
  /** By setting of the wall clock: what is added to the time of a clock that had always been set so. */
  readonly #base: Float64Array;
  /** By hour of the week and step ahead: Λ and ∫Λ from there, in seconds and seconds squared; row-major. */
  readonly #run: Float64Array;
  readonly #area: Float64Array;

  /** @param course positive, of mean 1, by hour of the week */
  constructor(course: Float64Array, wall: WallClock) {
    this.course = course;
    this.#wall = wall;
    this.#upTo = new Float64Array(hoursInWeek + 1);
    for (let h = 0; h < hoursInWeek; h++) this.#upTo[h + 1] = this.#upTo[h] + course[h];
    this.#base = new Float64Array(wall.from.length);
    for (let k = 1; k < this.#base.length; k++) {
      const { from, offset } = wall;
      this.#base[k] = this.#base[k - 1] + this.#always(from[k] + offset[k - 1]) - this.#always(from[k] + offset[k]);
    }
    this.#run = new Float64Array(hoursInWeek * ahead.length);
    this.#area = new Float64Array(hoursInWeek * ahead.length);
    for (let h = 0; h < hoursInWeek; h++) this.#lookAhead(h);
    this.urgencyByHour = course.map((_, h) => this.urgency(h, 1, 0));
    this.slowest = course.reduce((least, rate) => Math.min(least, rate));
  }

  #lookAhead(from: number): void {
    let run = 0;
    let area = 0;
    let hours = 0;
    for (const [j, until] of ahead.entries()) {
      for (; hours < until; hours++) {
        const rate = this.course[(from + hours) % hoursInWeek];
        area += hour * hour * (run + 0.5 * rate);
        run += rate;
      }
      this.#run[from * ahead.length + j] = hour * run;
      this.#area[from * ahead.length + j] = area;
    }
  }

  /** Λ by a wall clock that shows this, had it always been set as now. */
  #always(wall: number): number {
    const [weeks, hours] = placeInWeek(wall);
    const h = Math.floor(hours);
    return weeks * week + hour * (this.#upTo[h] + (hours - h) * this.course[h]);
  }

  /** Λ at a time (Unix seconds). */
  at(time: number): number {
    const setting = settingAt(this.#wall, time);
    return this.#base[setting] + this.#always(time + this.#wall.offset[setting]);
  }

  /** The time at which Λ has gone on by so much since a time. */
  after(time: number, gap: number): number {
    const target = this.at(time) + gap;
    // over whole weeks Λ is the time; a course is off it by less than one
    let low = Math.max(time, time + gap - week);
    let high = time + gap + week;
    while (high - low > tolerance) {
      const middle = 0.5 * (low + high);
      if (this.at(middle) < target) low = middle;
      else high = middle;
    }
    return high;
  }

  /**
   * How urgent a fetch is at an hour of the week, the chance of a stale copy being `now` and growing by `growth` a
   * second of Λ: the least, over the times t' ahead, of the stale time until then over Λ until then. Waiting from t to
   * t' costs ∫(1 − p)dx and is worth q·(Λ(t') − Λ(t)), for the copy fetched at t' lacks what changed before it; q is
   * the chance at which a steady page is fetched at the same price. So a fetch is due when its urgency reaches q; at a
   * steady rate the urgency is the chance itself. Derived from ∂cost/∂t = 0 of the fetch times, the cycle after t taken
   * to be the mean one.
   */
  urgency(from: number, now: number, growth: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0, at = from * ahead.length; j < ahead.length; j++, at++) {
      const ratio = (now * hour * ahead[j] + growth * this.#area[at]) / this.#run[at];
      if (ratio < least) least = ratio;
    }
    return least;
  }

  /** The hour of the week that the clock on the wall shows. */
  hourAt(time: number): number {
    const [, hours] = placeInWeek(time + this.#wall.offset[settingAt(this.#wall, time)]);
    return Math.floor(hours);
  }
}
