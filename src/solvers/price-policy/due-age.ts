/**
 * When a page is worth a fetch at a price: the age of its copy at which its index reaches the price. A worker needs
 * only the price and the rate of the page, or its belief about the rate.
 *
 * The index is w·V(a) of the objective (pages/objectives). Under a belief V is averaged over the memories in closed
 * form. For `harmonic` there is no closed form: E[λa/(1 + λa)] = ∫₀^∞ e^(−t)(1 − (1 + at/b)^(−s)) dt under Gamma(s, b)
 * is integrated by the trapezoidal rule in u with t = exp(u − e^(−u)) (H. Takahasi, M. Mori 1974): nothing cancels.
 */
import { memories, WorthSearch } from '../pages/evidence/index.ts';
import { type BelievedCost, delay, freshness, type ObjectiveName, stalenessCost } from '../pages/objectives/index.ts';
import { memoryShares, type PageBelief } from './belief.ts';

/** By objective: V averaged over a Gamma law of the rate. */
const meanWorth: Readonly<Record<ObjectiveName, Pick<BelievedCost, 'worth' | 'addDerivatives'>>> = {
  freshness: freshness.beliefCost,
  delay: delay.beliefCost,
  harmonic: { worth: harmonicWorth, addDerivatives: addHarmonicDerivatives },
};

/** A known rate, or the belief about it. */
type RateOrBelief = number | PageBelief;

/**
 * The age of the copy at which a fetch of the page is worth the price; Infinity where it never is, 0 at a price of 0.
 *
 * @param rate changes per unit of time, above 0, or the belief about it
 * @param weight what a stale copy costs per unit of time, above 0
 * @param price of a fetch, in weight × time, at least 0
 */
export function dueAge(
  rate: RateOrBelief,
  weight: number,
  price: number,
  objective: ObjectiveName = 'freshness',
): number {
  if (typeof rate === 'number') return stalenessCost(objective).intervalAt(rate, weight, price);
  const target = price / weight;
  if (!(target > 0)) return 0;
  if (!(worthByAge(rate, objective)(Number.POSITIVE_INFINITY) > target)) return Number.POSITIVE_INFINITY;
  const { shape, scale } = rate;
  const share = memoryShares(rate);
  const { addDerivatives } = meanWorth[objective];
  const search = new WorthSearch(1, (_, age, sums) => {
    for (let k = 0; k < memories; k++) if (share[k] > 0) addDerivatives(shape[k], scale[k], age, share[k], sums);
  });
  search.evaluate(0, scale[0] / shape[0]);
  return search.ageAt(0, target);
}

/**
 * The worth of a fetch at an age, in weight × time: the price at which it is due. A new crawl starts at the price of a
 * new page at the desired mean interval.
 */
export function worthOfFetch(
  rate: RateOrBelief,
  weight: number,
  age: number,
  objective: ObjectiveName = 'freshness',
): number {
  if (typeof rate === 'number') return stalenessCost(objective).worth(rate, weight, age);
  return weight * worthByAge(rate, objective)(age);
}

/** V as a function of the age, averaged over a belief. */
function worthByAge(belief: PageBelief, objective: ObjectiveName): (age: number) => number {
  const { shape, scale } = belief;
  const share = memoryShares(belief);
  const { worth } = meanWorth[objective];
  return (age) => {
    let sum = 0;
    for (let k = 0; k < memories; k++) if (share[k] > 0) sum += share[k] * worth(shape[k], scale[k], age);
    return sum;
  };
}

/** Step of the trapezoidal rule, in u. */
const step = 1 / 8;

/** x·E[λx/(1 + λx)], λ ~ Gamma(shape, scale). */
function harmonicWorth(shape: number, scale: number, age: number): number {
  if (age === Number.POSITIVE_INFINITY) return age;
  const sums = new Float64Array(3);
  addHarmonicDerivatives(shape, scale, age, 1, sums);
  return sums[0];
}

/** Adds `share` times the worth and its two derivatives by log age to `sums`, as {@link WorthSearch} takes them. */
function addHarmonicDerivatives(shape: number, scale: number, age: number, share: number, sums: Float64Array): void {
  for (let u = -4.5; u <= 4.5; u += step) {
    const t = Math.exp(u - Math.exp(-u));
    const weight = share * age * step * Math.exp(-t) * t * (1 + Math.exp(-u));
    const z = (age / scale) * t;
    const mean = -Math.expm1(-shape * Math.log1p(z));
    const slope = ((1 - mean) * shape * z) / (1 + z);
    sums[0] += weight * mean;
    sums[1] += weight * (mean + slope);
    sums[2] += weight * (mean + slope * (3 - ((shape + 1) * z) / (1 + z)));
  }
}
