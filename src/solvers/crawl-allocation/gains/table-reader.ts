/**
 * Reads real-valued counts of many pages at a price off the tables (inverse-table.ts).
 *
 * At price θ the gap s of page i solves G(s) = p = θ/worth; the tables give z = √p/s, hence the real number of gaps
 * v = Y·z/√p. A gain n → n + 1 is the mean of G(Y/ν) over [n, n + 1]. So the number of gaps reached is the floor of
 *
 *   v + ½ + (3 − s·h(s))/(24v),
 *
 * up to an error of order 1/v³; h is the hazard rate (1 for Poisson, 1/(1 + s/α) for Lomax). Pages whose value is close
 * to an integer must be decided by exact gains: `margin` says how close,
 *
 *   0.002 + 0.08/v² + 2e−5·(1 + s²)·v,
 *
 * measured, not proved, which is why the answer is certified afterwards (certificate.ts).
 * Under another objective than freshness the gap needs no table (readCosted). Cost: about 15 ns a page. Source: our
 * own; see docs/crawl-allocation.md.
 */

import {
  lomaxCells,
  lomaxMost,
  lomaxRows,
  lomaxTable,
  poissonCells,
  poissonMost,
  poissonTable,
} from './inverse-table.ts';
import { costedProcess, lomaxProcess, type Pages, poissonProcess } from './pages.ts';

const poissonScale = poissonCells / poissonMost;
const lomaxScale = (lomaxCells * (1 + lomaxMost)) / lomaxMost;
const lomaxWidth = lomaxCells + 2;

/** Pages read at a time. */
export const blockSize = 2048;

/** Real-valued count below which a page never crawled takes one crawl at most: two need √2 where they save most. */
const mostForOne = 1.35;

/**
 * Whether a Poisson page never crawled, of load y, takes its first crawl (1), or not (0), at every root from q·lowest
 * to q/lowest. At −1 its gain must be asked. The gain 1 − e^(−y) is 2t/(1 + t), t = tanh(y/2), between y/2/(1 + y²/12)
 * and y/2.
 */
function firstCrawl(y: number, q: number, lowest: number): number {
  const half = y / 2;
  const least = q * lowest;
  if (least * least * (1 + half) >= y) return 0;
  const tanh = half / (1 + (half * half) / 3);
  const most = q / lowest;
  return most * most * (1 + tanh) <= 2 * tanh * (1 - 1e-12) ? 1 : -1;
}

/** What is read. */
export interface Tables {
  /** 1/√worth of each page. */
  readonly rootInverse: Float64Array;
  readonly poisson: Float64Array;
  readonly lomax: Float64Array;
}

/** The tables for these pages. */
function tablesFor({ count, worth, process }: Pages): Tables {
  const rootInverse = new Float64Array(count);
  for (let i = 0; i < count; i++) rootInverse[i] = 1 / Math.sqrt(worth[i]);
  const lomax = process.includes(lomaxProcess) ? lomaxTable() : new Float64Array(0);
  return { rootInverse, poisson: poissonTable(), lomax };
}

export class TableReader {
  readonly tables: Tables;
  private readonly pages: Pages;
  /** Real-valued counts of the block: the floor is the count unless it is within the margin of an integer. */
  readonly count = new Float64Array(blockSize);
  /** How close to an integer the floor can be trusted: ≥ 1 not at all, 2 if the tables say nothing at all. */
  readonly margin = new Float64Array(blockSize);
  /** |d count/d ln θ|. */
  readonly slope = new Float64Array(blockSize);

  constructor(pages: Pages, tables = tablesFor(pages)) {
    this.pages = pages;
    this.tables = tables;
  }

  /**
   * Reads pages chosen[from..] (or from, from + 1, … when null) at a price with square root `root`, `length` ≤ 2048 of
   * them.
   *
   * @param lowest factor ≤ 1 to the smallest root for which "no crawl at all" has to hold
   */
  read(chosen: Int32Array | null, from: number, length: number, root: number, lowest: number): void {
    const { process, age: ages, length: lengths, alpha: alphas } = this.pages;
    const { count, margin, slope } = this;
    const { rootInverse, poisson, lomax } = this.tables;
    for (let k = 0; k < length; k++) {
      const i = chosen === null ? from + k : chosen[from + k];
      const family = process[i];
      const q = root * rootInverse[i];
      let z: number;
      let slopeZ: number;
      let s: number;
      let correction: number;
      // nothing, unless what follows finds something
      count[k] = 0.5;
      margin[k] = 2;
      slope[k] = 0;
      if (family === poissonProcess) {
        if (!(q < poissonMost)) {
          // from q = 1 on the price is above all that a gap can save
          if (q * lowest >= 1) margin[k] = 0;
          continue;
        }
        const at = q * poissonScale;
        const cell = at | 0;
        const low = poisson[cell];
        const rise = poisson[cell + 1] - low;
        z = low + (at - cell) * rise;
        slopeZ = at * rise;
        s = q / z;
        correction = 3 - s;
      } else if (family === lomaxProcess) {
        if (!(q < lomaxMost)) continue;
        const alpha = alphas[i];
        const share = 1 / (1 + q);
        const at = q * share * lomaxScale;
        const cell = at | 0;
        const row = lomaxRows / alpha;
        const wholeRow = row | 0;
        const below = wholeRow * lomaxWidth + cell;
        const above = below + lomaxWidth;
        if (lomax[below + 1] === 0) continue;
        const f = row - wholeRow;
        const left = lomax[below] + f * (lomax[above] - lomax[below]);
        const rise = lomax[below + 1] + f * (lomax[above + 1] - lomax[below + 1]) - left;
        z = left + (at - cell) * rise;
        slopeZ = at * share * rise;
        s = q / z;
        if (s > 16) continue;
        correction = 3 - s / (1 + s / alpha);
      } else {
        if (family === costedProcess) this.#readCosted(i, k, q * q);
        continue;
      }
      const y = lengths[i];
      const age = ages === null ? -1 : ages[i];
      const begun = age >= 0 && s >= age * y;
      const perGap = (begun ? y + y * age : y) / q;
      const v = perGap * z;
      slope[k] = 0.5 * perGap * (z - slopeZ);
      if (v < (begun ? 1 : 1.2)) {
        // begun: the first gain is the mean of G(Y/ν) over [1, 2], below G(Y/1) < p, so no crawl; else ask exact gains
        margin[k] = begun ? 0 : 1;
        if (age < 0 && family === poissonProcess && v < mostForOne * lowest) {
          const taken = firstCrawl(y, q, lowest);
          if (taken >= 0) {
            count[k] = taken + 0.5;
            margin[k] = 0;
            slope[k] *= taken;
          }
        }
        continue;
      }
      const found = v + (begun ? -0.5 : 0.5) + correction / (24 * v);
      const close = 0.002 + 0.08 / (v * v) + 2e-5 * (1 + s * s) * v;
      count[k] = found;
      // near the border between the two starts (crawls × age = interval) the gain is a mixture
      const border = begun ? (found + close) * age > 1 : age >= 0 && (found - close - 2) * age <= 1;
      margin[k] = border ? 1 : close;
    }
  }

  /**
   * Page i, of known age, under another objective: the gap s of G(s) = p in closed form.
   * In place of −s·h(s) the correction has s·c″/c′, which is between −1 and 1 for every objective, and goes into the
   * margin.
   */
  #readCosted(i: number, k: number, p: number): void {
    const { cost, alpha, length, age } = this.pages;
    const old = length[i] * (age === null ? 0 : age[i]);
    const s = cost.intervalAt(alpha[i], 1, p);
    const begun = s >= old;
    const v = (begun ? length[i] + old : length[i]) / s;
    if (v < (begun ? 1 : 1.2)) {
      this.margin[k] = begun ? 0 : 1;
      return;
    }
    this.slope[k] = (v * (p / s)) / (s * cost.growth(alpha[i], s));
    const found = v + (begun ? -0.5 : 0.5) + 1 / (8 * v);
    const close = 0.002 + (0.045 + 0.08 / v) / v;
    this.count[k] = found;
    const border = begun ? (found + close) * old > length[i] : (found - close - 2) * old <= length[i];
    this.margin[k] = border ? 1 : close;
  }
}
