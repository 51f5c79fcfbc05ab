/**
 * What may be wrong of all pages' rates together, and what that does to the crawls that a target needs.
 *
 * Populations are tried in which ln λ is normal on either side of its mode, each side with a deviation of its own. A
 * share of the pages never changes. Any mode, seven deviations and four shares are as likely beforehand as each other.
 * Each population is weighed by what it makes of the pages' checks (hierarchical Bayes on a grid of ln λ). None is just
 * so: checks count as those of at most 256 pages. The crawls that a population needs are those at the price at which as
 * much is left as may be.
 * Complexity: rows × grid for each deviation, pair of them and share; rows × grid × prices for each population that is likely.
 */
import type { Budget } from '../../budget.ts';

/** Pages count up to so many. */
export const mostCounted = 256;
const deviations = [0.35, 0.5, 0.7, 1, 1.4, 2, 2.8];
/** Shares of pages that never change: their rate is the grid's least. */
const still = [0, 0.1, 0.3, 0.5];
/** Beside the likeliest; and rates of a page beside its likeliest. */
const hardlyLikely = 1e-4;
const unlikely = 1e-9;

/** What is left is worth so many crawls at the page's price. */
export interface Response {
  left: number;
  crawls: number;
}

/** Rows of pages that are alike: what their checks say, and what they leave and take. */
export interface PopulationProblem {
  /** ln λ, evenly spaced. */
  readonly thetas: Float64Array;
  /** Likelihoods, row-major, rows × grid, each row's maximum scaled to 1. */
  readonly values: Float64Array;
  /** By row: how many pages it stands for; their rate, null where it is believed; and the target they belong to. */
  readonly pages: Float64Array;
  readonly known: readonly (number | null)[];
  readonly group: Uint32Array;
  /** By target: what may be left. */
  readonly limit: Float64Array;
  /** What prices are multiplied by, rising. */
  readonly multiples: readonly number[];
  /** Writes what a page of a row leaves and takes at a rate, fetched as is best at a multiple of its price. */
  readonly respond: (row: number, rate: number, multiple: number, into: Response) => void;
}

export interface NeededByPopulations {
  /** Of ln crawls: mean and variance over the populations. */
  readonly middle: number;
  readonly variance: number;
  /** Left and taken by a page of a row in the likeliest population, where the limit is kept: mean and variance. */
  readonly mean: Float64Array;
  readonly spread: Float64Array;
}

/** A population of rates: masses on the grid from a position on, and the share that never changes. */
interface Tried {
  readonly masses: Float64Array;
  readonly from: number;
  readonly share: number;
}

/** Positions on the grid and among deviations and shares; weight: ln of what it makes of the checks. */
interface Weighed {
  readonly mode: number;
  readonly below: number;
  readonly above: number;
  readonly share: number;
  readonly weight: number;
}

/** Null when time is up. */
export function neededByPopulations(problem: PopulationProblem, budget: Budget): NeededByPopulations | null {
  const weights = weighed(problem, budget);
  if (weights === null) return null;
  const halves = halvesOn(problem.thetas);
  const rows = new RespondingRows(problem);
  let [all, sum, squares] = [0, 0, 0];
  for (const { mode, below, above, share, weight } of weights) {
    if (budget.stopRequested()) return null;
    const tried = populationAt(mode, halves[below], halves[above], share, problem.thetas.length);
    const mass = Math.exp(weight);
    const needed = Math.log(rows.needed(tried, weight === 0));
    all += mass;
    sum += mass * needed;
    squares += mass * needed * needed;
  }
  const middle = sum / all;
  return { middle, variance: Math.max(0, squares / all - middle * middle), mean: rows.mean, spread: rows.spread };
}

/** By deviation: half a normal density from its mode on, at steps of the grid. */
function halvesOn(thetas: Float64Array): readonly Float64Array[] {
  const step = thetas[1] - thetas[0];
  return deviations.map((deviation) =>
    Float64Array.from({ length: Math.ceil((4 * deviation) / step) + 1 }, (_, d) =>
      Math.exp(-0.5 * ((d * step) / deviation) ** 2),
    ),
  );
}

function populationAt(mode: number, below: Float64Array, above: Float64Array, share: number, size: number): Tried {
  const from = Math.max(0, mode + 1 - below.length);
  const to = Math.min(size, mode + above.length);
  const masses = Float64Array.from({ length: to - from }, (_, d) =>
    from + d < mode ? below[mode - from - d] : above[from + d - mode],
  );
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  return { masses: masses.map((mass) => mass / total), from, share };
}

/** The populations that the checks leave likely, the likeliest of weight 0; null when time is up. */
function weighed({ thetas, values, pages, known }: PopulationProblem, budget: Budget): readonly Weighed[] | null {
  const size = thetas.length;
  const counted = Math.min(1, mostCounted / pages.reduce((sum, each) => sum + each, 0));
  const believed = known.flatMap((rate, row) => (rate === null ? [row] : []));
  const halves = halvesOn(thetas);
  // by deviation and row: what a half makes of the row's checks
  const [down, up] = [halves, halves].map((each) => each.map(() => new Float64Array(believed.length)));
  const tried: Weighed[] = [];
  for (let mode = 0; mode < size; mode++) {
    if (budget.stopRequested()) return null;
    const [fewer, more] = [halves.map(() => 0), halves.map(() => 0)];
    for (const [h, half] of halves.entries()) {
      for (let d = 1; d < half.length && d <= mode; d++) fewer[h] += half[d];
      for (let d = 0; d < half.length && mode + d < size; d++) more[h] += half[d];
      for (let b = 0; b < believed.length; b++) {
        const at = believed[b] * size + mode;
        let [under, over] = [0, 0];
        for (let d = Math.min(half.length - 1, mode); d > 0; d--) under += half[d] * values[at - d];
        for (let d = Math.min(half.length - 1, size - 1 - mode); d >= 0; d--) over += half[d] * values[at + d];
        down[h][b] = under;
        up[h][b] = over;
      }
    }
    for (let below = 0; below < halves.length; below++) {
      for (let above = 0; above < halves.length; above++) {
        const total = fewer[below] + more[above];
        for (const share of still) {
          let weight = 0;
          for (let b = 0; b < believed.length; b++) {
            const row = believed[b];
            const mass = (down[below][b] + up[above][b]) / total + 1e-300;
            weight += pages[row] * Math.log((1 - share) * mass + share * values[row * size]);
          }
          tried.push({ mode, below, above, share, weight: counted * weight });
        }
      }
    }
  }
  const most = tried.reduce((max, { weight }) => Math.max(max, weight), Number.NEGATIVE_INFINITY);
  return tried
    .map((each) => ({ ...each, weight: each.weight - most }))
    .filter(({ weight }) => weight > Math.log(hardlyLikely));
}

/** What the rows leave and take at each rate of the grid and each multiple of the price. */
class RespondingRows {
  readonly #problem: PopulationProblem;
  /** Rows × grid × prices. */
  readonly #left: Float64Array;
  readonly #crawls: Float64Array;
  readonly #posterior: Float64Array;
  readonly mean: Float64Array;
  readonly spread: Float64Array;

  constructor(problem: PopulationProblem) {
    const { thetas, values, pages, known, multiples, respond } = problem;
    const [size, steps] = [thetas.length, multiples.length];
    this.#problem = problem;
    this.#left = new Float64Array(values.length * steps);
    this.#crawls = new Float64Array(values.length * steps);
    this.#posterior = new Float64Array(size);
    this.mean = new Float64Array(pages.length);
    this.spread = new Float64Array(pages.length);
    const into: Response = { left: 0, crawls: 0 };
    for (let row = 0; row < pages.length; row++) {
      for (let g = 0, at = row * size; g < size; g++, at++) {
        if (known[row] !== null ? g > 0 : !(values[at] > unlikely)) continue;
        for (let k = 0; k < steps; k++) {
          respond(row, known[row] ?? Math.exp(thetas[g]), multiples[k], into);
          this.#left[at * steps + k] = into.left;
          this.#crawls[at * steps + k] = into.crawls;
        }
      }
    }
  }

  /** Crawls at which as much is left as may be where rates are drawn so; the likeliest is described. */
  needed(population: Tried, isLikeliest: boolean): number {
    const { pages, thetas, limit, group, multiples } = this.#problem;
    const [size, steps] = [thetas.length, multiples.length];
    const left = new Float64Array(limit.length * steps);
    const crawls = new Float64Array(limit.length * steps);
    for (let row = 0; row < pages.length; row++) {
      const last = this.#posteriorOf(population, row);
      const base = group[row] * steps;
      for (let g = 0; g <= last; g++) {
        const likely = pages[row] * this.#posterior[g];
        if (!(likely > pages[row] * unlikely)) continue;
        const cell = (row * size + g) * steps;
        for (let k = 0; k < steps; k++) {
          left[base + k] += likely * this.#left[cell + k];
          crawls[base + k] += likely * this.#crawls[cell + k];
        }
      }
    }
    const kept = Array.from(limit, (most, t) => {
      const own = (list: Float64Array): Float64Array => list.subarray(t * steps, (t + 1) * steps);
      return crawlsWhere(own(left), own(crawls), most);
    });
    if (isLikeliest) this.#describe(population, (row) => kept[group[row]].step);
    return kept.reduce((sum, each) => sum + each.crawls, 0);
  }

  #describe(population: Tried, stepOf: (row: number) => number): void {
    const { pages, thetas, multiples } = this.#problem;
    for (let row = 0; row < pages.length; row++) {
      const last = this.#posteriorOf(population, row);
      const k = stepOf(row);
      let [mean, squares] = [0, 0];
      for (let g = 0; g <= last; g++) {
        const cell = (row * thetas.length + g) * multiples.length + k;
        const both = this.#left[cell] / multiples[k] + this.#crawls[cell];
        mean += this.#posterior[g] * both;
        squares += this.#posterior[g] * both * both;
      }
      this.mean[row] = mean;
      this.spread[row] = Math.max(0, squares - mean * mean);
    }
  }

  /** Writes what is likely of a row's rate, and says up to where. */
  #posteriorOf({ masses, from, share }: Tried, row: number): number {
    const { values, thetas, known } = this.#problem;
    const posterior = this.#posterior;
    if (known[row] !== null) {
      posterior[0] = 1;
      return 0;
    }
    const at = row * thetas.length;
    const last = from + masses.length - 1;
    posterior.fill(0, 0, from);
    const likely = (g: number): number => (values[at + g] > unlikely ? values[at + g] : 0);
    for (let d = 0; d < masses.length; d++) posterior[from + d] = (1 - share) * masses[d] * likely(from + d);
    posterior[0] += share * likely(0);
    let all = 0;
    for (let g = 0; g <= last; g++) all += posterior[g];
    for (let g = 0; g <= last; g++) posterior[g] = all > 0 ? posterior[g] / all : 0;
    return last;
  }
}

/** The crawls at the price at which so much is left, ln crawls between two prices by what is left; and the price's step. */
function crawlsWhere(
  left: Float64Array,
  crawls: Float64Array,
  limit: number,
): { readonly crawls: number; readonly step: number } {
  const next = left.findIndex((each) => each > limit);
  if (next === 0) return { crawls: crawls[0], step: 0 };
  if (next < 0) return { crawls: crawls[crawls.length - 1], step: crawls.length - 1 };
  const share = (limit - left[next - 1]) / (left[next] - left[next - 1]);
  return { crawls: crawls[next - 1] ** (1 - share) * crawls[next] ** share, step: share < 0.5 ? next - 1 : next };
}
