/**
 * What no schedule of this interval can beat: weak duality at one price of a fetch.
 *
 * Any schedule with at most R fetches costs at least Σ min over x of (least cost of x fetches + νx) − νR, whatever
 * ν ≥ 0. Slots, delays and longest intervals only take choices away. The function is concave in ν. Golden section on ln
 * ν finds its top: over all pages where they are few, over a sample where they are many. What is returned is its value
 * over all pages there. A `minInterval` bounds each page's fetches. A host that asks for a delay has at most
 * 1 + T/delay of them (limits/allowed.ts). Where its pages would have more, it has a price of its own beside ν,
 * sought in the same way over its pages alone. Complexity: pages × 1 evaluation, and some 30 on the sample.
 * Stopping rule: ln ν to 0.01 (1e−12 for few pages); any ν is valid. Source: Lagrangian duality; the per-page cost is
 * in copy-bounds.ts.
 */
import type { Budget } from '../../budget.ts';
import { goldenSection } from '../../numerics/search/golden-section.ts';
import { hostRooms } from '../limits/allowed.ts';
import type { PricedPlan } from '../market/priced-plan.ts';
import type { PageBounds, Stretch } from './page-bounds.ts';

const largestSample = 512;
const fewPages = 64;
const pagesPerPoll = 4096;
/** Pages looked at for hosts' own prices, at most: some 20 times each page of a crowded host. */
const hostEvaluations = 2e6;
const evaluationsPerHost = 20;
/** The top is looked for within this factor of the steady price, in its logarithm. */
const reach = 8;

/** Σ weight·staleness that no schedule can beat; null when the budget ended first. */
export function intervalBound(plan: PricedPlan, bounds: PageBounds, budget: Budget): number | null {
  const { problem, age, steady } = plan;
  const { interval, minInterval } = problem;
  const slots = plan.slots.time.length;
  const start = steady.price > 0 ? steady.price : steady.typicalPrice;
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
    return (sum * pages) / counted - price * slots;
  };
  const stride = Math.max(1, Math.ceil(pages / largestSample));
  const middle = Math.log(start);
  const tolerance = pages <= fewPages ? 1e-12 : 0.01;
  if (budget.stopRequested()) return null;
  const best = goldenSection((at) => -dual(Math.exp(at), stride), middle - reach, middle + reach, tolerance);
  const price = -best.value >= dual(0, stride) ? Math.exp(best.at) : 0;
  const bound = dual(price, 1);
  if (Number.isNaN(bound)) return null;
  const costAt = (i: number, at: number): number => bounds.leastCost(i, stretch(i), at);
  return Math.max(0, bound + gainByHosts(plan, { costAt, price, start }, budget)) / interval;
}

interface HostPricing {
  /** A page's least cost at a price. */
  readonly costAt: (page: number, price: number) => number;
  readonly price: number;
  /** Where the search of a price begins, above 0, as the price for all may be none. */
  readonly start: number;
}

/** What the bound rises by when crowded hosts have prices of their own: at a common price the hosts are apart. */
function gainByHosts(
  { problem, slots, steady }: PricedPlan,
  { costAt, price, start }: HostPricing,
  budget: Budget,
): number {
  const { pricedBy: host, pagePrice } = steady;
  const hostRoom = hostRooms(problem, slots);
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
    const cost = (own: number): number => pages.reduce((sum, i) => sum + costAt(i, price + own), 0) - own * room;
    const alone = cost(0);
    const middle = Math.log(Math.max(price, start));
    const best = goldenSection((at) => -cost(Math.exp(at)), middle - reach, middle + reach, 0.01);
    gain += Math.max(0, -best.value - alone);
  }
  return gain;
}
