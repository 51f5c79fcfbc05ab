/**
 * A fitted course as it is told: by hour of the week, and its means over the hours of a day and the days with their
 * intervals.
 */
import { normal95 } from '../../numerics/special/normal-quantile.ts';
import type { RhythmFit } from './fit-rhythm.ts';
import { RhythmClock, utc } from './rhythm-clock.ts';
import { courseOf, hoursInDay, hoursInWeek, wave, waves } from './week.ts';

/** Change rates in the parts of a day or week over the mean rate, with 95% intervals. */
export interface CourseMeans {
  readonly rate: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface DescribedCourse {
  /** By hour of the week, from Monday 00:00: over the mean. */
  readonly course: Float64Array;
  /** By hour of the day, and by day from Monday. */
  readonly hours: CourseMeans;
  readonly days: CourseMeans;
  /** By hour of the day: how urgent the fetch of a slowly changing page is, over that of a page without a rhythm. */
  readonly urgency: Float64Array;
}

export function describeCourse(fit: RhythmFit): DescribedCourse {
  const course = courseOf(fit.theta);
  const urgency = new Float64Array(hoursInDay);
  for (const [h, each] of new RhythmClock(course, utc).urgencyByHour.entries()) {
    urgency[h % hoursInDay] += (each * hoursInDay) / hoursInWeek;
  }
  return {
    course,
    hours: meansOver(fit, course, hoursInDay, (h) => h % hoursInDay),
    days: meansOver(fit, course, hoursInWeek / hoursInDay, (h) => Math.floor(h / hoursInDay)),
    urgency,
  };
}

/** Means of the course over so many parts; their logarithms are normal to first order in θ. */
function meansOver(
  { covariance }: RhythmFit,
  course: Float64Array,
  parts: number,
  partOf: (hour: number) => number,
): CourseMeans {
  const rate = new Float64Array(parts);
  const slope = new Float64Array(parts * waves);
  const mean = new Float64Array(waves);
  const share = parts / hoursInWeek;
  for (let h = 0; h < hoursInWeek; h++) {
    rate[partOf(h)] += share * course[h];
    for (let j = 0; j < waves; j++) {
      slope[partOf(h) * waves + j] += share * course[h] * wave[j * hoursInWeek + h];
      mean[j] += (course[h] * wave[j * hoursInWeek + h]) / hoursInWeek;
    }
  }
  const spread = rate.map((value, part) => {
    const d = mean.map((each, j) => slope[part * waves + j] / value - each);
    let variance = 0;
    for (let j = 0; j < waves; j++) for (let l = 0; l < waves; l++) variance += d[j] * covariance[j * waves + l] * d[l];
    return Math.exp(normal95 * Math.sqrt(variance));
  });
  return { rate, low: rate.map((value, k) => value / spread[k]), high: rate.map((value, k) => value * spread[k]) };
}
