/**
 * Many checks of a page in a row through the filter of a drifting rate: what drifting-rate.ts does with one check, in
 * one pass a check over the grid.
 *
 * Between checks the belief is kept as masses v that sum to M, how likely the checks of the run have been so far:
 * nothing is divided but at the end, and once in a while when M has become small. A pass joins the walk, the redraw and
 * the check, v ← (kept·(v + cΔv) + drawn·M·π)∘(u or 1 − u), two grid points at a time, which have an exponential each
 * and two sums that do not wait for each other.
 * Complexity: some 8 operations a grid point and check, a third of the time of single checks. The sums are taken in
 * another order than there: beliefs agree to some 1e−14.
 * Limits: gaps short enough for the explicit walk, outcomes `unchanged` and `changed`; others are left to the caller.
 */
import { changed, unchanged } from './check-history.ts';

/** No check is less likely. */
export const leastMass = 1e-290;
/** c up to which one explicit step of the walk stays positive with room to spare. */
export const largestExplicit = 0.25;
/** Below this the masses are divided by their sum: the least likely check then still has one. */
const leastSum = 1e-15;
/** Up to here eight terms of the series of 1 − e^{−x} hold all digits. */
const nearZero = 1 / 32;

/** 1 − e^{−x}, x ≥ 0. */
function riseTo(x: number): number {
  if (x > nearZero) return -Math.expm1(-x);
  const last = x * (1 / 120 - x * (1 / 720 - x * (1 / 5040 - x / 40320)));
  return x * (1 - x * (1 / 2 - x * (1 / 6 - x * (1 / 24 - last))));
}

export class CheckRun {
  readonly #rates: Float64Array;
  readonly #population: Float64Array;
  readonly #variance: number;
  readonly #redraw: number;
  /** v between the reflecting ends: a place before the first point of the grid, and one behind its last. */
  readonly #masses: Float64Array;
  /** M. */
  #sum = 1;
  /** ln of what the masses have been divided by. */
  #logged = 0;

  /**
   * @param rates two at least, each √2 of the one before
   * @param population π, which may change between runs
   * @param variance c of a time unit, and `redraw` redraws from the population a time unit
   */
  constructor(
    rates: Float64Array,
    population: Float64Array,
    { variance, redraw }: { readonly variance: number; readonly redraw: number },
  ) {
    this.#rates = rates;
    this.#population = population;
    this.#variance = variance;
    this.#redraw = redraw;
    this.#masses = new Float64Array(rates.length + 2);
  }

  /** Begins with the belief at `at`, which sums to 1. */
  begin(belief: Float64Array, at: number): void {
    const size = this.#rates.length;
    for (let g = 0; g < size; g++) this.#masses[g + 1] = belief[at + g];
    this.#sum = 1;
    this.#logged = 0;
  }

  /** Takes in a check; false where it is not one of those that a run takes, and all is as it was. */
  take(gap: number, outcome: number): boolean {
    const c = this.#variance * gap;
    if (!(c <= largestExplicit) || (outcome !== unchanged && outcome !== changed)) return false;
    const before = this.#sum;
    const sum = this.#pass(gap, c, outcome === changed ? 0 : 1);
    this.#sum = sum;
    if (!(sum > leastMass * before)) this.#leaveSlowest(before);
    else if (sum < leastSum) this.#divide();
    return true;
  }

  /** Ends the run: the belief after it, and ln of how likely its checks were. */
  end(belief: Float64Array, at: number): number {
    this.#divide();
    const size = this.#rates.length;
    for (let g = 0; g < size; g++) belief[at + g] = this.#masses[g + 1];
    return this.#logged;
  }

  /** @param from what u is taken from: 0 for a change, 1 for none. Returns the new sum. */
  #pass(gap: number, c: number, from: 0 | 1): number {
    const masses = this.#masses;
    const population = this.#population;
    const size = this.#rates.length;
    const paired = size & ~1;
    const drawn = riseTo(this.#redraw * gap);
    const stay = (1 - drawn) * (1 - 2 * c);
    const move = (1 - drawn) * c;
    const fresh = drawn * this.#sum;
    const sign = 1 - 2 * from;
    // u = 1 − e^{−λ·gap} at even and at odd grid points, doubled from one to the next
    let even = riseTo(this.#rates[0] * gap);
    let odd = riseTo(this.#rates[1] * gap);
    masses[0] = masses[1];
    masses[size + 1] = masses[size];
    let before = masses[0];
    let here = masses[1];
    let evenSum = 0;
    let oddSum = 0;
    for (let g = 0; g < paired; g += 2) {
      const after = masses[g + 2];
      const later = masses[g + 3];
      const first = (stay * here + move * (before + after) + fresh * population[g]) * (from + sign * even);
      const second = (stay * after + move * (here + later) + fresh * population[g + 1]) * (from + sign * odd);
      even *= 2 - even;
      odd *= 2 - odd;
      masses[g + 1] = first;
      masses[g + 2] = second;
      evenSum += first;
      oddSum += second;
      before = after;
      here = later;
    }
    if (paired < size) {
      const last = (stay * here + move * (before + here) + fresh * population[paired]) * (from + sign * even);
      masses[size] = last;
      evenSum += last;
    }
    return evenSum + oddSum;
  }

  /**
   * A check no rate of the grid can explain (a gap of many times 1/λ at every λ, unchanged) leaves the slowest rate.
   */
  #leaveSlowest(before: number): void {
    this.#masses.fill(0);
    this.#masses[1] = 1;
    this.#sum = 1;
    this.#logged += Math.log(before) + Math.log(leastMass);
  }

  #divide(): void {
    const scale = 1 / this.#sum;
    for (let g = 1; g <= this.#rates.length; g++) this.#masses[g] *= scale;
    this.#logged += Math.log(this.#sum);
    this.#sum = 1;
  }
}
