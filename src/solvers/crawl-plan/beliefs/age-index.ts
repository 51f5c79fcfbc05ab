/**
 * What a fetch is worth at an age, when a page's change rate is only believed and drifts: the age index.
 *
 * With p(a) the probability that the page has not changed by age a, W(a) = ∫₀^a p − a·p(a) is the index: fetching
 * whenever w·W(a) ≥ μ is the best stationary rule at the price μ a fetch (for a known rate λ it is (1 −
 * (1+λa)e^{−λa})/λ, the gain of freshness-gain.ts). p is linear in the belief b, p(a) = b·ψ(a) with ψ' = (drift − diag
 * λ)ψ, ψ(0) = 1, so W(a) = b·ω(a) with ω(a) = ∫₀^a ψ − aψ(a): tabulated once for all pages on a geometric grid of ages.
 * - ω: row-major, ages × rates (time); ages a_j rise by 5%.
 * Other objectives than freshness: W is the mean of their V over the belief as it is after the last check, the rate
 * taken to stay as it is until the next; beyond the grid W and the integral of the cost go on as the powers of age they
 * have become.
 * Complexity: rates × ages for the table; a page's interval at a price is some three pairs of dot products.
 * Accuracy: ln W is interpolated linearly in ln a between ages 5% apart: intervals to about 3e−4 of their length.
 * Source: the Whittle index of Poisson refreshing (Azar et al. 2018; Kolobov et al. 2019), mixed over the belief.
 */
import type { RateModel } from '../../estimation/changes/drifting-rate.ts';
import { freshness, type StalenessCost } from '../../objectives/index.ts';

const ageRatio = 1.05;
/** Steps between two ages of the grid: Simpson's rule over each. */
const substeps = 4;
/** Secants by which a search comes near its end as a rule. */
const mostSecants = 6;

export class AgeIndex {
  readonly ages: Float64Array;
  readonly #size: number;
  /** ω(a_j), row-major. */
  readonly #omega: Float64Array;
  /** ∫₀^{a_j} (1 − ψ), row-major. */
  readonly #stale: Float64Array;
  /** ∫₀^{a_j} c, row-major; empty under freshness, where it is the stale time. */
  readonly #cost: Float64Array;
  /** Whether W has a limit; its power at young ages. */
  readonly bounded: boolean;
  readonly #power: 2 | 3;
  /** Where a search ended last: the grid position below, and W there and at the next one. */
  readonly found = { at: 0, low: Number.NaN, high: Number.NaN };
  /** What `#dotTwo` found last. */
  readonly #two = new Float64Array(2);

  /** Ages from `youngest` to `oldest` at least. */
  constructor(model: RateModel, youngest: number, oldest: number, cost: StalenessCost = freshness) {
    const size = model.size;
    const count = Math.ceil(Math.log(oldest / youngest) / Math.log(ageRatio)) + 2;
    this.#size = size;
    this.ages = Float64Array.from({ length: count }, (_, j) => youngest * ageRatio ** j);
    this.#omega = new Float64Array(count * size);
    this.#stale = new Float64Array(count * size);
    const changed = new Float64Array(size);
    const stale = new Float64Array(size);
    let from = 0;
    for (let j = 0; j < count; j++) {
      const to = this.ages[j];
      const step = (to - from) / substeps;
      for (let g = 0; g < size; g++) stale[g] += (step / 3) * changed[g];
      for (let q = 1; q <= substeps; q++) {
        model.growOlder(step, changed);
        const weight = (step / 3) * (q === substeps ? 1 : q % 2 === 1 ? 4 : 2);
        for (let g = 0; g < size; g++) stale[g] += weight * changed[g];
      }
      for (let g = 0; g < size; g++) {
        // ∫ψ − aψ with ψ = 1 − c, written so that nothing near 1 is subtracted
        this.#omega[j * size + g] = to * changed[g] - stale[g];
        this.#stale[j * size + g] = stale[g];
      }
      from = to;
    }
    this.bounded = cost === freshness;
    this.#power = cost.beginsWithPower;
    this.#cost = new Float64Array(this.bounded ? 0 : count * size);
    if (!this.bounded) this.#tabulate(model.rates, cost);
  }

  /** V and ∫c of another objective than freshness, by rate. */
  #tabulate(rates: Float64Array, cost: StalenessCost): void {
    for (const [j, age] of this.ages.entries()) {
      for (const [g, rate] of rates.entries()) {
        this.#omega[j * this.#size + g] = cost.worth(rate, 1, age);
        this.#cost[j * this.#size + g] = cost.integral(rate, age);
      }
    }
  }

  /** W at the grid age j for the belief at `at`. */
  #value(beliefs: Float64Array, at: number, j: number): number {
    return this.#dot(this.#omega, beliefs, at, j);
  }

  /**
   * The least age at which W reaches `target`: 0 for none needed, Infinity where W stays below it on the whole grid.
   * @param near a grid position about where W reaches it, which saves search and changes nothing of what is found
   */
  intervalAt(beliefs: Float64Array, at: number, target: number, near = 0): number {
    const position = this.reach(beliefs, at, target, near);
    const last = this.ages.length - 1;
    const { low, high } = this.found;
    this.found.at = Math.max(0, position);
    if (position >= 0 && position < last) return this.ageBetween(position, low, high, target);
    this.found.low = Number.NaN;
    if (position < 0) {
      return this.ages[0] * (this.#power === 2 ? Math.sqrt(target / high) : Math.cbrt(target / high));
    }
    if (this.bounded) return Number.POSITIVE_INFINITY;
    const before = this.#value(beliefs, at, last - 1);
    return this.ages[last] * (target / low) ** (Math.log(ageRatio) / Math.log(low / before));
  }

  /**
   * The last grid position at which W, which rises with the age, is below `target`, −1 for none; W there and at the
   * next one are left in `found`. From `near` by secants of a step of the grid: ln W is concave in ln a, so that they
   * come closer from the young side. The few searches that are far from the end after some secants halve what is left.
   */
  reach(beliefs: Float64Array, at: number, target: number, near: number): number {
    const last = this.ages.length - 1;
    const { found } = this;
    const two = this.#two;
    let low = -1;
    let high = last + 1;
    let j = near;
    for (let step = 0; high - low > 1; step++) {
      if (step > mostSecants) j = (low + high) >> 1;
      j = Math.min(j >= high ? high - 1 : j > low ? j : low, last - 1);
      if (j < 0) j = 0;
      this.#neighbours(this.#omega, beliefs, at, j);
      if (two[1] < target) {
        low = j + 1;
        found.low = two[1];
      } else if (two[0] < target) {
        low = j;
        high = j + 1;
        found.low = two[0];
        found.high = two[1];
      } else {
        high = j;
        found.high = two[0];
      }
      if (high - low > 1) j = this.stepTo(j, two[0], two[1], target);
    }
    return low;
  }

  /** About where W reaches `target`, by the secant through its values at a grid position and the next one. */
  stepTo(j: number, value: number, next: number, target: number): number {
    return j + Math.floor(Math.log(target / value) / Math.log(next / value));
  }

  /**
   * The age at which W reaches `target`, from its values at a grid position and the next one, between which it lies.
   */
  ageBetween(j: number, low: number, high: number, target: number): number {
    const share = Math.log(target / low) / Math.log(high / low);
    return this.ages[j] * (this.ages[j + 1] / this.ages[j]) ** share;
  }

  /** W at any age; beyond the grid, Infinity included, its last value where it is bounded. */
  valueAt(beliefs: Float64Array, at: number, age: number): number {
    const [j, share] = this.place(age);
    if (j < 0)
      return this.#value(beliefs, at, 0) * (this.#power === 2 ? (age / this.ages[0]) ** 2 : (age / this.ages[0]) ** 3);
    if (!this.bounded && j === this.ages.length - 1) {
      const end = this.#value(beliefs, at, j);
      return end * (age / this.ages[j]) ** (Math.log(end / this.#value(beliefs, at, j - 1)) / Math.log(ageRatio));
    }
    if (share === 0) return this.#value(beliefs, at, j);
    this.#neighbours(this.#omega, beliefs, at, j);
    return this.#two[0] * (this.#two[1] / this.#two[0]) ** share;
  }

  /** ∫₀^age (1 − p): how long the copy is expected to be stale by this age. */
  staleTime(beliefs: Float64Array, at: number, age: number): number {
    if (age <= 0) return 0;
    const [j, share] = this.place(age);
    if (j < 0) return this.#staleTime(beliefs, at, 0) * (age / this.ages[0]) ** 2;
    if (j === this.ages.length - 1) return this.#staleTime(beliefs, at, j) + (age - this.ages[j]);
    this.#neighbours(this.#stale, beliefs, at, j);
    return this.#two[0] * (this.#two[1] / this.#two[0]) ** share;
  }

  /** ∫₀^age c of the objective. */
  totalCost(beliefs: Float64Array, at: number, age: number): number {
    return this.bounded ? this.staleTime(beliefs, at, age) : this.costTime(beliefs, at, age);
  }

  /** `totalCost` at the grid's ages from position `from` to `to`, into `out` from `outAt` on, to rounding. */
  gridTotals(
    beliefs: Float64Array,
    at: number,
    [from, to]: readonly [number, number],
    out: Float64Array,
    outAt: number,
  ) {
    const table = this.bounded ? this.#stale : this.#cost;
    for (let j = from; j < to; j += 2) {
      this.#neighbours(table, beliefs, at, j);
      out[outAt + j - from] = this.#two[0];
      out[outAt + j + 1 - from] = this.#two[1];
    }
    if ((to - from) % 2 === 0) out[outAt + to - from] = this.#dot(table, beliefs, at, to);
  }

  /** A row of a table, averaged over a belief. */
  #dot(table: Float64Array, beliefs: Float64Array, at: number, j: number): number {
    const row = j * this.#size;
    let sum = 0;
    for (let g = 0; g < this.#size; g++) sum += beliefs[at + g] * table[row + g];
    return sum;
  }

  /** Rows j and j + 1 of a table, averaged over a belief, into `#two`. */
  #neighbours(table: Float64Array, beliefs: Float64Array, at: number, j: number): void {
    this.#dotTwo(beliefs, at, table, j, table, j + 1);
  }

  /**
   * A row of each of two tables, averaged over a belief, into `#two`. Each sum waits for its last term: two beside each
   * other take little more than the time of one.
   */
  #dotTwo(
    beliefs: Float64Array,
    at: number,
    first: Float64Array,
    firstRow: number,
    second: Float64Array,
    secondRow: number,
  ): void {
    const size = this.#size;
    const from = firstRow * size;
    const other = secondRow * size;
    let one = 0;
    let two = 0;
    for (let g = 0; g < size; g++) {
      const mass = beliefs[at + g];
      one += mass * first[from + g];
      two += mass * second[other + g];
    }
    this.#two[0] = one;
    this.#two[1] = two;
  }

  /** ∫₀^age c of another objective than freshness. */
  costTime(beliefs: Float64Array, at: number, age: number): number {
    if (age <= 0) return 0;
    const [j, share] = this.place(age);
    if (j < 0) return this.#costTime(beliefs, at, 0) * (age / this.ages[0]) ** this.#power;
    if (j === this.ages.length - 1) {
      const end = this.#costTime(beliefs, at, j);
      return end * (age / this.ages[j]) ** (Math.log(end / this.#costTime(beliefs, at, j - 1)) / Math.log(ageRatio));
    }
    this.#neighbours(this.#cost, beliefs, at, j);
    return this.#two[0] * (this.#two[1] / this.#two[0]) ** share;
  }

  #costTime(beliefs: Float64Array, at: number, j: number): number {
    return this.#dot(this.#cost, beliefs, at, j);
  }

  #staleTime(beliefs: Float64Array, at: number, j: number): number {
    return this.#dot(this.#stale, beliefs, at, j);
  }

  /** W at the grid's ages j and j + 1, into `out`. */
  gridWorths(beliefs: Float64Array, at: number, j: number, out: Float64Array): void {
    this.#neighbours(this.#omega, beliefs, at, j);
    out.set(this.#two);
  }

  /**
   * W at the grid's age j into `out` at 0, and at 1 the slope of the tangent there: c, under freshness 1 − p, how
   * likely the page has changed by then.
   */
  gridTangent(beliefs: Float64Array, at: number, j: number, out: Float64Array): void {
    this.#dotTwo(beliefs, at, this.#omega, j, this.bounded ? this.#stale : this.#cost, j);
    out[0] = this.#two[0];
    out[1] = (this.#two[0] + this.#two[1]) / this.ages[j];
  }

  /** The power of a young copy's age with which the cost begins. */
  get beginsWithPower(): 2 | 3 {
    return this.#power;
  }

  /** The grid position at or below an age; −1 below the grid. */
  below(age: number): number {
    return this.place(age)[0];
  }

  /** The grid position at or below an age (−1 below the grid), and the share of the log step beyond it. */
  place(age: number): [position: number, share: number] {
    if (age < this.ages[0]) return [-1, 0];
    const last = this.ages.length - 1;
    if (age >= this.ages[last]) return [last, 0];
    const steps = Math.log(age / this.ages[0]) / Math.log(ageRatio);
    const j = Math.min(Math.floor(steps), last - 1);
    return [j, Math.min(1, steps - j)];
  }
}
