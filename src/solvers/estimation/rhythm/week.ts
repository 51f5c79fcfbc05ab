/**
 * The hours of a week by the clock on a wall, from Monday 00:00 on, and a smooth course over them.
 *
 * A course is ln r = Σ θ_j φ_j: waves of the day (24 hours over 1 to 4) and of the week (168 hours over 1 to 3),
 * constant within an hour. The waves of the day make one course for all days, those of the week raise whole days.
 */

const second = 1;
export const hour = 3600 * second;
export const hoursInWeek = 168;
export const hoursInDay = 24;
export const week = hoursInWeek * hour;
/** 1970-01-05 00:00 was the first Monday of Unix time. */
const firstMonday = 4 * hoursInDay * hour;

const wavesOfDay = 4;
const wavesOfWeek = 3;
/** How many θ there are; those of the day come first. */
export const waves = 2 * (wavesOfDay + wavesOfWeek);
export const dailyWaves = 2 * wavesOfDay;

/** By wave: how often it rises and falls in its day or week, from 1. */
export const order: Uint8Array = Uint8Array.from({ length: waves }, (_, j) =>
  j < dailyWaves ? 1 + (j >> 1) : 1 + ((j - dailyWaves) >> 1),
);

/** φ, row-major, waves × 168: cosines and sines at the middles of the hours. */
export const wave: Float64Array = Float64Array.from({ length: waves * hoursInWeek }, (_, at) => {
  const j = Math.floor(at / hoursInWeek);
  const middle = (at % hoursInWeek) + 0.5;
  const angle = (2 * Math.PI * order[j] * middle) / (j < dailyWaves ? hoursInDay : hoursInWeek);
  return j % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
});

/** Where a time by the clock on the wall (seconds) lies: whole weeks, and hours into the week. */
export function placeInWeek(wall: number): [weeks: number, hours: number] {
  const since = wall - firstMonday;
  const weeks = Math.floor(since / week);
  return [weeks, Math.min((since - weeks * week) / hour, hoursInWeek - 1e-9)];
}

/** r by hour of the week, of mean 1. */
export function courseOf(theta: Float64Array): Float64Array {
  const course = new Float64Array(hoursInWeek);
  for (let j = 0; j < waves; j++) {
    for (let h = 0; h < hoursInWeek; h++) course[h] += theta[j] * wave[j * hoursInWeek + h];
  }
  let sum = 0;
  for (let h = 0; h < hoursInWeek; h++) {
    course[h] = Math.exp(course[h]);
    sum += course[h];
  }
  for (let h = 0; h < hoursInWeek; h++) course[h] *= hoursInWeek / sum;
  return course;
}
