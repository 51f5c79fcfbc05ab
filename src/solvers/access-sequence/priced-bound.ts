/**
 * What no order of the pages can beat, knowing that gaps are whole and that the busiest pages get into each other's way.
 *
 * A price λ of an access parts the pages. Any order costs at least what each part makes least of, its own cost and λ for
 * each of its accesses, less λ. A page by itself chooses its gap (whole-gaps.ts). The few pages of highest frequency are
 * a graph of ages (methods/age-graph.ts) with one page more: all others, whose access is rewarded by λ. The bound is
 * concave in λ; the next λ is where the tangents at two meet (J. E. Kelley, J. SIAM 8, 1960, in one dimension).
 * O(N) a price without the group, O(states) an iteration with it.
 */
import type { AccessPages } from '../access-frequencies/access-pages.ts';
import type { Budget } from '../budget.ts';
import { AgeGraph } from './methods/age-graph.ts';
import { oldestAges, stepsOf, unavoidable } from './methods/few-pages.ts';
import { type Priced, pricedAlone } from './whole-gaps.ts';

/** More pages than these have gaps so long that whole ones cost no more. */
export const mostPriced = 1000;

/** States of the group's graph, and pages in it. */
const mostStates = 20_000;
const mostTogether = 5;
const mostPrices = 20;
const mostGroupPrices = 8;
/** First change of the price, relatively; doubled as long as the bound rises. */
const firstStep = 0.01;
/** Of the bound: what is left to gain by other prices. */
const worthwhile = 1e-5;

type Market = (price: number) => Priced;

interface Peak {
  readonly price: number;
  readonly bound: number;
}

/** @param frequency the optimal ones @param multiplier what one more unit of frequency saves at them */
export function pricedBound(pages: AccessPages, frequency: Float64Array, multiplier: number, budget: Budget): number {
  const busiest = Array.from(frequency.keys()).sort((i, j) => frequency[j] - frequency[i]);
  const alone = highest(pages, [marketOf(pages, busiest)], { price: multiplier, mostPrices, budget });
  for (let size = Math.min(mostTogether, pages.length); size > 1; size--) {
    const group = busiest.slice(0, size);
    const oldest = oldestAges(frequency, group, mostStates, [2]);
    if (oldest === null) continue;
    const markets = [groupMarket(pages, group, oldest, budget), marketOf(pages, busiest.slice(size))];
    const together = highest(pages, markets, { price: alone.price, mostPrices: mostGroupPrices, budget });
    return Math.max(alone.bound, together.bound);
  }
  return alone.bound;
}

function highest(
  pages: AccessPages,
  markets: readonly Market[],
  {
    price: first,
    mostPrices,
    budget,
  }: { readonly price: number; readonly mostPrices: number; readonly budget: Budget },
): Peak {
  const base = unavoidable(pages);
  let best: Peak = { price: first, bound: Number.NEGATIVE_INFINITY };
  let [price, step] = [first, firstStep];
  const sides: { low?: Tangent; high?: Tangent } = {};
  for (let k = 0; k < mostPrices && !budget.stopRequested(); k++) {
    const here: Tangent = { price, value: base - price, slope: -1 };
    for (const market of markets) {
      const { least, share } = market(price);
      here.value += least;
      here.slope += share;
    }
    if (here.value > best.bound) best = { price, bound: here.value };
    if (here.slope === 0) break;
    sides[here.slope > 0 ? 'low' : 'high'] = here;
    const { low, high } = sides;
    if (low === undefined || high === undefined) {
      price *= here.slope > 0 ? 1 + step : 1 / (1 + step);
      step *= 2;
      continue;
    }
    price = (high.value - low.value + low.slope * low.price - high.slope * high.price) / (low.slope - high.slope);
    if (low.value + low.slope * (price - low.price) - best.bound < worthwhile * best.bound) break;
  }
  return best;
}

interface Tangent {
  readonly price: number;
  value: number;
  slope: number;
}

function marketOf(pages: AccessPages, which: readonly number[]): Market {
  return (price) => {
    let [least, share] = [0, 0];
    for (const i of which) {
      const own = pricedAlone(pages, i, price);
      least += own.least;
      share += own.share;
    }
    return { least, share };
  };
}

function groupMarket(pages: AccessPages, group: readonly number[], oldest: readonly number[], budget: Budget): Market {
  const graph = new AgeGraph([...stepsOf(pages, group, oldest), new Float64Array(3)]);
  let rewarded = 0;
  return (price) => {
    graph.rewardLast(price - rewarded);
    rewarded = price;
    const { sequence, bound } = graph.leastMean(budget);
    const others = sequence.reduce((count, page) => (page === group.length ? count + 1 : count), 0);
    return { least: bound + price, share: 1 - others / sequence.length };
  };
}
