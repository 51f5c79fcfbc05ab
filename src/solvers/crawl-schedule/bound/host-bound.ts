/**
 * What no schedule can beat where hosts ask for a delay: weak duality with a price curve for every host.
 *
 * With prices r_h(t) ≥ 0 a host's crawls pay at most P_h, what the best set of slots that keeps its delay pays
 * (host-chains.ts). With prices q(t) of the slots any schedule then costs at least
 *   Σ over pages of min over times t_k of (weighted stale time + Σ q(t_k) + Σ r_h(t_k)) − Σ_s q(s) − Σ_h P_h.
 * Prices are found on a coarse grid: hosts alone (q = 0), slots alone (r = 0), their mean, and hosts above the slots'
 * prices. Each host's level is found by golden section. Then both follow together from the best of these (mixtures.ts),
 * and on grids finer and finer as far as that is done often enough. The last are priced once on the fine grid. Poisson
 * pages only. Complexity: some hundred shortest paths a page on the coarse grid, two on the fine one.
 */
import { type Budget, keepingShare, unlessStopped } from '../../budget.ts';
import { goldenSection } from '../../numerics/search/golden-section.ts';
import { type HostMarket, type HostPrices, PricedHosts } from './host-prices.ts';
import { evenMarket, type Grid, type MarketSize } from './market.ts';
import type { PriceGuess } from './price-search.ts';
import { resampled } from './priced-paths.ts';
import { type Bound, evaluating } from './slot-prices.ts';

/** Moments of the coarse grid, where the fine one has more. */
const [fewestMoments, mostMoments] = [64, 512];
/** Pages times moments of it; on too few, pages that are crawled often mislead the prices. */
const mostSteps = 5e5;

/** @param slots q for the slots alone, on any even grid @throws NothingToReturn when the budget ends */
export function hostBound(market: HostMarket, fine: Grid, slots: PriceGuess, budget: Budget): Bound {
  const { size, slotTime, pages } = market;
  const moments = Math.max(fewestMoments, Math.min(mostMoments, Math.floor(mostSteps / pages.weight.length)));
  const coarse = fine.moments.length <= moments ? fine : searchMarket(slotTime, size, moments);
  const count = coarse.moments.length;
  const searching = keepingShare(budget, evaluating);
  const search = new PricedHosts(market, coarse, searching);
  const none = new Float64Array(count);
  const better = (a: HostPrices, b: HostPrices): HostPrices => (search.bound(b) > search.bound(a) ? b : a);
  const zero = Array.from(market.hosts.delay, () => none);
  // where a schedule is rough, prices that rise in places even out; where it is not, they never rise
  const shapes = [0, Number.NEGATIVE_INFINITY].map((least) => shapesOf(market, coarse, least));
  const above = (paid: Float64Array): HostPrices => {
    const curves = (each: readonly Float64Array[]) => each.map((shape, h) => levelled(search, h, shape, paid));
    return shapes.map((each): HostPrices => ({ slots: paid, hosts: curves(each) })).reduce(better);
  };
  const alone = above(none);
  const priced = { slots: resampled(slots.start, count), hosts: zero };
  const mean = { slots: halved(priced.slots), hosts: alone.hosts.map(halved) };
  const from = [alone, priced, mean, above(priced.slots)].reduce(better);
  let found = unlessStopped(from, () => search.ascend(from, slots.level, slots.passes));
  for (let finer = 4 * count; finer < fine.moments.length && finer * pages.weight.length <= mostSteps; finer *= 4) {
    const start = onGrid(found, finer);
    const next = searchMarket(slotTime, size, finer);
    found = unlessStopped(start, () =>
      new PricedHosts(market, next, searching).ascend(start, slots.level, slots.passes),
    );
  }
  const cut = searching.stopRequested();
  const exact = new PricedHosts(market, fine, budget);
  let value = 0;
  for (const prices of found === from ? [from] : [found, from])
    value = Math.max(
      value,
      unlessStopped(value, () => exact.bound(onGrid(prices, fine.moments.length))),
    );
  return { value, cut: cut || budget.stopRequested() };
}

const onGrid = ({ slots, hosts }: HostPrices, moments: number): HostPrices => ({
  slots: resampled(slots, moments),
  hosts: hosts.map((curve) => resampled(curve, moments)),
});

const halved = (curve: Float64Array): Float64Array => curve.map((each) => 0.5 * each);

/** A grid for the search of prices alone: what rounding to its moments costs is left aside. */
export function searchMarket(slotTime: Float64Array, size: MarketSize, moments: number): Grid {
  return { ...evenMarket(slotTime, size, moments), exact: true };
}

/**
 * Prices up to a constant, read off a schedule, by host. Where no crawl gains by moving, −r' is w·(H'(gap
 * before) − H'(gap after)), here its mean over the host's crawls of a cell.
 *
 * @param least that prices fall by
 */
function shapesOf({ hosts, table }: HostMarket, { moments, spacing }: Grid, least: number): Float64Array[] {
  const size = moments.length;
  const sums = Array.from(hosts.delay, () => new Float64Array(size));
  const crawls = Array.from(hosts.delay, () => new Float64Array(size));
  for (let s = 0; s < table.page.length; s++) {
    const h = table.page[s] < 0 ? -1 : hosts.of[table.page[s]];
    const own = h < 0 ? Number.NaN : table.slopeOf(s);
    if (Number.isNaN(own)) continue;
    const cell = Math.min(size - 1, Math.floor(table.slotTime[s] / spacing));
    sums[h][cell] += own;
    crawls[h][cell]++;
  }
  return sums.map((sum, h) => {
    const shape = new Float64Array(size);
    let fall = 0;
    for (let b = size - 2; b >= 0; b--) {
      if (crawls[h][b] > 0) fall = Math.max(least, sum[b] / crawls[h][b]);
      shape[b] = shape[b + 1] + fall * spacing;
    }
    return shape;
  });
}

/** A host's curve, this shape less what the slots cost, at the level for which the bound is largest. */
function levelled(search: PricedHosts, h: number, shape: Float64Array, slots: Float64Array): Float64Array {
  const at = (shift: number): Float64Array =>
    search.nearest(
      h,
      shape.map((r, b) => r + shift - slots[b]),
    );
  const hosts: Float64Array[] = [];
  const valueAt = (shift: number): number => {
    hosts[h] = at(shift);
    return search.boundOfHost(h, { slots, hosts });
  };
  const high = Math.max(shape[0], 1e-9);
  let top = high;
  while (valueAt(2 * top) > valueAt(top)) top *= 2;
  return at(goldenSection((shift) => -valueAt(shift), -high, 2 * top, 0.02 * top).at);
}
