/** The least cost of all orders by value iteration over the ages of all pages, with nothing shared with the solver. */
import type { NaivePage } from './naive-cost.ts';

/**
 * Both bounds of Odoni on the least mean cost of a step, where a page older than `oldest` steps counts as that old. So
 * an access after a longer gap gains too little: an order without such gaps costs as much, any other seems dearer.
 */
export function leastCost(pages: readonly NaivePage[], mean: number, oldest: number): [number, number] {
  const whole = pages.reduce((sum, { weight }) => sum + weight, 0);
  const gain = pages.map(({ rate, weight, transform }) =>
    Float64Array.from({ length: oldest }, (_, age) => (weight * (1 - transform ** (age + 1))) / (mean * rate)),
  );
  const states = oldest ** pages.length;
  const place = pages.map((_, i) => oldest ** i);
  const nextOf = new Int32Array(states * pages.length);
  const gainOf = new Float64Array(states * pages.length);
  for (let state = 0; state < states; state++) {
    const ages = place.map((unit) => Math.floor(state / unit) % oldest);
    const older = ages.reduce((sum, age, i) => sum + Math.min(age + 1, oldest - 1) * place[i], 0);
    ages.forEach((age, i) => {
      nextOf[state * pages.length + i] = older - Math.min(age + 1, oldest - 1) * place[i];
      gainOf[state * pages.length + i] = gain[i][age];
    });
  }
  let values = new Float64Array(states);
  for (;;) {
    const next = new Float64Array(states);
    let [least, most] = [Infinity, -Infinity];
    for (let state = 0; state < states; state++) {
      let best = -Infinity;
      for (let k = state * pages.length; k < (state + 1) * pages.length; k++) {
        best = Math.max(best, gainOf[k] + values[nextOf[k]]);
      }
      const rise = best - values[state];
      least = Math.min(least, rise);
      most = Math.max(most, rise);
      // staying with one half takes the period out of cycles
      next[state] = values[state] + rise / 2;
    }
    if (most - least < 1e-7 * (whole - most)) return [whole - most, whole - least];
    values = next;
  }
}
