/**
 * How many crawls every page takes at a price: the one hot loop of the allocation.
 *
 * At price θ page i takes every crawl whose gain is at least θ: x_i(θ) = #{x ≥ m_i : gain ≥ θ}, at most M_i. With the gap s
 * and the real number of gaps v the tables give (inverse-table.ts), a gain n → n + 1 is the mean of G(Y/ν) over [n, n + 1], so
 *
 *   n + 1 ≤ ν = v + ½ + (3 − s·h(s))/(24v),  h the hazard rate (1 for Poisson, 1/(1 + s/α) for Lomax),
 *
 * decides the count up to an error of order 1/v³. Only pages with ν close to an integer need the exact gains of
 * page-gain.ts; the closeness allowed for is
 *
 *   0.002 + 0.08/v² + 2e−5·(1 + s²)·v + (how far ν moves between the two prices),
 *
 * measured, not proved, which is why the answer is certified afterwards with exact gains.
 *
 * `countBetween` does two prices at once: the counts at the higher one, and every gain between the two. Families without
 * a table, and prices outside a table's domain, are searched by doubling and halving on exact gains from the last count.
 *
 * Cost: about 15 ns a page where the table decides.
 */
import type { Budget } from '../budget.ts';
import { NothingToReturn } from '../budget.ts';
import type { Candidates } from './candidates.ts';
import {
  lomaxCells,
  lomaxMost,
  lomaxRows,
  lomaxTable,
  poissonCells,
  poissonMost,
  poissonTable,
} from './inverse-table.ts';
import { gainOfNext } from './page-gain.ts';
import { LOMAX, type Pages, POISSON, QUASI_DETERMINISTIC } from './pages.ts';

const poissonScale = poissonCells / poissonMost;
const lomaxScale = (lomaxCells * (1 + lomaxMost)) / lomaxMost;
const lomaxWidth = lomaxCells + 2;

/** Reads the count of page after page off the tables. `look` leaves its findings in the fields. */
export class TableReader {
  private readonly pages: Pages;
  private readonly poisson = poissonTable();
  private readonly lomax: Float64Array;
  /** Real-valued count: its floor is the count unless it is within `margin` of an integer. */
  count = 0;
  /** How close to an integer the floor can be trusted; ≥ 1: not at all. */
  margin = 0;
  /** |d count/d ln θ|. */
  slope = 0;

  constructor(pages: Pages) {
    this.pages = pages;
    this.lomax = pages.process.includes(LOMAX) ? lomaxTable() : new Float64Array(0);
  }

  /**
   * Looks page i up at a price with square root `root`; false where the tables do not reach. `lowest` ≤ 1 is the factor to
   * the smallest root the answer has to hold for.
   */
  look(i: number, root: number, lowest: number): boolean {
    const pages = this.pages;
    const process = pages.process[i];
    const q = root / Math.sqrt(pages.worth[i]);
    let z: number;
    let slopeZ: number;
    let s: number;
    let correction: number;
    if (process === POISSON) {
      if (!(q < poissonMost)) {
        // from q = 1 on the price is above all that a gap can save
        this.count = 0.5;
        this.margin = 0;
        this.slope = 0;
        return q * lowest >= 1;
      }
      const at = q * poissonScale;
      const k = at | 0;
      const low = this.poisson[k];
      const rise = this.poisson[k + 1] - low;
      z = low + (at - k) * rise;
      slopeZ = q * poissonScale * rise;
      s = q / z;
      correction = 3 - s;
    } else if (process === LOMAX) {
      if (!(q < lomaxMost)) return false;
      const alpha = pages.alpha[i];
      const share = 1 / (1 + q);
      const at = q * share * lomaxScale;
      const k = at | 0;
      const row = lomaxRows / alpha;
      const r = row | 0;
      const below = r * lomaxWidth + k;
      const above = below + lomaxWidth;
      const table = this.lomax;
      if (table[below + 1] === 0) return false;
      const f = row - r;
      const left = table[below] + f * (table[above] - table[below]);
      const rise = table[below + 1] + f * (table[above + 1] - table[below + 1]) - left;
      z = left + (at - k) * rise;
      slopeZ = q * share * share * lomaxScale * rise;
      s = q / z;
      if (s > 16) return false;
      correction = 3 - s / (1 + s / alpha);
    } else return false;
    const y = pages.length[i];
    const age = pages.age === null ? -1 : pages.age[i];
    const begun = age >= 0 && s >= age * y;
    const perGap = (begun ? y + y * age : y) / q;
    const v = perGap * z;
    this.slope = 0.5 * perGap * (z - slopeZ);
    if (begun && v < 1) {
      // the first gain is the mean of G(Y/ν) over [1, 2], below G(Y/1) < p
      this.count = 0.5;
      this.margin = 0;
      return true;
    }
    if (!begun && v < 1.2) {
      this.count = 0.5;
      this.margin = 1;
      return true;
    }
    const count = v + (begun ? -0.5 : 0.5) + correction / (24 * v);
    const margin = 0.002 + 0.08 / (v * v) + 2e-5 * (1 + s * s) * v;
    this.count = count;
    // near the border between the two starts (crawls × age = interval) the gain is a mixture
    const border = begun ? (count + margin) * age > 1 : age >= 0 && (count - margin - 2) * age <= 1;
    this.margin = border ? 1 : margin;
    return true;
  }
}

/** The exact count of page i at price θ by doubling and halving from a guess. */
export function exactCount(pages: Pages, i: number, price: number, guess: number): number {
  const least = pages.minimum[i];
  const most = pages.maximum[i];
  let low = Math.max(least, Math.min(most, guess));
  let high: number;
  if (low < most && gainOfNext(pages, i, low) >= price) {
    let step = 1;
    high = low + 1;
    while (high < most && gainOfNext(pages, i, high) >= price) {
      low = high;
      high = Math.min(most, high + step);
      step *= 2;
    }
    low++;
  } else {
    // the count is at most `low`
    high = low;
    let step = 1;
    while (high > least) {
      const below = Math.max(least, high - step);
      if (gainOfNext(pages, i, below) >= price) {
        low = below + 1;
        break;
      }
      high = below;
      low = below;
      step *= 2;
    }
  }
  // the count is in [low, high], gain(low − 1) ≥ price, gain(high) < price (or high is the maximum)
  while (low < high) {
    const middle = low + ((high - low) >> 1);
    if (gainOfNext(pages, i, middle) >= price) low = middle + 1;
    else high = middle;
  }
  return low;
}

const pollEvery = 8192;

/** Stops the solve when asked to: nothing worth returning exists yet. */
export function poll(budget: Budget): void {
  if (budget.stopRequested()) throw new NothingToReturn('stopped before the price of a crawl was known');
}

/** Counts near a price, without exact gains where a table answers: Σ counts and −dΣ/d ln θ. */
export function roughCount(
  pages: Pages,
  reader: TableReader | null,
  chosen: Int32Array | null,
  price: number,
  crawls: Int32Array,
  budget: Budget,
): { total: number; slope: number } {
  const root = Math.sqrt(price);
  const length = chosen === null ? pages.count : chosen.length;
  let total = 0;
  let slope = 0;
  for (let at = 0; at < length; at++) {
    if (at % pollEvery === 0) poll(budget);
    const i = chosen === null ? at : chosen[at];
    const least = pages.minimum[i];
    const most = pages.maximum[i];
    if (least === most) {
      total += least;
      continue;
    }
    if (reader?.look(i, root, 1) && reader.margin < 1) {
      const count = reader.count;
      if (count < least) total += least;
      else if (count >= most) total += most;
      else {
        total += count | 0;
        slope += reader.slope;
      }
      continue;
    }
    const count = exactCount(pages, i, price, crawls[i]);
    crawls[i] = count;
    total += count;
    if (pages.process[i] !== QUASI_DETERMINISTIC && count > least && count < most) slope += 0.5 * count;
  }
  return { total, slope };
}

/**
 * Exact counts at price `high` into `crawls` (their sum is returned), and every gain in [low, high) into `candidates`, as
 * long as there is room. Without a `reader` every page is decided by exact gains.
 */
export function countBetween(
  pages: Pages,
  reader: TableReader | null,
  low: number,
  high: number,
  crawls: Int32Array,
  candidates: Candidates,
  budget: Budget,
): number {
  const halfWidth = 0.5 * Math.log(high / low);
  const root = Math.sqrt(Math.sqrt(low) * Math.sqrt(high));
  const lowest = Math.exp(-0.51 * halfWidth);
  candidates.clear();
  let total = 0;
  for (let i = 0; i < pages.count; i++) {
    if (i % pollEvery === 0) poll(budget);
    const least = pages.minimum[i];
    const most = pages.maximum[i];
    if (least === most) {
      crawls[i] = least;
      total += least;
      continue;
    }
    let guess = crawls[i];
    if (reader?.look(i, root, lowest)) {
      const count = reader.count;
      // the slope itself moves by less than a tenth over the widths used
      const margin = reader.margin + 1.1 * halfWidth * reader.slope;
      guess = count < most ? count | 0 : most;
      if (margin < 1) {
        const over = count - guess;
        const x = guess < least ? least : guess;
        if ((over > margin && over < 1 - margin) || count - margin >= most || count + margin < least) {
          crawls[i] = x;
          total += x;
          continue;
        }
      }
    }
    let x = exactCount(pages, i, high, guess);
    crawls[i] = x;
    total += x;
    for (; x < most && candidates.hasRoom(); x++) {
      const gain = gainOfNext(pages, i, x);
      if (gain < low) break;
      candidates.push(i, gain);
    }
  }
  return total;
}
