/**
 * Which crawler accesses which page. Pages, or all pages of a host together, are dealt so that the crawlers have alike
 * to do.
 *
 * What a page has to be given is its frequency under one crawler as fast as all of them. The largest is dealt first,
 * each to the crawler that has least (R. L. Graham, SIAM J. Applied Mathematics 17, 1969: at most 4/3 of the least
 * largest load). What has no frequency is dealt by number. O(N log N).
 */
import type { Poll } from '../budget.ts';
import { KeyedHeap } from '../numerics/heaps/keyed-heap.ts';

/** Elementary steps, for polls: to compare two groups, and to give one to a crawler. */
const stepsToCompare = 20;
const stepsToGive = 500;

/**
 * @param host position of each page's host, −1 for none
 * @returns the crawler of each page
 * @throws NothingToReturn when `poll` says so
 */
export function dealPages(frequency: Float64Array, host: Int32Array, crawlers: number, poll?: Poll): Int32Array {
  const { groupOf, size } = groupsOf(host);
  const load = new Float64Array(size.length);
  for (let i = 0; i < groupOf.length; i++) load[groupOf[i]] += frequency[i];
  const order = size
    .map((_, group) => group)
    .sort((a, b) => {
      poll?.(stepsToCompare);
      return load[b] - load[a] || size[b] - size[a] || a - b;
    });
  const dealt = new Int32Array(size.length);
  const least = new KeyedHeap(crawlers);
  const fewest = new KeyedHeap(crawlers);
  const held = new Float64Array(crawlers);
  const pages = new Float64Array(crawlers);
  const give = (group: number, crawler: number): void => {
    poll?.(stepsToGive);
    dealt[group] = crawler;
    held[crawler] += load[group];
    pages[crawler] += size[group];
  };
  for (let m = 0; m < crawlers; m++) least.push(-0, m);
  const idle = order.findIndex((group) => load[group] === 0);
  const busy = idle < 0 ? order.length : idle;
  for (const group of order.subarray(0, busy)) {
    const crawler = least.pop();
    give(group, crawler);
    least.push(-held[crawler], crawler);
  }
  for (let m = 0; m < crawlers; m++) fewest.push(-pages[m], m);
  for (const group of order.subarray(busy)) {
    const crawler = fewest.pop();
    give(group, crawler);
    fewest.push(-pages[crawler], crawler);
  }
  return groupOf.map((group) => dealt[group]);
}

/** The pages of each crawler, rising. */
export function handsOf(dealt: Int32Array, crawlers: number): Uint32Array[] {
  const hands = Array.from({ length: crawlers }, (): number[] => []);
  for (const [i, m] of dealt.entries()) hands[m].push(i);
  return hands.map((pages) => Uint32Array.from(pages));
}

/** Hosts with all their pages, a page without one by itself: the group of each page, and the pages of each group. */
export function groupsOf(host: Int32Array): { readonly groupOf: Int32Array; readonly size: Int32Array } {
  const groupOf = new Int32Array(host.length);
  const size = new Int32Array(host.length);
  const ofHost = new Map<number, number>();
  let groups = 0;
  for (let i = 0; i < host.length; i++) {
    const h = host[i];
    const group = (h < 0 ? undefined : ofHost.get(h)) ?? groups++;
    if (h >= 0) ofHost.set(h, group);
    groupOf[i] = group;
    size[group]++;
  }
  return { groupOf, size: size.subarray(0, groups) };
}
