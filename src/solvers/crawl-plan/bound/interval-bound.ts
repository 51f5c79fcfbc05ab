/**
 * What no schedule of this interval can beat: weak duality at one price of a fetch.
 *
 * Any schedule with at most R fetches costs at least Σ min over x of (least cost of x fetches + νx) − νR, whatever
 * ν ≥ 0. Slots, delays and longest intervals only take choices away. The function is concave in ν. Golden section on ln
 * ν finds its top: over all pages where they are few, over a sample where they are many. What is returned is its value
 * over all pages there. A `minInterval` bounds each page's fetches. A host that asks for a delay has at most
 * 1 + T/delay of them (limits/host-caps.ts). Where its pages would have more, it has a price of its own beside ν,
 * sought in the same way over its pages alone. Complexity: pages × 1 evaluation, and some 30 on the sample.
 * Stopping rule: ln ν to 0.01 (1e−12 for few pages); any ν is valid. Source: Lagrangian duality; the per-page cost is
 * in copy-bounds.ts.
 */
import type { Budget } from '../../budget.ts';
import { goldenSection } from '../../numerics/search/golden-section.ts';
import type { PageBounds, Stretch } from './page-bounds.ts';

const largestSample = 512;
const fewPages = 64;
const pagesPerPoll = 4096;
/** Pages looked at for hosts' own prices, at most: some 20 times each page of a crowded host. */
const hostEvaluations = 2e6;
const evaluationsPerHost = 20;
/** The top is looked for within this factor of the steady price, in its logarithm. */
const reach = 8;

export interface IntervalBoundProblem {
  readonly bounds: PageBounds;
  /** Of each copy. */
  readonly age: Float64Array;
  readonly interval: number;
  readonly minInterval: Float64Array;
  /** R: fetches there are slots for. */
  readonly slots: number;
  /** What all fetches may cost together, by the model's unit of cost; left out: one each. */
  readonly spending?: number | undefined;
  /** Where the search for the best price begins: above 0. */
  readonly price: number;
  /** The host that sets a page's price, −1 for none, and by host the most fetches there can be, Infinity for no limit. */
  readonly host: Int32Array;
  readonly hostRoom: Float64Array;
  /** Price of a fetch by page, above the others' where its host has no room for more. */
  readonly pagePrice: Float64Array;
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
    return (sum * pages) / counted - price * (problem.spending ?? slots);
  };
  const stride = Math.max(1, Math.ceil(pages / largestSample));
  const middle = Math.log(problem.price);
  const tolerance = pages <= fewPages ? 1e-12 : 0.01;
  if (budget.stopRequested()) return null;
  const best = goldenSection((at) => -dual(Math.exp(at), stride), middle - reach, middle + reach, tolerance);
  const price = -best.value >= dual(0, stride) ? Math.exp(best.at) : 0;
  const bound = dual(price, 1);
  if (Number.isNaN(bound)) return null;
  return Math.max(0, bound + gainByHosts({ problem, stretch, price }, budget)) / interval;
}

interface HostPricing {
  readonly problem: IntervalBoundProblem;
  readonly stretch: (page: number) => Stretch;
  readonly price: number;
}

/** What the bound rises by when crowded hosts have prices of their own: at a common price the hosts are apart. */
function gainByHosts({ problem, stretch, price }: HostPricing, budget: Budget): number {
  const { bounds, host, hostRoom, pagePrice } = problem;
  // where fetches have costs, prices are of these and a delay counts fetches
  if (problem.spending !== undefined) return 0;
  const lowest = pagePrice.reduce((low, own) => Math.min(low, own), Number.POSITIVE_INFINITY);
  const members = new Map<number, number[]>();
  for (let i = 0; i < host.length; i++) {
    if (host[i] < 0 || hostRoom[host[i]] === Number.POSITIVE_INFINITY || !(pagePrice[i] > lowest * (1 + 1e-9)))
      continue;
    const list = members.get(host[i]);
    if (list) list.push(i);
    else members.set(host[i], [i]);
  }
  let gain = 0;
  let left = hostEvaluations;
  for (const [h, pages] of members) {
    left -= pages.length * evaluationsPerHost;
    if (left < 0 || budget.stopRequested()) break;
    const room = hostRoom[h];
    const cost = (own: number): number =>
      pages.reduce((sum, i) => sum + bounds.leastCost(i, stretch(i), price + own), 0) - own * room;
    const alone = cost(0);
    const middle = Math.log(Math.max(price, problem.price));
    const best = goldenSection((at) => -cost(Math.exp(at)), middle - reach, middle + reach, 0.01);
    gain += Math.max(0, -best.value - alone);
  }
  return gain;
}
