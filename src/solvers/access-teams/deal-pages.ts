/**
 * Which crawler accesses which page: pages, or all pages of a host together, are dealt so that the crawlers have alike
 * to do.
 *
 * What a page has to be given is its frequency under one crawler as fast as all of them; the largest is dealt first,
 * each to the crawler that has least (R. L. Graham, SIAM J. Applied Mathematics 17, 1969: at most 4/3 of the least
 * largest load). What has no frequency is dealt by number. O(N log N).
 */
import { KeyedHeap } from '../numerics/heaps/keyed-heap.ts';

/** @param host position of each page's host, −1 for none; @returns the crawler of each page */
export function dealPages(frequency: Float64Array, host: Int32Array, crawlers: number): Int32Array {
  const groups = groupsOf(host);
  const load = groups.map((pages) => pages.reduce((sum, i) => sum + frequency[i], 0));
  const order = Uint32Array.from(groups.keys()).sort(
    (a, b) => load[b] - load[a] || groups[b].length - groups[a].length || a - b,
  );
  const dealt = new Int32Array(frequency.length);
  const least = new KeyedHeap(crawlers);
  const fewest = new KeyedHeap(crawlers);
  const held = new Float64Array(crawlers);
  const pages = new Float64Array(crawlers);
  const give = (group: number, crawler: number): void => {
    for (const i of groups[group]) dealt[i] = crawler;
    held[crawler] += load[group];
    pages[crawler] += groups[group].length;
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
  return dealt;
}

/** The pages of each crawler, rising. */
export function handsOf(dealt: Int32Array, crawlers: number): Uint32Array[] {
  const hands = Array.from({ length: crawlers }, (): number[] => []);
  for (const [i, m] of dealt.entries()) hands[m].push(i);
  return hands.map((pages) => Uint32Array.from(pages));
}

/** Hosts with all their pages; a page without one by itself. */
function groupsOf(host: Int32Array): number[][] {
  const groups: number[][] = [];
  const ofHost = new Map<number, number[]>();
  for (const [i, h] of host.entries()) {
    const known = h < 0 ? undefined : ofHost.get(h);
    if (known !== undefined) {
      known.push(i);
      continue;
    }
    const group = [i];
    groups.push(group);
    if (h >= 0) ofHost.set(h, group);
  }
  return groups;
}
