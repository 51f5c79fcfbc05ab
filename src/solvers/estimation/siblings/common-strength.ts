/**
 * The likeliest strength and its interval, from the logarithm of a likelihood on a grid of strengths.
 *
 * Between the points of the grid it is the polynomial through the seven nearest: a long log tells the strength ten
 * times closer than the grid is fine, and a parabola through three would miss how skew the likelihood is over so far.
 * The interval is that of the likelihood ratio, at 95%. Source: Wilks 1938.
 */

const neighbours = 7;
/** Half the 95% quantile of χ² with one degree of freedom. */
const drop95 = 1.920729410347062;
/** Parts that the grid's range is looked at in. */
const fine = 2000;

/** The maximum, and where the likelihood has fallen by the drop on either side, within the grid. */
export interface CommonStrength {
  readonly strength: number;
  readonly interval: readonly [number, number];
}

/** @param logLikelihood at the strengths 0, step, 2·step, …; seven or more */
export function commonStrength(logLikelihood: Float64Array, step: number): CommonStrength {
  const points = logLikelihood.length;
  const values = Float64Array.from({ length: fine + 1 }, (_, k) =>
    interpolated(logLikelihood, (k / fine) * (points - 1)),
  );
  let best = 0;
  for (let k = 1; k <= fine; k++) if (values[k] > values[best]) best = k;
  let low = best;
  let high = best;
  while (low > 0 && values[low - 1] >= values[best] - drop95) low--;
  while (high < fine && values[high + 1] >= values[best] - drop95) high++;
  const strengthAt = (k: number): number => (k / fine) * (points - 1) * step;
  return { strength: strengthAt(best), interval: [strengthAt(low), strengthAt(high)] };
}

/** The polynomial through the nearest values (Lagrange), at a position on the grid. */
function interpolated(values: Float64Array, at: number): number {
  const first = Math.max(0, Math.min(values.length - neighbours, Math.round(at) - (neighbours >> 1)));
  let sum = 0;
  for (let k = first; k < first + neighbours; k++) {
    let weight = 1;
    for (let l = first; l < first + neighbours; l++) if (l !== k) weight *= (at - l) / (k - l);
    sum += weight * values[k];
  }
  return sum;
}
