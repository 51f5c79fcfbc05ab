/**
 * What the prior may get wrong of all pages' rates together, and what that does to the crawls that a target needs.
 *
 * Beliefs go back to a gamma prior of shape ½: where checks say little, its tail decides. In its place ln λ ~ N(μ, σ²)
 * is tried, with a share of pages that never change. Any μ, six σ and four shares are as likely beforehand as each
 * other. Each population is weighed by what it makes of the checks of sampled pages (hierarchical Bayes on a grid of
 * ln λ). The crawls it needs are those at the price at which as much is left as the plan leaves by the gamma prior.
 * Complexity: sample × grid² for each σ and share; sample × grid × prices for each population that is likely.
 */
import type { Budget } from '../../budget.ts';
import type { CheckHistory } from '../../estimation/changes/check-history.ts';
import { gammaOnGrid } from '../../estimation/changes/gamma-prior.ts';
import { type LikelihoodTable, likelihoodsOnGrid } from '../../estimation/changes/likelihood-table.ts';
import { normal95 } from '../../numerics/special/normal-quantile.ts';
import type { PageResponses, Response } from './page-responses.ts';

const grid = { step: 0.4, points: 80 };
const largestSample = 256;
const spreads = [0.5, 0.7, 1, 1.4, 2, 2.8];
/** Shares of pages that never change: their rate is the grid's least. */
const still = [0, 0.1, 0.3, 0.5];
/** Beside the likeliest; and rates of a page beside its likeliest. */
const hardlyLikely = 1e-4;
const unlikely = 1e-9;
/** What the price is multiplied by: prices half an octave apart, the price itself among them. */
const multiples = Array.from({ length: 13 }, (_, k) => 2 ** (k / 2 - 3));
const [steps, itself] = [multiples.length, multiples.indexOf(1)];

interface Population {
  readonly history: CheckHistory;
  readonly prior: { readonly shape: number; readonly scale: number };
  /** Positions of the pages that count, and their rates; null where it is believed. */
  readonly pages: readonly number[];
  readonly rate: (i: number) => number | null;
  readonly responses: PageResponses;
}

/** A population of rates: masses on the grid from a position on, and the share that never changes. */
interface Tried {
  readonly masses: Float64Array;
  readonly from: number;
  readonly share: number;
  /** ln of what it makes of the checks. */
  readonly weight: number;
}

/** ln of the crawls needed over those found: its mean, and half the width of its 95% interval; null when time is up. */
export function movedByPopulations(
  population: Population,
  budget: Budget,
): { readonly middle: number; readonly half: number } | null {
  const { history, pages, rate } = population;
  const stride = Math.max(1, pages.length / largestSample);
  const sample = Array.from({ length: Math.ceil(pages.length / stride) }, (_, s) => pages[Math.floor(s * stride)]);
  const table = likelihoodsOnGrid(history, sample, grid, budget);
  if (table === null) return null;
  if (table.thetas.length < 2) return { middle: 0, half: 0 };
  const known = sample.map(rate);
  const tried = weighed(table, known);
  const sampled = new SampledPages(table, known, population);
  let [all, sum, squares] = [0, 0, 0];
  for (const each of tried) {
    if (budget.stopRequested()) return null;
    const mass = Math.exp(each.weight);
    const ratio = Math.log(sampled.needed(each));
    all += mass;
    sum += mass * ratio;
    squares += mass * ratio * ratio;
  }
  const middle = sum / all;
  // the pages that are not in the sample differ from those that are
  const unseen = 1 - sample.length / pages.length;
  const spread = Math.max(0, squares / all - middle * middle) + unseen * sampled.error ** 2;
  return { middle, half: normal95 * Math.sqrt(spread) };
}

/** The populations that the checks leave likely, the likeliest of weight 0. */
function weighed({ thetas, values, pages }: LikelihoodTable, known: readonly (number | null)[]): readonly Tried[] {
  const size = thetas.length;
  const step = thetas[1] - thetas[0];
  const tried: Tried[] = [];
  for (const spread of spreads) {
    const reach = Math.ceil((4 * spread) / step);
    for (let m = 0; m < size; m++) {
      const [from, to] = [Math.max(0, m - reach), Math.min(size - 1, m + reach)];
      const masses = Float64Array.from({ length: to - from + 1 }, (_, d) =>
        Math.exp(-0.5 * (((from + d - m) * step) / spread) ** 2),
      );
      const total = masses.reduce((sum, mass) => sum + mass, 0);
      for (let d = 0; d < masses.length; d++) masses[d] /= total;
      const weights = still.map(() => 0);
      for (let row = 0; row < pages.length; row++) {
        if (known[row] !== null) continue;
        let mass = 1e-300;
        for (let d = 0, at = row * size + from; d < masses.length; d++, at++) mass += masses[d] * values[at];
        for (const [s, share] of still.entries()) {
          weights[s] += Math.log((1 - share) * mass + share * values[row * size]);
        }
      }
      for (const [s, share] of still.entries()) tried.push({ masses, from, share, weight: weights[s] });
    }
  }
  const most = tried.reduce((max, { weight }) => Math.max(max, weight), Number.NEGATIVE_INFINITY);
  return tried
    .map((each) => ({ ...each, weight: each.weight - most }))
    .filter(({ weight }) => weight > Math.log(hardlyLikely));
}

/** What the sampled pages leave and take at each rate of the grid and each multiple of the price. */
class SampledPages {
  readonly #table: LikelihoodTable;
  readonly #known: readonly (number | null)[];
  readonly #group: Uint32Array;
  /** Sampled pages × grid × prices. */
  readonly #left: Float64Array;
  readonly #crawls: Float64Array;
  /** By group: what the plan leaves by the gamma prior; and by page that and what it takes. */
  readonly #limit: Float64Array;
  readonly #planned: Float64Array;
  #taken = 0;
  readonly #posterior: Float64Array;
  /** Of the ratio at the likeliest population, by the differences among pages. */
  error = 0;

  constructor(table: LikelihoodTable, known: readonly (number | null)[], { prior, responses }: Population) {
    const { thetas, values, pages } = table;
    const size = thetas.length;
    this.#table = table;
    this.#known = known;
    this.#group = Uint32Array.from(pages, (i) => responses.group(i));
    this.#left = new Float64Array(values.length * steps);
    this.#crawls = new Float64Array(values.length * steps);
    this.#limit = new Float64Array(responses.groups);
    this.#planned = new Float64Array(pages.length);
    this.#posterior = new Float64Array(size);
    const gamma = new Float64Array(size);
    gammaOnGrid(prior.shape, prior.scale, thetas, gamma);
    const into: Response = { left: 0, crawls: 0 };
    for (const [row, i] of pages.entries()) {
      let [mass, left] = [0, 0];
      for (let g = 0, at = row * size; g < size; g++, at++) {
        if (known[row] !== null && g > 0) break;
        if (known[row] === null && !(values[at] > unlikely)) continue;
        const rate = known[row] ?? Math.exp(thetas[g]);
        const likely = known[row] === null ? gamma[g] * values[at] : 1;
        mass += likely;
        left += likely * responses.plannedInto(i, rate, into).left;
        for (let k = 0; k < steps; k++) {
          responses.bestInto(i, rate, multiples[k], into);
          this.#left[at * steps + k] = into.left;
          this.#crawls[at * steps + k] = into.crawls;
        }
      }
      const { crawls } = responses.plannedInto(i, known[row] ?? 1, into);
      this.#limit[this.#group[row]] += left / mass || 0;
      this.#planned[row] = (left / mass || 0) + crawls;
      this.#taken += crawls;
    }
  }

  /** Crawls at which as much is left where rates are drawn so, over those of the plan. */
  needed(population: Tried): number {
    const { pages, thetas } = this.#table;
    const size = thetas.length;
    const left = new Float64Array(this.#limit.length * steps);
    const crawls = new Float64Array(this.#limit.length * steps);
    const differences: number[] = [];
    for (let row = 0; row < pages.length; row++) {
      const last = this.#posteriorOf(population, row);
      const base = this.#group[row] * steps;
      let here = 0;
      for (let g = 0; g <= last; g++) {
        const likely = this.#posterior[g];
        if (!(likely > unlikely)) continue;
        const cell = (row * size + g) * steps;
        for (let k = 0; k < steps; k++) {
          left[base + k] += likely * this.#left[cell + k];
          crawls[base + k] += likely * this.#crawls[cell + k];
        }
        here += likely * (this.#left[cell + itself] + this.#crawls[cell + itself]);
      }
      if (population.weight === 0) differences.push(here - this.#planned[row]);
    }
    if (differences.length > 1) this.error = (deviationOf(differences) * Math.sqrt(pages.length)) / this.#taken;
    let needed = 0;
    for (let g = 0; g < this.#limit.length; g++) {
      const own = (list: Float64Array): Float64Array => list.subarray(g * steps, (g + 1) * steps);
      needed += crawlsWhere(own(left), own(crawls), this.#limit[g]);
    }
    return needed / this.#taken;
  }

  /** Writes what is likely of a page's rate, and says up to where. */
  #posteriorOf({ masses, from, share }: Tried, row: number): number {
    const { values, thetas } = this.#table;
    const posterior = this.#posterior;
    if (this.#known[row] !== null) {
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

const deviationOf = (values: readonly number[]): number => {
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  return Math.sqrt(values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (values.length - 1));
};

/** The crawls at the price at which so much is left, ln crawls between two prices by what is left; or at the end. */
function crawlsWhere(left: Float64Array, crawls: Float64Array, limit: number): number {
  const next = left.findIndex((each) => each > limit);
  if (next === 0) return crawls[0];
  if (next < 0) return crawls[steps - 1];
  const share = (limit - left[next - 1]) / (left[next] - left[next - 1]);
  return crawls[next - 1] ** (1 - share) * crawls[next] ** share;
}
