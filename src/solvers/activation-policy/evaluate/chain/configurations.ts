/**
 * How many active crawlers are in each of the W phases: the vectors x with fewest ≤ Σx_w ≤ most, in the order of their
 * sums. There are C(most + W, W) of them from 0 up.
 */

export interface Configurations {
  readonly phases: number;
  /** x, one after the other: W numbers each. */
  readonly counts: Int32Array;
  /** Σx_w of each. */
  readonly totals: Int32Array;
  /** The number of x + e_w at number·W + w; −1 where it is none of these. */
  readonly plus: Int32Array;
  /** The number of x − e_w, as `plus`. */
  readonly minus: Int32Array;
}

/** How many vectors there are from 0 up: C(most + W, W). */
export function configurationCount(most: number, phases: number): number {
  let count = 1;
  for (let w = 1; w <= phases; w++) count = (count * (most + w)) / w;
  return Math.round(count);
}

export function configurations(fewest: number, most: number, phases: number): Configurations {
  const all: number[][] = [];
  for (let total = fewest; total <= most; total++) addVectors(all, total, phases, []);
  const number = new Map(all.map((vector, i) => [vector.join(), i]));
  const moved = (step: number): Int32Array =>
    Int32Array.from({ length: all.length * phases }, (_, at) => {
      const vector = all[Math.floor(at / phases)];
      const w = at % phases;
      return number.get(vector.with(w, vector[w] + step).join()) ?? -1;
    });
  return {
    phases,
    counts: Int32Array.from(all.flat()),
    totals: Int32Array.from(all, (vector) => vector.reduce((sum, count) => sum + count, 0)),
    plus: moved(1),
    minus: moved(-1),
  };
}

function addVectors(all: number[][], left: number, phases: number, begun: readonly number[]): void {
  if (begun.length === phases - 1) {
    all.push([...begun, left]);
    return;
  }
  for (let count = left; count >= 0; count--) addVectors(all, left - count, phases, [...begun, count]);
}
