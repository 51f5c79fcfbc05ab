/**
 * What a host's crawls can pay at most, and when they are then made.
 *
 * The slots that a host may have at once follow each other by its delay. At prices r(t) of its crawls they pay at most
 * f(last). There f(k) = max(f(k − 1), r(t_k) + f(the last slot a delay before t_k)) over the slots' distinct times.
 * O(times) a host. Where hosts times slots are many, or a host may have fewer crawls than its delay allows, its prices
 * must never rise. Then its n-th crawl pays at most what the n-th slot pays if each is taken as soon as the delay
 * allows.
 */
import { earliestTimes } from '../host-delays.ts';
import type { HostDelays } from '../problem.ts';
import type { Grid } from './market.ts';

/** Hosts times distinct times of slots for which the best of all chains is looked for. */
const mostSteps = 5e5;

export interface HostSupply {
  /** The prices nearest to these that it may have: at least 0, and where they must they never rise. */
  nearest(price: Float64Array): Float64Array;
  /** What its crawls can pay at most; `supply` gets the crawls of that, shared between moments. */
  pay(price: Float64Array, supply: Float64Array): number;
}

/** @param most crawls of each host */
export function hostSupplies(
  hosts: HostDelays,
  most: Float64Array,
  slotTime: Float64Array,
  grid: Grid,
): readonly HostSupply[] {
  const distinct = slotTime.filter((time, s) => s === 0 || time > slotTime[s - 1]);
  const few = distinct.length * hosts.delay.length <= mostSteps;
  const places = few ? placesOf(distinct, grid) : null;
  return Array.from(hosts.delay, (delay, h) => {
    const times = [...earliestTimes(slotTime, delay, hosts.from[h])];
    // a delay may be lost in the rounding of times
    const atOnce = times.some((time, k) => k > 0 && time === times[k - 1]);
    if (places === null || atOnce || times.length > most[h]) {
      const first = placesOf(Float64Array.from(times.slice(0, most[h])), grid);
      return { nearest: falling, pay: (price, supply) => paidBy(first, first.cell.keys(), price, supply) };
    }
    return chainOf(distinct, places, delay, hosts.from[h]);
  });
}

/** Moments at or before times, and how far on the way to the next they are. */
interface Places {
  readonly cell: Int32Array;
  readonly share: Float64Array;
}

function placesOf(times: Float64Array, { moments, spacing }: Grid): Places {
  const at = times.map((time) => Math.min(moments.length - 1, time / spacing));
  const cell = Int32Array.from(at, Math.floor);
  // prices are level in the last cell
  return { cell, share: at.map((each, k) => (cell[k] + 1 < moments.length ? each - cell[k] : 0)) };
}

function priceAt({ cell, share }: Places, k: number, price: Float64Array): number {
  return share[k] > 0 ? price[cell[k]] + share[k] * (price[cell[k] + 1] - price[cell[k]]) : price[cell[k]];
}

function paidBy(places: Places, chosen: Iterable<number>, price: Float64Array, supply: Float64Array): number {
  const { cell, share } = places;
  supply.fill(0);
  let sum = 0;
  for (const k of chosen) {
    sum += priceAt(places, k, price);
    supply[cell[k]] += 1 - share[k];
    if (share[k] > 0) supply[cell[k] + 1] += share[k];
  }
  return sum;
}

function chainOf(times: Float64Array, places: Places, delay: number, from: number): HostSupply {
  /** By time, how many times lie a delay before it or earlier; −1 where the host may not be crawled yet. */
  const before = new Int32Array(times.length);
  let early = 0;
  for (const [k, time] of times.entries()) {
    while (early < k && times[early] <= time - delay * (1 - 1e-12)) early++;
    before[k] = time < from - 1e-12 * delay ? -1 : early;
  }
  const most = new Float64Array(times.length + 1);
  const chosen: number[] = [];
  return {
    nearest: (price) => price.map((each) => Math.max(0, each)),
    pay(price, supply) {
      for (let k = 0; k < times.length; k++) {
        const own = before[k] < 0 ? 0 : priceAt(places, k, price) + most[before[k]];
        most[k + 1] = own > most[k] ? own : most[k];
      }
      chosen.length = 0;
      for (let k = times.length; k > 0; ) {
        if (most[k] === most[k - 1]) k--;
        else {
          chosen.push(k - 1);
          k = before[k - 1];
        }
      }
      paidBy(places, chosen, price, supply);
      return most[times.length];
    },
  };
}

/** The nearest prices that never rise, at least 0: neighbours that would rise are pooled. */
function falling(price: Float64Array): Float64Array {
  const sums: number[] = [];
  const sizes: number[] = [];
  for (const each of price) {
    sums.push(each);
    sizes.push(1);
    while (
      sums.length > 1 &&
      sums[sums.length - 1] * sizes[sizes.length - 2] > sums[sums.length - 2] * sizes[sizes.length - 1]
    ) {
      const [sum, size] = [sums.pop() ?? 0, sizes.pop() ?? 0];
      sums[sums.length - 1] += sum;
      sizes[sizes.length - 1] += size;
    }
  }
  const result = new Float64Array(price.length);
  let at = 0;
  for (const [k, size] of sizes.entries()) for (let n = 0; n < size; n++) result[at++] = Math.max(0, sums[k] / size);
  return result;
}
