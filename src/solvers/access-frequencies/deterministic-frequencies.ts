/**
 * How often to access each page for ever, when the accesses of a page can be spaced evenly.
 *
 *   minimise Σ c_i r_i(x_i),  r_i(x) = 1 − (x/(μ_i E X))(1 − e^(−L_i/x)),  over Σ x_i = 1, x_i ≥ m.
 *
 * Model and symbols as in access-pages.ts; x_i frequency (share of all accesses), m the least allowed (0: none), λ the
 * multiplier of Σ x = 1. The problem is convex; its value bounds the cost of every order of accesses from below.
 *
 * Optimality: with s_i = L_i/x_i and marginal(s) = 1 − (1 + s)e^(−s), a_i·marginal(s_i) = λ where x_i > m. The
 * derivative at x → 0+ is finite (−a_i): a page gets the least frequency exactly when a_i·marginal(L_i/m) ≤ λ (m = 0:
 * a_i ≤ λ), which the papers' Lagrange condition (Liu & Nain 2006, (1.28); Coffman, Liu & Weber 1997, (8)) leaves out.
 *
 * Method. All a_i equal (weights proportional to the change rates) and m = 0: x ∝ L (1997, (10)). Else λ by the secant
 * method on S(λ)^(−2) = 1, S(λ) = Σ x_i(λ) (nearly linear in λ at small loads), kept in a bracket, started from the
 * root for a sample of the pages. S is vertical where λ meets the a of a page with a large load: when the bracket
 * closes upon such a page, the unknown becomes 1/s of that page, in which everything near it is nearly linear; a's
 * within 1e−14 of it count as equal, so that pages at the threshold share what is left in proportion to their loads.
 * Pages near λ make the tangent of S, unlike its secants, depend on a few pages: steps after the first are by secants.
 * Every page keeps its s between sweeps, so that after the first one step of Halley's method and one exponential renew
 * it. When
 * |S − 1| ≤ 1e−6 (1e−4 beyond 20 000 pages) the last step is taken to second order page by page (exactly where that is not
 * enough) and corrected until the frequencies sum to 1 within 1e−12 (1e−8 beyond 20 000 pages: 1e−16 of the cost),
 * which a last scaling of what is above m removes. O(N) a sweep, 3 to 40 sweeps.
 */
import { type Budget, NothingToReturn, unlimitedBudget } from '../budget.ts';
import { findRoot } from '../numerics/search/root.ts';
import type { AccessPages } from './access-pages.ts';
import { inverseMarginal, marginal, marginalComplement } from './even-spacing.ts';
import { pricedFrequencies } from './priced-frequencies.ts';
import { halleyStep, type Point, renewedSpacing, slopeFrom } from './steps.ts';

/** Optimal frequencies. */
export interface Frequencies {
  /** x_i ≥ m, summing to 1. */
  readonly frequency: Float64Array;
  /** λ: cost saved by the next unit of frequency. */
  readonly multiplier: number;
  /** Sweeps over the pages. */
  readonly sweeps: number;
  /** What no frequencies can beat, where the budget ended the search and these are not the optimal ones; else null. */
  readonly stoppedAt: number | null;
}

const sameWorth = 1e-14;
const maxSteps = 120;
/** Pages beyond which a sample gives the start and 1e−8 is close enough for the sum before scaling. */
const manyPages = 20_000;
/** Pages that give a start, and how near S must come to 1 on them: they differ from all by about a tenth of a root. */
const samples = [
  [10_000, 1e-3],
  [100_000, 3e-4],
] as const;
/** Corrections of the last step. */
const maxCorrections = 3;
/** A Newton step of less than this share of s is taken to second order: what is left is its third power. */
const nearby = 1e-4;

/**
 * @param pages at least one
 * @param least m, 0 ≤ m·N ≤ 1
 * @param budget when it ends, the frequencies are those at the last price tried
 */
export function deterministicFrequencies(
  pages: AccessPages,
  least: number,
  budget: Budget = unlimitedBudget(),
): Frequencies {
  const { length, gain, load } = pages;
  let highest = 0;
  let lowest = Infinity;
  for (let i = 0; i < length; i++) {
    const a = gain[i];
    if (a > highest) highest = a;
    if (a < lowest) lowest = a;
  }
  if (least * length >= 1 || highest === 0) return withoutChoice(load, least);
  if (least === 0 && highest - lowest <= sameWorth * highest) {
    const total = load.reduce((a, b) => a + b, 0);
    return {
      frequency: load.map((value) => value / total),
      multiplier: highest * marginal(total),
      sweeps: 1,
      stoppedAt: null,
    };
  }
  return new MultiplierSearch(pages, least, highest, budget).solve();
}

/**
 * m·N = 1, or nothing is worth anything: the least frequency everywhere and the rest in proportion to a share of each
 * page.
 *
 * @param share of each page, positive: its load L, or G where accesses are drawn by chance
 */
export function withoutChoice(share: Float64Array, least: number): Frequencies {
  const total = share.reduce((a, b) => a + b, 0);
  const rest = Math.max(0, 1 - least * share.length);
  const frequency = share.map((value) => (rest === 0 ? 1 / share.length : least + (rest * value) / total));
  return { frequency, multiplier: 0, sweeps: 1, stoppedAt: null };
}

/** Where S was evaluated close to 1, S⁻² there, the step from there, and dS⁻²/dλ. */
interface Root {
  readonly multiplier: number;
  readonly inverse: number;
  readonly step: number;
  readonly slope: number | null;
}

class MultiplierSearch {
  readonly #pages: AccessPages;
  readonly #least: number;
  readonly #budget: Budget;
  /** s of every page at the last λ that gave it more than nothing; 0: not known yet. */
  readonly #spacing: Float64Array;
  #low = 0;
  #high: number;
  #sweeps = 0;
  /** The last λ tried: from a sample of the pages at first. */
  #tried = 0;

  constructor(pages: AccessPages, least: number, highest: number, budget: Budget) {
    this.#pages = pages;
    this.#budget = budget;
    this.#least = least;
    this.#high = highest;
    this.#spacing = new Float64Array(pages.length);
  }

  solve(): Frequencies {
    try {
      return this.#search();
    } catch (error) {
      if (!(error instanceof NothingToReturn)) throw error;
      const { frequency, bound } = pricedFrequencies(this.#pages, 'deterministic', this.#tried, this.#least);
      return { frequency, multiplier: this.#tried, sweeps: Math.round(this.#sweeps), stoppedAt: bound };
    }
  }

  #search(): Frequencies {
    const { length, gain, load } = this.#pages;
    let weighted = 0;
    let total = 0;
    for (let i = 0; i < length; i++) {
      weighted += gain[i] * load[i];
      total += load[i];
    }
    const highest = this.#high;
    let start = Math.min((weighted / total) * marginal(total), 0.999 * highest);
    let slope: number | null = null;
    for (const [sample, tolerance] of samples) {
      if (length <= 2 * sample) break;
      // a sample only gives a start: its bracket says nothing about all pages
      const root: Root | null = this.#secant({ start, slope }, Math.floor(length / sample), tolerance);
      if (root !== null) start = Math.min(root.multiplier + root.step, 0.999 * highest);
      slope = root === null ? null : root.slope;
      this.#low = 0;
      this.#high = highest;
    }
    for (const tolerance of [length > manyPages ? 1e-4 : 1e-6, 1e-12]) {
      const root = this.#secant({ start, slope }, 1, tolerance);
      if (root === null) break;
      const { frequency, step, sum } = this.#settled(root, length > manyPages ? 1e-8 : 1e-12);
      if (Math.abs(sum - 1) <= (length > manyPages ? 1e-8 : 1e-12) || tolerance === 1e-12) {
        this.#scale(frequency);
        return this.#found(frequency, root.multiplier + step);
      }
      start = root.multiplier;
      slope = root.slope;
    }
    return this.#atThreshold();
  }

  #found(frequency: Float64Array, multiplier: number): Frequencies {
    return { frequency, multiplier, sweeps: Math.round(this.#sweeps), stoppedAt: null };
  }

  /**
   * λ with S(λ) = 1 (or where S was last evaluated), or null once the bracket is narrow and holds the a of some page.
   */
  #secant(from: { start: number; slope: number | null }, stride: number, tolerance: number): Root | null {
    let multiplier = from.start;
    let before: Point | null = null;
    let last: Root = { multiplier, inverse: Number.NaN, step: 0, slope: null };
    for (let step = 0; step < maxSteps; step++) {
      this.#tried = multiplier;
      const { sum, slope: tangent } = this.#sum(multiplier, stride);
      const inverse = 1 / (sum * sum);
      const slope = slopeFrom(before, { multiplier, inverse }, from.slope) ?? (-2 * tangent) / sum ** 3;
      const change = (1 - inverse) / slope;
      last = { multiplier, inverse, step: Number.isFinite(change) ? change : 0, slope };
      if (Math.abs(sum - 1) <= tolerance) return last;
      if (sum > 1) this.#low = multiplier;
      else this.#high = multiplier;
      if (this.#high - this.#low <= 1e-9 * this.#high && (stride > 1 || this.#nearby().length > 0)) return null;
      const next = multiplier + change;
      before = { multiplier, inverse };
      multiplier = next > this.#low && next < this.#high ? next : this.#between();
      if (!(multiplier > this.#low && multiplier < this.#high)) return last;
    }
    return last;
  }

  /** What few pages take is never interrupted, nor the sample: so a price was always tried. */
  #poll(stride = 1): void {
    const short = stride > 1 || this.#pages.length <= manyPages;
    if (!short && this.#budget.stopRequested())
      throw new NothingToReturn('the multiplier of the frequencies was not yet known');
  }

  /** A point between the ends of the bracket: geometric where they are far apart. */
  #between(): number {
    const far = this.#low > 0 && this.#high > 4 * this.#low;
    if (this.#low === 0) return this.#high / 16;
    return far ? Math.sqrt(this.#low) * Math.sqrt(this.#high) : this.#low + (this.#high - this.#low) / 2;
  }

  /** S(λ) and dS/dλ over every stride-th page, scaled up to all; renews the spacings of these pages. */
  #sum(multiplier: number, stride: number): { sum: number; slope: number } {
    const { length, gain, load } = this.#pages;
    const spacing = this.#spacing;
    const least = this.#least;
    let sum = 0;
    let slope = 0;
    let count = 0;
    this.#sweeps += 1 / stride;
    for (let i = 0; i < length; i += stride, count++) {
      if ((count & 4095) === 4095) this.#poll(stride);
      const a = gain[i];
      if (a <= multiplier) {
        sum += least;
        continue;
      }
      const k = (a - multiplier) / a;
      const s = renewedSpacing(spacing[i], multiplier / a, k);
      spacing[i] = s;
      const x = load[i] / s;
      if (x <= least) {
        sum += least;
        continue;
      }
      sum += x;
      slope -= (x / s) * ((1 + s) / (a * s * k));
    }
    const scale = length / count;
    return { sum: sum * scale, slope: slope * scale };
  }

  /** The distinct a inside the bracket, increasing. */
  #nearby(): number[] {
    const found: number[] = [];
    for (const a of this.#pages.gain) if (a > this.#low && a <= this.#high * (1 + sameWorth)) found.push(a);
    found.sort((a, b) => a - b);
    return found.filter((a, i) => i === 0 || a - found[i - 1] > sameWorth * a);
  }

  /** The bracket is narrow and holds some a: λ lies just under the smallest of them, v, with S(v) < 1. */
  #atThreshold(): Frequencies {
    const candidates = this.#nearby();
    let first = 0;
    let last = candidates.length - 1;
    while (first < last) {
      const middle = (first + last) >> 1;
      if (this.#fillAround(candidates[middle], 0, null) < 1) last = middle;
      else first = middle + 1;
    }
    const reference = candidates[first];
    let shared = 0;
    for (let i = 0; i < this.#pages.length; i++) {
      if (Math.abs(this.#pages.gain[i] - reference) <= sameWorth * reference) shared += this.#pages.load[i];
    }
    const spacing = findRoot((w) => this.#fillAround(reference, w, null) - 1, 0, 1 / shared);
    const frequency = new Float64Array(this.#pages.length);
    this.#fillAround(reference, spacing, frequency);
    this.#scale(frequency);
    const k = spacing > 0 ? marginalComplement(1 / spacing) : 0;
    return this.#found(frequency, reference * (1 - k));
  }

  /** S when pages with a = v have 1/s = w, so λ = v(1 − (1 + 1/w)e^(−1/w)); fills `frequency` when given. */
  #fillAround(v: number, w: number, frequency: Float64Array | null): number {
    const { length, gain, load } = this.#pages;
    const least = this.#least;
    const k = w > 0 ? marginalComplement(1 / w) : 0;
    let sum = 0;
    this.#sweeps++;
    for (let i = 0; i < length; i++) {
      if ((i & 4095) === 4095) this.#poll();
      const away = gain[i] - v;
      let x: number;
      if (Math.abs(away) <= sameWorth * v) x = load[i] * w;
      else {
        const complement = (away + v * k) / gain[i];
        x = complement > 0 ? load[i] / inverseMarginal((v * (1 - k)) / gain[i], complement) : 0;
      }
      if (x < least) x = least;
      sum += x;
      if (frequency !== null) frequency[i] = x;
    }
    return sum;
  }

  /**
   * The frequencies after the step from a root, the step corrected until they sum to 1 as nearly as is enough. This
   * needs neither exponentials nor the spacings anew, so that the spacings may have been found a little off.
   */
  #settled({ multiplier, inverse, step: first }: Root, enough: number) {
    const frequency = new Float64Array(this.#pages.length);
    let step = first;
    let sum = this.#frequencies(multiplier, step, frequency);
    for (let round = 0, from = { step: 0, inverse }; round < maxCorrections; round++) {
      if (Math.abs(sum - 1) <= enough) break;
      const reached = { step, inverse: 1 / (sum * sum) };
      const change = ((1 - reached.inverse) * (step - from.step)) / (reached.inverse - from.inverse);
      if (!Number.isFinite(change) || Math.abs(change) > Math.abs(first)) break;
      from = reached;
      step += change;
      sum = this.#frequencies(multiplier, step, frequency);
    }
    return { frequency, step, sum };
  }

  /** x at λ + step, from the spacings at λ: the step is small, but not everywhere small enough. Returns Σ x. */
  #frequencies(multiplier: number, step: number, frequency: Float64Array): number {
    const { length, gain, load } = this.#pages;
    const least = this.#least;
    const target = multiplier + step;
    let sum = 0;
    for (let i = 0; i < length; i++) {
      const a = gain[i];
      const k = a - target;
      let x = 0;
      if (k > 0) {
        const s = this.#spacing[i];
        const newton = (step * (1 + s)) / (s * (a - multiplier));
        const near = a > multiplier && Math.abs(newton) < nearby * s;
        x = load[i] / (near ? s + halleyStep(s, newton) : inverseMarginal(target / a, k / a));
      }
      frequency[i] = x > least ? x : least;
      sum += frequency[i];
    }
    this.#sweeps++;
    return sum;
  }

  /** Scales what is above the least so that the sum is 1: a correction of the size of the tolerance. */
  #scale(frequency: Float64Array): void {
    const least = this.#least;
    let above = 0;
    for (let i = 0; i < frequency.length; i++) above += frequency[i] - least;
    const factor = (1 - least * frequency.length) / above;
    for (let i = 0; i < frequency.length; i++) frequency[i] = least + (frequency[i] - least) * factor;
  }
}
