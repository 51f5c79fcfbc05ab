/**
 * The search for the multiplier λ of {@link deterministicFrequencies}: S(λ) = Σ x_i(λ) = 1.
 *
 * Method. λ by the secant method on S(λ)^(−2) = 1 (nearly linear in λ at small loads), kept in a bracket, started from
 * the root for a sample of the pages. S is vertical where λ meets the a of a page with a large load: when the bracket
 * closes upon such a page, the unknown becomes 1/s of that page, in which everything near it is nearly linear; a's
 * within 1e−14 of it count as equal, so that pages at the threshold share what is left in proportion to their loads.
 * Pages near λ make the tangent of S, unlike its secants, depend on a few pages: steps after the first are by secants.
 * Beyond 20 000 pages, where S has a kink at each page's a, the pages near λ are first counted anew at every λ tried
 * and the others taken as linear: two or three sweeps over all pages.
 * S is swept by demand.ts. The search ends when |S − 1| ≤ 1e−12 (1e−8 beyond 20 000 pages: 1e−16 of the cost), which a
 * last scaling of what is above m removes. O(N) a sweep, 3 to 40 sweeps.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import { findRoot } from '../numerics/search/root.ts';
import type { AccessPages } from './access-pages.ts';
import { manyPages, PageDemand, sameWorth } from './demand.ts';
import { marginal, marginalComplement } from './even-spacing.ts';
import type { Frequencies } from './frequencies.ts';
import { pricedFrequencies } from './priced-frequencies.ts';

const maxSteps = 120;
/** Pages whose a is within this share of λ are near; of all pages at most so many may be, as a share. */
const nearWorth = 0.005;
const mostNear = 0.05;
const mostSweepsAmongMany = 6;
/** Differences of S⁻² below this are rounding. */
const roundedInverse = 1e-11;
/** Pages that give a start, and how near S must come to 1 on them: they differ from all by about a tenth of a root. */
const samples = [
  [10_000, 1e-3],
  [100_000, 3e-4],
] as const;

/** Where S was evaluated close to 1, the step from there to its root, and dS⁻²/dλ. */
interface Root {
  readonly multiplier: number;
  readonly step: number;
  readonly slope: number | null;
}

/** λ and S⁻² there. */
interface Point {
  readonly multiplier: number;
  readonly inverse: number;
}

/** Finds λ, and the frequencies there. */
export class MultiplierSearch {
  readonly #pages: AccessPages;
  readonly #least: number;
  readonly #demand: PageDemand;
  #low = 0;
  #high: number;
  /** The last λ tried: from a sample of the pages at first. */
  #tried = 0;

  constructor(pages: AccessPages, least: number, highest: number, budget: Budget) {
    this.#pages = pages;
    this.#least = least;
    this.#demand = new PageDemand(pages, least, budget);
    this.#high = highest;
  }

  solve(): Frequencies {
    try {
      return this.#search();
    } catch (error) {
      if (!(error instanceof NothingToReturn)) throw error;
      const { frequency, bound } = pricedFrequencies(this.#pages, 'deterministic', this.#tried, this.#least);
      return { frequency, multiplier: this.#tried, sweeps: Math.round(this.#demand.sweeps), stoppedAt: bound };
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
    const tolerance = length > manyPages ? 1e-8 : 1e-12;
    const quick = length > manyPages ? this.#amongMany(start, tolerance) : null;
    const root = quick ?? this.#secant({ start, slope }, 1, tolerance);
    if (root === null) return this.#atThreshold();
    scale(this.#demand.frequency, this.#least);
    return this.#found(this.#demand.frequency, root.multiplier + root.step);
  }

  #found(frequency: Float64Array, multiplier: number): Frequencies {
    return { frequency, multiplier, sweeps: Math.round(this.#demand.sweeps), stoppedAt: null };
  }

  /**
   * λ with S(λ) = 1 (or where S was last evaluated), or null once the bracket is narrow and holds the a of some page.
   */
  #secant(from: { start: number; slope: number | null }, stride: number, tolerance: number): Root | null {
    let multiplier = from.start;
    let before: Point | null = null;
    let last: Root = { multiplier, step: 0, slope: null };
    for (let step = 0; step < maxSteps; step++) {
      this.#tried = multiplier;
      const { sum, slope: tangent } = this.#demand.at(multiplier, stride);
      const inverse = 1 / (sum * sum);
      const slope = slopeFrom(before, { multiplier, inverse }, from.slope) ?? (-2 * tangent) / sum ** 3;
      const change = (1 - inverse) / slope;
      last = { multiplier, step: Number.isFinite(change) ? change : 0, slope };
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

  /** A point between the ends of the bracket: geometric where they are far apart. */
  #between(): number {
    const far = this.#low > 0 && this.#high > 4 * this.#low;
    if (this.#low === 0) return this.#high / 16;
    return far ? Math.sqrt(this.#low) * Math.sqrt(this.#high) : this.#low + (this.#high - this.#low) / 2;
  }

  /**
   * λ with S(λ) = 1 within a few sweeps over many pages, from a λ near it; null where it takes more. S has a kink
   * wherever λ meets a page's a: the pages whose a is near λ are counted anew at every λ tried, the others are as good
   * as linear.
   */
  #amongMany(start: number, tolerance: number): Root | null {
    const [least, most] = [(1 - nearWorth) * start, (1 + nearWorth) * start];
    const near = this.#demand.pagesWorth(least, most, mostNear);
    if (near === null) return null;
    let multiplier = start;
    for (let sweep = 0; sweep < mostSweepsAmongMany; sweep++) {
      this.#tried = multiplier;
      const { sum, slope } = this.#demand.at(multiplier, 1);
      if (Math.abs(sum - 1) <= tolerance) return { multiplier, step: (1 - sum) / slope || 0, slope: null };
      const here = this.#demand.of(near, multiplier);
      const from = multiplier;
      const excess = (price: number): number =>
        sum - 1 - here.sum + (slope - here.slope) * (price - from) + this.#demand.of(near, price).sum;
      if (!(excess(least) > 0 && excess(most) < 0)) return null;
      multiplier = findRoot(excess, least, most, 1e-13 * from);
    }
    return null;
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
      if (this.#demand.aroundThreshold(candidates[middle], 0, null) < 1) last = middle;
      else first = middle + 1;
    }
    const reference = candidates[first];
    let shared = 0;
    for (let i = 0; i < this.#pages.length; i++) {
      if (Math.abs(this.#pages.gain[i] - reference) <= sameWorth * reference) shared += this.#pages.load[i];
    }
    const spacing = findRoot((w) => this.#demand.aroundThreshold(reference, w, null) - 1, 0, 1 / shared);
    const frequency = new Float64Array(this.#pages.length);
    this.#demand.aroundThreshold(reference, spacing, frequency);
    scale(frequency, this.#least);
    const k = spacing > 0 ? marginalComplement(1 / spacing) : 0;
    return this.#found(frequency, reference * (1 - k));
  }
}

/**
 * dS⁻²/dλ by the secant where the last step came much nearer to 1, by `guess` at the first point; null: by the tangent.
 */
function slopeFrom(before: Point | null, { multiplier, inverse }: Point, guess: number | null): number | null {
  if (before === null) return guess;
  const moved = inverse - before.inverse;
  if (Math.abs(inverse - 1) > 0.25 * Math.abs(before.inverse - 1) || Math.abs(moved) < roundedInverse) return null;
  const slope = moved / (multiplier - before.multiplier);
  return slope > 0 && slope < Number.POSITIVE_INFINITY ? slope : null;
}

/** Scales what is above the least so that the sum is 1: a correction of the size of the tolerance. */
function scale(frequency: Float64Array, least: number): void {
  let above = 0;
  for (let i = 0; i < frequency.length; i++) above += frequency[i] - least;
  const factor = (1 - least * frequency.length) / above;
  for (let i = 0; i < frequency.length; i++) frequency[i] = least + (frequency[i] - least) * factor;
}
