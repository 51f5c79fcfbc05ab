/**
 * Exact allocation of R crawls to pages with non-increasing gains and bounds: one multiplier.
 *
 * Model: minimise Σ w_i·A_i(x_i), Σ x_i = R, m_i ≤ x_i ≤ M_i, A_i convex. Taking the R − Σ m_i largest gains that the
 * bounds allow is optimal (Fox 1966). So some price θ has every gain above θ taken and none below. Method. (1) A
 * clearing price of a sample of pages. (2) One Newton step. (3) A
 * pass that counts exactly at a price just above and collects the gains between it and a price just below. The two are
 * widened, moved or halved until R lies between their counts. (4) The largest of the collected gains fill up what is
 * left. Stopping rule: step 3 ends with exact counts on both sides of R. So the result is optimal up to the certificate
 * the caller runs (certificate.ts). Ties are broken in page order; a tie of more than 2N gains (saturated pages) is
 * spread evenly. Complexity: O(N) expected, two to three passes; the sort of step 4 is over a few thousand gains, up to
 * 2N where pages tie. Source: Fox (1966); Frederickson & Johnson (1982) for the problem, Wolf et al. (2002), section
 * 2.4, (19)–(21).
 */
import type { Budget } from '../../budget.ts';
import { clearingPrice } from '../../market/index.ts';
import { gainOfNext } from '../gains/page-gain.ts';
import { type Pages, quasiDeterministicProcess } from '../gains/pages.ts';
import { bracketPrice } from './price-bracket.ts';
import { PriceCounter } from './price-count.ts';
import { spreadEvenly } from './spread-evenly.ts';

const sampleSize = 16_384;
/** Lower prices have no inverse. */
const lowestPrice = 1e-299;

/**
 * The optimal counts. Feasibility (Σ m ≤ R ≤ Σ M) must have been checked.
 */
export function allocate(pages: Pages, total: number, budget: Budget): Int32Array {
  let room = total;
  for (let i = 0; i < pages.count; i++) room -= pages.minimum[i];
  if (room === 0) return pages.minimum.slice();
  let usefulRoom = 0;
  for (let i = 0; i < pages.count; i++) usefulRoom += usefulCrawls(pages, i) - pages.minimum[i];
  if (usefulRoom <= room) {
    const crawls = new Int32Array(pages.count).map((_, i) => usefulCrawls(pages, i));
    spreadEvenly(crawls, pages.maximum, room - usefulRoom);
    return crawls;
  }
  const counter = new PriceCounter(pages, budget);
  const start = startingPrice(pages, counter, total);
  budget.report({ fraction: 0.3 });
  return bracketPrice({ pages, counter, total, start, sample: samplePages(pages.count) }, budget);
}

/** Most crawls of page i that save anything. */
function usefulCrawls({ worth, process, slot, minimum, maximum, table: { offsets, gains } }: Pages, i: number): number {
  if (worth[i] === 0) return minimum[i];
  if (process[i] !== quasiDeterministicProcess) return maximum[i];
  const from = offsets[slot[i]];
  let end = offsets[slot[i] + 1];
  while (end > from && gains[end - 1] === 0) end--;
  return Math.max(minimum[i], Math.min(maximum[i], end - from));
}

/** Evenly strided by the golden ratio: a sample that no period in the order of the pages can fool. */
export function samplePages(count: number): Int32Array | null {
  if (count <= sampleSize) return null;
  const chosen = new Int32Array(sampleSize);
  let at = 0.5;
  for (let k = 0; k < sampleSize; k++) {
    at += 0.6180339887498949;
    if (at >= 1) at -= 1;
    chosen[k] = Math.floor(at * count);
  }
  return chosen.sort();
}

/** A price at which about `total` crawls are taken: the root in ln θ of what a sample of the pages takes too much. */
function startingPrice(pages: Pages, counter: PriceCounter, total: number): number {
  const sample = samplePages(pages.count);
  const wanted = sample === null ? total : (total * sample.length) / pages.count;
  const { high } = clearingPrice((price) => counter.rough(sample, price).total, {
    supply: wanted,
    start: typicalGain(pages, sample, Math.round(total / pages.count)),
    step: Math.LN2,
    floor: lowestPrice,
    ceiling: 1 / lowestPrice,
    // within a thousandth is close enough
    tolerance: 1e-3,
  });
  return high;
}

/** The middle gain of the next crawl when every page has the same number: a first idea of the price. */
function typicalGain(pages: Pages, sample: Int32Array | null, each: number): number {
  const length = Math.min(sample === null ? pages.count : sample.length, 1024);
  const stride = (sample === null ? pages.count : sample.length) / length;
  const gains = new Float64Array(length);
  for (let k = 0; k < length; k++) {
    const at = Math.floor(k * stride);
    const i = sample === null ? at : sample[at];
    gains[k] = gainOfNext(pages, i, Math.max(pages.minimum[i], Math.min(pages.maximum[i] - 1, each)));
  }
  gains.sort();
  for (let k = length >> 1; k < length; k++) if (gains[k] > 0) return gains[k];
  return 1;
}
