/**
 * Quasi-deterministic pages: what each further crawl saves, and where the crawls go.
 *
 * Model: possible updates at u_1 < … < u_Q in [0, T], the j-th happening with probability k_j independently; u_0 = 0
 * with k_0 = P(stale at 0), u_{Q+1} = T. Crawls belong at the u_j. A segment crawled at u_c and next at u_e costs
 *
 *   S(c, e) = Σ_{j=c}^{e−1} (u_{j+1} − u_j)·[1 − Π_{l=c+1}^{j} (1 − k_l)],   c = −1: not crawled so far (product from l = 0),
 *
 * (the paper's (18) lacks the lengths). Method: exact dynamic programme over (crawls, last crawl), f_x(e) = min_{c<e}
 * f_{x−1}(c) + S(c, e). S satisfies the Monge (quadrangle) inequality, so A(x) = f_x(Q + 1)/T is convex in x and the
 * best last crawl c is monotone in e. That takes O(Q²) for the costs and, by divide and conquer, O(Q log Q) a
 * layer. `greedy` is the paper's: each crawl where it helps most given those before; at least (1 − 1/e) of the
 * best freshness.
 *
 * Source: Wolf et al. (2002), section 2.3.3, (15)–(18), corrected. Limits: O(Q²) memory for one page at a time.
 */
import type { Poll } from '../../budget.ts';

/** Arrays of the dynamic programme of one page: reused from page to page, grown on demand. */
interface QuasiWorkspace {
  size: number;
  /** Segment costs, (Q + 2)², row c + 1, column e. */
  cost: Float64Array;
  /** f_{x−1} and f_x by the index of the next crawl. */
  previousCost: Float64Array;
  nextCost: Float64Array;
}

export function quasiWorkspace(): QuasiWorkspace {
  return { size: 0, cost: new Float64Array(0), previousCost: new Float64Array(0), nextCost: new Float64Array(0) };
}

/** One page: its possible updates are times[from..to − 1]. */
export interface QuasiPage {
  readonly times: Float64Array;
  readonly probabilities: Float64Array;
  readonly from: number;
  readonly to: number;
  readonly staleAtStart: number;
  readonly interval: number;
}

/** Fills the segment costs; afterwards S(c, e) is cost[(c + 1)·size + e] for −1 ≤ c < e ≤ Q + 1. */
function fillCosts(work: QuasiWorkspace, page: QuasiPage): number {
  const { times, probabilities, from, to, interval } = page;
  const last = to - from + 1;
  const size = last + 1;
  if (work.size < size) {
    work.size = size;
    work.cost = new Float64Array((size + 1) * size);
    work.previousCost = new Float64Array(size);
    work.nextCost = new Float64Array(size);
  }
  for (let c = -1; c < last; c++) {
    const row = (c + 1) * work.size;
    let fresh = 1;
    let sum = 0;
    let at = c <= 0 ? 0 : times[from + c - 1];
    for (let j = Math.max(c, 0); j < last; j++) {
      if (j > c) fresh *= 1 - (j === 0 ? page.staleAtStart : probabilities[from + j - 1]);
      const next = j + 1 < last ? times[from + j] : interval;
      sum += (next - at) * (1 - fresh);
      at = next;
      work.cost[row + j + 1] = sum;
    }
    if (c <= 0) work.cost[row] = 0;
  }
  return last;
}

/**
 * Sets nextCost[e] to the minimum of previousCost[c] + S(c, e) over c in [low, high]. Returns the smallest c that
 * attains it.
 */
function chooseLastCrawl(
  { cost, previousCost, nextCost, size }: QuasiWorkspace,
  e: number,
  low: number,
  high: number,
  lastCrawls: Int32Array | null,
  offset: number,
): number {
  let minimum = Number.POSITIVE_INFINITY;
  let lastCrawl = low;
  for (let c = low; c <= high; c++) {
    const value = previousCost[c] + cost[(c + 1) * size + e];
    if (value < minimum) {
      minimum = value;
      lastCrawl = c;
    }
  }
  nextCost[e] = minimum;
  if (lastCrawls !== null) lastCrawls[offset + e] = lastCrawl;
  return lastCrawl;
}

/**
 * One layer: nextCost[e] = min over c in [low, e − 1] of previousCost[c] + S(c, e), for e in [from, to], the best c being
 * monotone in e and within [low, high]; `lastCrawls` (if given) receives the smallest best c at offset + e.
 */
function splitLayer(
  work: QuasiWorkspace,
  from: number,
  to: number,
  low: number,
  high: number,
  lastCrawls: Int32Array | null,
  offset: number,
): void {
  if (from > to) return;
  const middle = (from + to) >> 1;
  const split = chooseLastCrawl(work, middle, low, Math.min(middle - 1, high), lastCrawls, offset);
  splitLayer(work, from, middle - 1, low, split, lastCrawls, offset);
  splitLayer(work, middle + 1, to, split, high, lastCrawls, offset);
}

/**
 * The gains A(x) − A(x + 1), x = 0, 1, …, as fractions of the interval, written from `offset` on; non-increasing, stops
 * at the first that is 0. Returns how many were written (at most Q + 1).
 */
export function quasiGains(work: QuasiWorkspace, page: QuasiPage, gains: Float64Array, offset: number): number {
  const last = fillCosts(work, page);
  const { cost } = work;
  let stale = cost[last];
  // f_1(e): never crawled before the first crawl at c: S(−1, c)
  for (let c = 0; c < last; c++) work.previousCost[c] = cost[c];
  let count = 0;
  for (let x = 1; x <= last && stale > 0; x++) {
    splitLayer(work, x, last, x - 1, last - 1, null, 0);
    const nextStale = Math.min(stale, work.nextCost[last]);
    const gain = (stale - nextStale) / page.interval;
    gains[offset + count] = count === 0 ? gain : Math.min(gain, gains[offset + count - 1]);
    count++;
    stale = nextStale;
    [work.previousCost, work.nextCost] = [work.nextCost, work.previousCost];
  }
  return count;
}

/** Crawl points (indices 0..Q; 0 is the start) of the best x ≤ Q + 1 crawls, increasing. */
export function quasiCrawlPoints(work: QuasiWorkspace, page: QuasiPage, x: number): Int32Array {
  const last = fillCosts(work, page);
  const points = new Int32Array(Math.min(x, last));
  const width = last + 1;
  const lastCrawls = new Int32Array(points.length * width);
  for (let c = 0; c < last; c++) work.previousCost[c] = work.cost[c];
  for (let k = 1; k <= points.length; k++) {
    splitLayer(work, k, last, k - 1, last - 1, lastCrawls, (k - 1) * width);
    [work.previousCost, work.nextCost] = [work.nextCost, work.previousCost];
  }
  let e = last;
  for (let k = points.length; k >= 1; k--) {
    e = lastCrawls[(k - 1) * width + e];
    points[k - 1] = e;
  }
  return points;
}

/**
 * The paper's greedy rule: the gain of each crawl placed where it saves most given those before. Gains are written from
 * `offset` on; `points` (if given) receives the crawl points in the order chosen. Ties go to the earliest. O(Q²).
 */
export function quasiGreedy(
  work: QuasiWorkspace,
  page: QuasiPage,
  gains: Float64Array,
  offset: number,
  points: Int32Array | null,
): number {
  const last = fillCosts(work, page);
  const { cost, size } = work;
  // the neighbours among the crawled points of every point; −1 before the first, `last` after the final one
  const neighbourBefore = new Int32Array(last).fill(-1);
  const neighbourAfter = new Int32Array(last).fill(last);
  const isOpen = new Uint8Array(last).fill(1);
  let count = 0;
  for (;;) {
    let bestSaving = 0;
    let bestPoint = -1;
    for (let j = 0; j < last; j++) {
      if (isOpen[j] === 0) continue;
      const row = (neighbourBefore[j] + 1) * size;
      const saving = cost[row + neighbourAfter[j]] - cost[row + j] - cost[(j + 1) * size + neighbourAfter[j]];
      if (saving > bestSaving) {
        bestSaving = saving;
        bestPoint = j;
      }
    }
    if (bestPoint < 0) return count;
    const gain = bestSaving / page.interval;
    gains[offset + count] = count === 0 ? gain : Math.min(gain, gains[offset + count - 1]);
    if (points !== null) points[count] = bestPoint;
    count++;
    isOpen[bestPoint] = 0;
    for (let j = bestPoint + 1; j < last && neighbourBefore[j] < bestPoint; j++) neighbourBefore[j] = bestPoint;
    for (let j = bestPoint - 1; j >= 0 && neighbourAfter[j] > bestPoint; j--) neighbourAfter[j] = bestPoint;
  }
}

/**
 * The gains of quasi-deterministic pages: those of entry k are gains[offsets[k]..offsets[k + 1] − 1], non-increasing.
 */
export interface GainTable {
  readonly offsets: Int32Array;
  readonly gains: Float64Array;
}

/**
 * The gains of all quasi-deterministic pages.
 *
 * @param greedy whether crawls are taken by the greedy rule
 * @throws NothingToReturn when `poll` ends the solve
 */
export function quasiTable(pages: readonly QuasiPage[], greedy: boolean, poll: Poll): GainTable {
  const gains = new Float64Array(pages.reduce((sum, { from, to }) => sum + to - from + 1, 0));
  const offsets = new Int32Array(pages.length + 1);
  const work = quasiWorkspace();
  let end = 0;
  for (const [k, page] of pages.entries()) {
    poll((page.to - page.from + 1) ** 2);
    end += greedy ? quasiGreedy(work, page, gains, end, null) : quasiGains(work, page, gains, end);
    offsets[k + 1] = end;
  }
  return { offsets, gains };
}
