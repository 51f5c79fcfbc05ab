/** The mean wait of entries, and how far it could be off because the feeds are these and not others. */
import type { Random } from '../../../src/solvers/numerics/random/random.ts';

const resamples = 1000;
const sumOf = (list: ArrayLike<number>): number => {
  let sum = 0;
  for (let k = 0; k < list.length; k++) sum += list[k];
  return sum;
};

/** Over all entries, those of all feeds alike. */
export function meanWait(waits: readonly ArrayLike<number>[]): number {
  const count = waits.reduce((sum, own) => sum + own.length, 0);
  return waits.reduce((sum, own) => sum + sumOf(own), 0) / count;
}

/**
 * Standard error of the mean wait, or of its difference to another of the same entries. Method: a bootstrap over feeds
 * (Efron & Tibshirani 1993, chapter 8).
 */
export function waitError(
  waits: readonly ArrayLike<number>[],
  other: readonly ArrayLike<number>[] | null,
  random: Random,
): number {
  const sums = waits.map((own, i) => sumOf(own) - (other === null ? 0 : sumOf(other[i])));
  let mean = 0;
  let square = 0;
  for (let b = 1; b <= resamples; b++) {
    let sum = 0;
    let count = 0;
    for (let k = 0; k < sums.length; k++) {
      const i = Math.floor(random() * sums.length);
      sum += sums[i];
      count += waits[i].length;
    }
    const delta = sum / count - mean;
    mean += delta / b;
    square += delta * (sum / count - mean);
  }
  return Math.sqrt(square / (resamples - 1));
}
