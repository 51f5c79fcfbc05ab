/**
 * Between which values a log leaves the bursts of its pages: 95% intervals of their share of the time, their ratio and
 * their length.
 *
 * The unknowns are x = (logit β, ln(κ − 1), ln L) and, of the pages' mean rates λ, a gamma law's ln mean and ln shape:
 * a law of two unknowns that are estimated with the others, since a free one, learnt from the same checks, takes a part
 * of what bursts explain, and draws κ upwards. x has a normal prior about the middle of the kinds of bursts, the shape
 * one about what real pages show, both with a standard deviation of 1.5, which matters only where the log says next to
 * nothing (a ratio is bounded from below where every check of a burst sees a change). The posterior is taken to be
 * normal at its top.
 * Complexity: 31 filters of the history for each of at most sixteen steps, three to five as a rule. Source: Tierney &
 * Kadane 1986, section 2. Limits: a log of few pages, whose posterior is not normal (scripts/coverage.ts has 40).
 */
import type { Budget } from '../../budget.ts';
import { laplaceApproximation } from '../../numerics/search/laplace-approximation.ts';
import { normal95 } from '../../numerics/special/normal-quantile.ts';
import type { Bursts, BurstyRate } from './bursty-rate.ts';
import type { CheckHistory } from './check-history.ts';
import { priorShape } from './drifting-rate.ts';
import { filterHistories } from './filter-histories.ts';
import { gammaOnGrid } from './gamma-prior.ts';

export interface BurstIntervals {
  readonly busyShare: readonly [low: number, high: number];
  readonly ratio: readonly [low: number, high: number];
  readonly length: readonly [low: number, high: number];
}

/** Of the kinds, where the prior is; its length in the usual times between changes. */
const middleBursts: Bursts = { busyShare: 0.17, ratio: 20, length: 0.4 };
const priorDeviation = 1.5;
/** A gamma law of a larger shape would be narrower than half a step of the grid, whose points it would fall between. */
const largestShape = 32;
/** Of the differences: by share, ratio, length, mean and shape. */
const widest = Float64Array.of(0.2, 0.2, 0.2, 0.1, 0.3);

const toUnknowns = ({ busyShare, ratio, length }: Bursts): [share: number, ratio: number, length: number] => [
  Math.log(busyShare / (1 - busyShare)),
  Math.log(ratio - 1),
  Math.log(length),
];

const toBursts = ([share, ratio, length]: Float64Array): Bursts => ({
  busyShare: 1 / (1 + Math.exp(-share)),
  ratio: 1 + Math.exp(ratio),
  length: Math.exp(length),
});

/**
 * @param start the kind chosen
 * @param mean of the pages' rates, about
 * @returns null where no top of the likelihood is found near there
 * @throws NothingToReturn when the budget ends first
 */
export function burstIntervals(
  history: CheckHistory,
  { start, mean }: { readonly start: Bursts; readonly mean: number },
  bursty: (bursts: Bursts) => BurstyRate,
  budget: Budget,
): BurstIntervals | null {
  const centre = toUnknowns({ ...middleBursts, length: middleBursts.length / mean });
  const height = (x: Float64Array): number => {
    const shape = 1 / (1 / largestShape + Math.exp(-x[4]));
    const away = centre.reduce((sum, each, k) => sum + (x[k] - each) ** 2, (x[4] - Math.log(priorShape)) ** 2);
    const model = bursty(toBursts(x));
    const masses = new Float64Array(model.size);
    const thetas = model.rates.subarray(0, model.size / 2).map(Math.log);
    gammaOnGrid(shape, shape / Math.exp(x[3]), thetas, masses.subarray(0, thetas.length));
    model.learn(masses);
    return filterHistories(history, model, budget, 0).logLikelihood - (0.5 * away) / priorDeviation ** 2;
  };
  const first = Float64Array.of(...toUnknowns(start), Math.log(mean), Math.log(priorShape));
  const law = laplaceApproximation(height, first, widest);
  if (law === null) return null;
  const low = toBursts(law.mean.map((each, k) => each - normal95 * law.deviation[k]));
  const high = toBursts(law.mean.map((each, k) => each + normal95 * law.deviation[k]));
  return {
    busyShare: [low.busyShare, high.busyShare],
    ratio: [low.ratio, high.ratio],
    length: [low.length, high.length],
  };
}
