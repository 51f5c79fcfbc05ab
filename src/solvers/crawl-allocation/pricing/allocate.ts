/**
 * Exact allocation of R crawls to pages with non-increasing gains and bounds: one multiplier.
 *
 * Model: minimise Σ w_i·A_i(x_i), Σ x_i = R, m_i ≤ x_i ≤ M_i, A_i convex. Taking the R − Σ m_i largest gains that the bounds
 * allow is optimal (Fox 1966), so some price θ has every gain above θ taken and none below.
 * Method: (1) a price from a sample of pages, by the Illinois variant of false position in ln θ; (2) a pass over all pages
 * reading counts off tables, and one Newton step; (3) a pass that counts exactly at a price just above and collects the gains
 * between it and a price just below; widened, moved or halved until R lies between the two counts; (4) the largest of the
 * collected gains fill up what is left.
 * Stopping rule: step 3 ends with exact counts on both sides of R, so the result is optimal up to the certificate the caller
 * runs (certificate.ts). Ties are broken in page order; a tie of more than 2N gains (saturated pages) is spread evenly.
 * Complexity: O(N) expected, two to three passes; the sort of step 4 is over a few thousand gains, up to 2N where pages tie.
 * Source: Fox (1966); Frederickson & Johnson (1982) for the problem, Wolf et al. (2002), section 2.4, (19)–(21).
 */
import { type Budget, NothingToReturn } from '../../budget.ts';
import { gainOfNext } from '../gains/page-gain.ts';
import { TableReader } from '../gains/table-reader.ts';
import { type Pages, QUASI_DETERMINISTIC } from '../model/pages.ts';
import { Candidates } from './candidates.ts';
import { countBetween, roughCount } from './price-count.ts';

const sampleSize = 16384;
/** Three are usual; halving to the last bit takes some hundred. */
const mostPasses = 3000;

/**
 * The optimal counts. Feasibility (Σ m ≤ R ≤ Σ M) must have been checked.
 *
 * @param useTables false: exact gains decide every page: for small problems, which do not repay building the tables, and should
 *   a certificate ever fail
 */
export function allocate(pages: Pages, total: number, budget: Budget, useTables: boolean): Int32Array {
  const crawls = pages.minimum.slice();
  let room = total;
  for (let i = 0; i < pages.count; i++) room -= pages.minimum[i];
  if (room === 0) return crawls;
  const useful = usefulCrawls(pages);
  let usefulRoom = 0;
  for (let i = 0; i < pages.count; i++) usefulRoom += useful[i] - pages.minimum[i];
  if (usefulRoom <= room) {
    crawls.set(useful);
    spreadEvenly(crawls, pages.maximum, room - usefulRoom);
    return crawls;
  }
  const reader = useTables ? new TableReader(pages) : null;
  const price = startingPrice(pages, reader, total, crawls, budget);
  budget.report({ fraction: 0.3 });
  bracket(pages, reader, total, price, crawls, budget);
  return crawls;
}

/** Most crawls of each page that save anything. */
function usefulCrawls(pages: Pages): Int32Array {
  const useful = pages.maximum.slice();
  const { offsets, gains } = pages.table;
  for (let i = 0; i < pages.count; i++) {
    if (pages.worth[i] === 0) useful[i] = pages.minimum[i];
    else if (pages.process[i] === QUASI_DETERMINISTIC) {
      const from = offsets[pages.slot[i]];
      let end = offsets[pages.slot[i] + 1];
      while (end > from && gains[end - 1] === 0) end--;
      useful[i] = Math.max(pages.minimum[i], Math.min(pages.maximum[i], end - from));
    }
  }
  return useful;
}

/** Adds `extra` crawls, as evenly as the maxima allow, to the first pages where not even: they all save the same. */
function spreadEvenly(crawls: Int32Array, maximum: Int32Array, extra: number): void {
  let left = extra;
  while (left > 0) {
    let open = 0;
    for (let i = 0; i < crawls.length; i++) if (crawls[i] < maximum[i]) open++;
    const each = Math.max(1, Math.floor(left / open));
    for (let i = 0; i < crawls.length && left > 0; i++) {
      const more = Math.min(each, maximum[i] - crawls[i], left);
      crawls[i] += more;
      left -= more;
    }
  }
}

/** Evenly strided by the golden ratio: a sample that no period in the order of the pages can fool. */
function samplePages(count: number): Int32Array | null {
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

/** A price at which about `total` crawls are taken. */
function startingPrice(
  pages: Pages,
  reader: TableReader | null,
  total: number,
  crawls: Int32Array,
  budget: Budget,
): number {
  const sample = samplePages(pages.count);
  const wanted = sample === null ? total : (total * sample.length) / pages.count;
  let price = typicalGain(pages, sample, Math.round(total / pages.count));
  // surplus(θ) = count − wanted falls in ln θ; bracket it, then false position
  const surplus = (at: number): number => roughCount(pages, reader, sample, at, crawls, budget).total - wanted;
  let low = 0;
  let high = 0;
  let atLow = 0;
  let atHigh = 0;
  let factor = 2;
  let here = surplus(price);
  for (let pass = 0; pass < 40 && (low === 0 || high === 0); pass++) {
    if (here >= 0) {
      low = price;
      atLow = here;
    } else {
      high = price;
      atHigh = here;
    }
    if (low > 0 && high > 0) break;
    price = here >= 0 ? price * factor : price / factor;
    if (!(price > 1e-300 && price < 1e300)) break;
    factor = Math.min(1e6, factor * factor);
    here = surplus(price);
  }
  if (low === 0 || high === 0) return low + high;
  let side = 0;
  for (let pass = 0; pass < 25 && atLow > atHigh; pass++) {
    const width = Math.log(high / low);
    if (width < 1e-4 || Math.min(atLow, -atHigh) < 1e-3 * wanted) break;
    price = low * Math.exp((width * atLow) / (atLow - atHigh));
    if (!(price > low && price < high)) break;
    here = surplus(price);
    if (here >= 0) {
      low = price;
      atLow = here;
      if (side === 1) atHigh /= 2;
      side = 1;
    } else {
      high = price;
      atHigh = here;
      if (side === -1) atLow /= 2;
      side = -1;
    }
  }
  return atLow < -atHigh ? low : high;
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

/** Steps 2 to 4. */
function bracket(
  pages: Pages,
  reader: TableReader | null,
  total: number,
  start: number,
  crawls: Int32Array,
  budget: Budget,
): void {
  const candidates = new Candidates();
  const collected = 2 * pages.count + 65536;
  candidates.limit = collected;
  const rough = roughCount(pages, reader, null, start, crawls, budget);
  const slope = Math.max(rough.slope, 1);
  const step = Math.max(-1, Math.min(1, (rough.total - total) / slope));
  const price = start * Math.exp(step);
  budget.report({ fraction: 0.5 });
  // wide enough for what a Newton step leaves, narrow enough to collect few gains
  let half = Math.min(Math.max(2e-4, step * step, 64 / slope), Math.max(16384, pages.count / 16) / slope, 0.5);
  let low = price * Math.exp(-half);
  let high = price * Math.exp(half);
  // the lowest price known to be too dear and the highest known to be cheap enough, with their counts
  let dear = Number.POSITIVE_INFINITY;
  let atDear = 0;
  let cheap = 0;
  let atCheap = Number.POSITIVE_INFINITY;
  const count = (from: number, to: number): number => countBetween(pages, reader, from, to, crawls, candidates, budget);
  const learn = (at: number, taken: number): void => {
    if (taken <= total) {
      dear = at;
      atDear = taken;
    } else {
      cheap = at;
      atCheap = taken;
    }
  };
  for (let pass = 0; ; pass++) {
    if (pass > mostPasses)
      throw new NothingToReturn('the price of a crawl was not found within the accuracy of doubles');
    if (cheap > 0 && dear < Number.POSITIVE_INFINITY) {
      if (atCheap - atDear > collected) {
        candidates.limit = 0;
        const halfway = Math.sqrt(cheap) * Math.sqrt(dear);
        if (dear <= cheap * (1 + 2e-13) || halfway <= cheap || halfway >= dear) {
          // what is left is one tie: it may go anywhere, so evenly
          count(cheap, cheap);
          const rich = crawls.slice();
          spreadEvenly(crawls, rich, total - count(dear, dear));
          return;
        }
        // far too many gains in between: count halfway, and on both sides of a middle one, which finds ties at once
        candidates.limit = 65_536;
        count(cheap, dear);
        const pivot = candidates.middle();
        candidates.limit = 0;
        for (const at of [pivot * (1 + 5e-14), pivot * (1 - 5e-14), halfway]) {
          if (at > cheap && at < dear) learn(at, count(at, at));
        }
        continue;
      }
      low = cheap;
      high = dear;
      candidates.limit = Number.POSITIVE_INFINITY;
    }
    low = Math.max(low, Number.MIN_VALUE);
    const atHigh = count(low, high);
    learn(high, atHigh);
    if (atHigh <= total && candidates.hasRoom()) {
      const atLow = atHigh + candidates.length;
      if (atLow >= total) {
        candidates.takeLargest(total - atHigh, crawls);
        return;
      }
      if (low === Number.MIN_VALUE) {
        // every gain that a double can hold is taken: the rest saves nothing
        candidates.takeLargest(candidates.length, crawls);
        spreadEvenly(crawls, pages.maximum, total - atLow);
        return;
      }
      learn(low, atLow);
    } else if (atHigh <= total) {
      candidates.limit = 0;
      learn(low, count(low, low));
      candidates.limit = collected;
    }
    half *= 4;
    if (atHigh > total) {
      low = high;
      high *= Math.exp(half);
    } else {
      high = low;
      low *= Math.exp(-half);
    }
  }
}
