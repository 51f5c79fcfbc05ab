/**
 * What pages' checks say of their rates where only sums of them are left, as `tables rates` writes them.
 *
 * Of a page are known its checks and changes X, the times T watched and S unchanged, and its likeliest rate. The
 * likelihood is e^(−λS)·Π(1 − e^(−λτ)) over the changed checks. Their X times τ are taken as half (1 − d) and half (1 +
 * d) times their mean (T − S)/X, where d puts the maximum at the likeliest rate. So both tails are exact.
 */

/** Columns, a row each for pages that are alike: sums of one page, in the mean. */
export interface SummarisedChecks {
  /** Likeliest, with half an unchanged check of the mean spacing added; half a change where none was seen. */
  readonly rate: Float64Array;
  readonly checks: Float64Array;
  readonly changes: Float64Array;
  readonly watched: Float64Array;
  readonly unchanged: Float64Array;
}

/** A page that never changes lies e⁻⁹ below the least rate; one that changed at all checks e^3.5 above the largest. */
const beyond = { below: 9, above: 3.5 };
const step = 0.3;
const mostPoints = 120;

/** Likelihoods on an even grid of ln λ, row-major, each row's maximum scaled to 1. O(rows × grid). */
export function likelihoodsOfSums(rows: SummarisedChecks): { thetas: Float64Array; values: Float64Array } {
  const logs = rows.rate.map(Math.log);
  const low = logs.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY) - beyond.below;
  const high = logs.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY) + beyond.above;
  const size = Math.min(mostPoints, Math.ceil((high - low) / step) + 1);
  const thetas = Float64Array.from({ length: size }, (_, g) => low + ((high - low) * g) / (size - 1));
  const values = new Float64Array(logs.length * size);
  for (let row = 0; row < logs.length; row++) {
    const own = values.subarray(row * size, (row + 1) * size);
    const likelihood = logLikelihood(rows, row);
    for (let g = 0; g < size; g++) own[g] = likelihood(Math.exp(thetas[g]));
    const peak = own.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY);
    for (let g = 0; g < size; g++) own[g] = Math.exp(own[g] - peak);
  }
  return { thetas, values };
}

/** ln L at a rate. */
function logLikelihood(rows: SummarisedChecks, row: number): (rate: number) => number {
  const [changes, unchanged] = [rows.changes[row], rows.unchanged[row]];
  if (!(changes > 0)) return (rate) => -rate * unchanged;
  const mean = (rows.watched[row] - unchanged) / changes;
  const near = rows.rate[row] * mean;
  // what Σ x/(e^x − 1) over the changed checks comes to where the likelihood is greatest
  const greatest = (rows.rate[row] * (unchanged + rows.watched[row] / rows.checks[row] / 2)) / changes;
  let [from, to] = [0, 1];
  for (let halving = 0; halving < 30; halving++) {
    const d = (from + to) / 2;
    if ((slope(near * (1 - d)) + slope(near * (1 + d))) / 2 < greatest) from = d;
    else to = d;
  }
  const [short, long] = [mean * (1 - from), mean * (1 + from)];
  const seen = (rate: number, elapsed: number): number => Math.log(-Math.expm1(-rate * elapsed));
  return (rate) => (changes / 2) * (seen(rate, short) + seen(rate, long)) - rate * unchanged;
}

/** x/(e^x − 1). */
const slope = (x: number): number => (x < 1e-9 ? 1 : x / Math.expm1(x));
