/**
 * What no schedule of this interval can beat: weak duality at one price of a fetch.
 *
 * Any schedule with at most R fetches costs at least Σ min over x of (least cost of x fetches + νx) − νR, whatever ν ≥ 0, slots,
 * delays and longest intervals only taking choices away. The function is concave in ν; its top is looked for by golden
 * section on ln ν, over all pages where they are few and over a sample where they are many, and what is returned is its value
 * over all pages there. minInterval bounds each page's fetches.
 * Complexity: pages × 1 evaluation, and some 30 on the sample. Stopping rule: ln ν to 0.01 (1e−12 for few pages); any ν is valid.
 * Source: Lagrangian duality; the per-page cost is in known-rate-bounds.ts and belief-bounds.ts.
 */
import type { Budget } from '../../budget.ts';
import { goldenSection } from '../../numerics/search/golden-section.ts';
import type { PageBounds, Stretch } from './page-bounds.ts';

const largestSample = 512;
const fewPages = 64;
const pagesPerPoll = 4096;
/** The top is looked for within this factor of the steady price, in its logarithm. */
const reach = 8;

export interface IntervalBoundProblem {
  readonly bounds: PageBounds;
  readonly age: Float64Array;
  readonly interval: number;
  readonly minInterval: Float64Array;
  /** R: fetches there are slots for. */
  readonly slots: number;
  /** What all fetches may cost together, by the model's unit of cost; left out: one each. */
  readonly budget?: number | undefined;
  /** Where the search for the best price begins: above 0. */
  readonly price: number;
}

/** Σ weight·staleness that no schedule can beat; null when the budget ended first. */
export function intervalBound(problem: IntervalBoundProblem, budget: Budget): number | null {
  const { bounds, age, interval, minInterval, slots } = problem;
  const pages = age.length;
  const stretch = (i: number): Stretch => ({
    age: age[i],
    interval,
    most: minInterval[i] > 0 ? Math.min(slots, Math.floor((interval * (1 + 1e-9)) / minInterval[i]) + 1) : slots,
  });
  const dual = (price: number, stride: number): number => {
    let sum = 0;
    let polled = 0;
    let counted = 0;
    for (let i = 0; i < pages; i += stride) {
      if (++polled % pagesPerPoll === 0 && budget.stopRequested()) return Number.NaN;
      sum += bounds.leastCost(i, stretch(i), price);
      counted++;
    }
    return (sum * pages) / counted - price * (problem.budget ?? slots);
  };
  const stride = Math.max(1, Math.ceil(pages / largestSample));
  const middle = Math.log(problem.price);
  const tolerance = pages <= fewPages ? 1e-12 : 0.01;
  if (budget.stopRequested()) return null;
  const best = goldenSection((at) => -dual(Math.exp(at), stride), middle - reach, middle + reach, tolerance);
  const price = -best.value >= dual(0, stride) ? Math.exp(best.at) : 0;
  const bound = dual(price, 1);
  return Number.isNaN(bound) ? null : Math.max(0, bound) / interval;
}
