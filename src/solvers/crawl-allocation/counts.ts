/**
 * Whole counts of crawls by marginal gains: the best of a number of crawls, and the fewest that keep a target.
 *
 * Model: minimise Σ w_i·A_i(x_i), Σ x_i = R, m_i ≤ x_i ≤ M_i, Σ over a host ≤ C_h, all A_i convex. Taking the largest
 * gains that limits allow is optimal (Fox 1966; for hosts, whose limits form a polymatroid, Federgruen & Groenevelt
 * 1986). So at some price every gain above it is taken and none below. The market (solvers/market, which calls a crawl a
 * fetch and R the supply) finds it: at price θ page i takes every crawl whose gain is at least θ, x_i(θ) = #{x ≥ m_i :
 * gain ≥ θ}, at most M_i. That is found by doubling and halving on exact gains (CountSearch) from the count of the last
 * price. The search of a Poisson page, and the first of a Lomax page, starts from the count with Poisson updates: gap s
 * with G(s) = θ/scale, by a series for G⁻¹ (firstGuess).
 * Two prices that enclose the supply leave few crawls open; the market deals these by gain.
 * Complexity: two or three gains a page and price. Source: Wolf et al. (2002), section 2.4, (19)–(21).
 */
import type { Budget } from '../budget.ts';
import { clearWholeSupply, clearWholeTarget, type InfeasibleTarget, type WholeMarketProblem } from '../market/index.ts';
import { apportion } from './apportion.ts';
import type { HostConstraints } from './evaluate-counts.ts';
import { gainOfNext, lomaxProcess, meanCost, poissonProcess, type ScaledPages } from './gains/page-gain.ts';

/** Pages with their weights and the limits of their hosts. */
export interface CountsProblem {
  readonly pages: ScaledPages;
  readonly weight: Float64Array;
  readonly hosts: HostConstraints | null;
}

/** The market for crawls: the demand of the pages, limited by their hosts. */
export function marketOf({ pages, weight, hosts }: CountsProblem, budget: Budget): WholeMarketProblem {
  const search = new CountSearch(pages);
  return {
    demand: {
      pages: pages.count,
      fetchesAt: (i, price) => search.countAt(i, price),
      costOf(i, x) {
        const whole = Math.floor(x);
        const cost = weight[i] * meanCost(pages, i, whole);
        return x === whole ? cost : cost + (x - whole) * (weight[i] * meanCost(pages, i, whole + 1) - cost);
      },
      gain: (i, x) => search.gain(i, x),
    },
    hosts: hosts && { of: hosts.of, limit: hosts.maxCrawls },
    start: meanGain(pages),
    budget,
  };
}

/**
 * The counts of `total` crawls that cost least; crawls that save nothing are spread evenly. Feasibility must have been
 * checked.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function bestCounts(problem: CountsProblem, total: number, budget: Budget): Int32Array {
  const { pages, hosts } = problem;
  const counts = total === 0 ? pages.minimum : new Int32Array(clearWholeSupply(marketOf(problem, budget), total));
  budget.report({ fraction: 0.5 });
  if (counts.reduce((sum, x) => sum + x, 0) === total) return counts;
  const { maximum, count } = pages;
  return apportion({ share: new Float64Array(count).fill(1), total, minimum: counts, maximum, hosts }, budget);
}

/**
 * The fewest crawls that leave no more than `target` of Σ w·A.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function fewestCounts(problem: CountsProblem, target: number, budget: Budget): Int32Array | InfeasibleTarget {
  const counts = clearWholeTarget(marketOf(problem, budget), target);
  return 'minCost' in counts ? counts : new Int32Array(counts);
}

/** Maximum number of pages whose gains give the price tried first. */
const startPages = 1024;

/**
 * Mean over evenly spaced pages of the gain of a second crawl (or of the first above the minimum): the price tried
 * first. Above 0.
 */
function meanGain(pages: ScaledPages): number {
  const stride = Math.ceil(pages.count / startPages);
  let sum = 0;
  for (let i = 0; i < pages.count; i += stride) sum += gainOfNext(pages, i, Math.max(1, pages.minimum[i]));
  return sum > 0 ? sum / Math.ceil(pages.count / stride) : 1;
}

/**
 * First guess of page i's count at a price: the count whose gaps s would satisfy G(s) = price/scale if updates were
 * Poisson. There G(s) = 1 − (1 + s)·e^{−s}, whose inverse begins u + u²/3 + u³/36 with u = √(−2·ln(1 − G)).
 */
function firstGuess({ process, scale, length, age }: ScaledPages, i: number, price: number): number {
  if (process[i] !== poissonProcess && process[i] !== lomaxProcess) return 0;
  const share = price / scale[i];
  if (!(share < 1)) return 0;
  const u = Math.sqrt(-2 * Math.log1p(-share));
  const gap = u * (1 + u * (1 / 3 + u / 36));
  const startAge = age === null ? -1 : age[i] * length[i];
  // the crawls make as many gaps where the first is at once, as at a gap below the age; else one more, already begun
  return Math.floor(startAge < 0 || startAge > gap ? length[i] / gap + 0.5 : (length[i] + startAge) / gap - 0.5);
}

/** The exact counts of pages at prices, by doubling and halving from a guess or from the count at the last price. */
class CountSearch {
  readonly #pages: ScaledPages;
  /** Each page's count at its last price; −1 for none. */
  readonly #lastCount: Int32Array;
  /** By page: gains of the crawl that would follow that count, and of the last one. Set where a search needed them. */
  readonly #nextGain: Float64Array;
  readonly #lastGain: Float64Array;

  constructor(pages: ScaledPages) {
    this.#pages = pages;
    this.#lastCount = new Int32Array(pages.count).fill(-1);
    this.#nextGain = new Float64Array(pages.count);
    this.#lastGain = new Float64Array(pages.count);
  }

  gain(i: number, x: number): number {
    const { minimum, maximum } = this.#pages;
    if (x < minimum[i]) return Number.POSITIVE_INFINITY;
    if (x >= maximum[i]) return Number.NEGATIVE_INFINITY;
    const count = this.#lastCount[i];
    if (x === count - 1) return this.#lastGain[i];
    return x === count ? this.#nextGain[i] : gainOfNext(this.#pages, i, x);
  }

  countAt(i: number, price: number): number {
    const needsGuess = this.#lastCount[i] < 0 || this.#pages.process[i] === poissonProcess;
    const guess = needsGuess ? firstGuess(this.#pages, i, price) : this.#lastCount[i];
    this.#lastCount[i] = this.#search(i, price, guess);
    return this.#lastCount[i];
  }

  /** Whether crawl x + 1 is worth the price. It may turn out to be the last one, or the next: its gain is stored. */
  #isWorth(i: number, x: number, price: number): boolean {
    const gain = gainOfNext(this.#pages, i, x);
    const isWorth = gain >= price;
    (isWorth ? this.#lastGain : this.#nextGain)[i] = gain;
    return isWorth;
  }

  #search(i: number, price: number, guess: number): number {
    const minimum = this.#pages.minimum[i];
    const maximum = this.#pages.maximum[i];
    if (minimum === maximum) return minimum;
    let low = Math.max(minimum, Math.min(maximum, guess));
    let high: number;
    if (low < maximum && this.#isWorth(i, low, price)) {
      let step = 1;
      high = low + 1;
      while (high < maximum && this.#isWorth(i, high, price)) {
        low = high;
        high = Math.min(maximum, high + step);
        step *= 2;
      }
      low++;
    } else {
      // the count is at most `low`
      high = low;
      let step = 1;
      while (high > minimum) {
        const candidate = Math.max(minimum, high - step);
        if (this.#isWorth(i, candidate, price)) {
          low = candidate + 1;
          break;
        }
        high = candidate;
        low = candidate;
        step *= 2;
      }
    }
    // the count is in [low, high], gain(low − 1) ≥ price, gain(high) < price (or high is the maximum)
    while (low < high) {
      const middle = low + ((high - low) >> 1);
      if (this.#isWorth(i, middle, price)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
