/**
 * The two ways one would write the allocation first, sharing nothing with the solver. They are the greedy of Fox (1966)
 * with a heap, one crawl after another, and bisection of the price with a loop over counts. Gains are differences of
 * the model's staleness.
 */

import { requireDefined } from '../../require-defined.ts';
import type { PageColumns } from './many-pages.ts';

/** A page's A(x), x = 0, 1, … */
export type StalenessOf = (x: number) => number;

/** The staleness of page i of an interval of length 1, by the model's closed forms. */
export function closedForms(pages: PageColumns): StalenessOf[] {
  return pages.process.map((process, i): StalenessOf => {
    const age = pages.lastCrawlAge?.[i] ?? null;
    if (process === 'quasi-deterministic') {
      const costs = bestQuasiCosts(pages.times[i] ?? [], pages.probabilities[i] ?? [], pages.staleAtStart[i] ?? 1);
      return (x) => costs[Math.min(x, costs.length - 1)];
    }
    const h =
      process === 'poisson'
        ? poissonStaleTime(requireDefined(pages.changeRate[i]))
        : lomaxStaleTime(requireDefined(pages.shape[i]), requireDefined(pages.scale[i]));
    if (age === null) return (x) => (x === 0 ? 1 : x * h(1 / x));
    if (age === 0) return (x) => (x + 1) * h(1 / (x + 1));
    const begun = h(age);
    return (x) => (x * age <= 1 ? (x + 1) * h((1 + age) / (x + 1)) - begun : x * h(1 / x));
  });
}

const poissonStaleTime = (rate: number) => (tau: number) => tau + Math.expm1(-rate * tau) / rate;

const lomaxStaleTime = (alpha: number, scale: number) => (tau: number) =>
  tau - (scale * Math.expm1((2 - alpha) * Math.log1p(tau / scale))) / (2 - alpha);

/** Least staleness of 0, 1, … crawls: the textbook recursion on the next crawl point, from the end backwards. */
export function bestQuasiCosts(
  times: readonly number[],
  probabilities: readonly number[],
  staleAtStart: number,
): number[] {
  const points = times.length + 1;
  const at = (j: number): number => (j === 0 ? 0 : j === points ? 1 : times[j - 1]);
  // rest[x][c]: least stale time from the crawl at point c on, with x more crawls
  let rest: number[] = [];
  const costs: number[] = [];
  for (let x = 0; x <= points; x++) {
    const here: number[] = [];
    for (let c = -1; c < points; c++) {
      let fresh = 1;
      let stale = 0;
      let best = Number.POSITIVE_INFINITY;
      for (let j = Math.max(c, 0); j < points; j++) {
        if (j > c) {
          if (x > 0) best = Math.min(best, stale + rest[j + 1]);
          fresh *= 1 - (j === 0 ? staleAtStart : probabilities[j - 1]);
        }
        stale += (at(j + 1) - at(j)) * (1 - fresh);
      }
      here.push(x === 0 ? stale : Math.min(best, rest[c + 1]));
    }
    costs.push(here[0]);
    rest = here;
  }
  return costs;
}

/** Fox's greedy: the crawl that saves most, `crawls` times, from a heap of next gains. O(N + R log N). */
export function heapGreedy(
  staleness: readonly StalenessOf[],
  weight: readonly number[],
  crawls: number,
  least?: readonly number[],
  most?: readonly (number | null)[],
): Int32Array {
  const n = staleness.length;
  const counts = Int32Array.from(staleness, (_, i) => least?.[i] ?? 0);
  const gain = new Float64Array(n);
  const next = (i: number): number =>
    counts[i] >= (most?.[i] ?? Number.POSITIVE_INFINITY)
      ? Number.NEGATIVE_INFINITY
      : weight[i] * (staleness[i](counts[i]) - staleness[i](counts[i] + 1));
  const heap = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    gain[i] = next(i);
    heap[i] = i;
  }
  const sink = (from: number): void => {
    const page = heap[from];
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= n) break;
      if (child + 1 < n && gain[heap[child + 1]] > gain[heap[child]]) child++;
      if (gain[heap[child]] <= gain[page]) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = page;
  };
  for (let at = (n >> 1) - 1; at >= 0; at--) sink(at);
  for (let given = counts.reduce((sum, x) => sum + x, 0); given < crawls; given++) {
    const page = heap[0];
    counts[page]++;
    gain[page] = next(page);
    sink(0);
  }
  return counts;
}

/** Σ w·A(x). */
export function costOf(staleness: readonly StalenessOf[], weight: readonly number[], counts: Int32Array): number {
  return staleness.reduce((sum, stale, i) => sum + weight[i] * stale(counts[i]), 0);
}
