/**
 * A table of an access time's load and excess for many pages, where a call costs microseconds.
 *
 * L(s)/(s·E X) and excess(s)/(s·E X) are smooth in ln s. Each piece, at most one unit of ln s long, is interpolated at 16
 * Chebyshev points and checked at three others; a piece that is off by more than 1e−13 of its largest value (excess: or of s·E X) is halved, and
 * after six halvings its pages are asked directly. Pieces are built when a page first falls into them.
 * Cost: some tens of calls a piece, then about 100 ns a page.
 */
import { type Budget, NothingToReturn, unlimitedBudget } from '../budget.ts';
import type { AccessTime } from './access-load.ts';

const points = 16;
const checks = [-0.987, 0.031, 0.912];
const tolerance = 1e-13;
const maxDepth = 6;
/** A unit of ln s costs some forty calls: with fewer pages in it than this a table does not pay. */
const fewestPages = 60;

type Ratio = (s: number) => number;

/** One piece of ln s: Chebyshev coefficients of both ratios, or null where the function is asked directly. */
interface Piece {
  readonly low: number;
  readonly high: number;
  readonly load: Float64Array | null;
  readonly excess: Float64Array | null;
}

/** The same access time, from a table when the pages are many and a call is expensive. */
export function tabulated(time: AccessTime, changeRate: Float64Array, budget: Budget = unlimitedBudget()): AccessTime {
  if (!time.expensive) return time;
  if (changeRate.length < fewestPages * unitsOf(changeRate)) return time;
  const table = new LoadTable(time, budget);
  return {
    mean: time.mean,
    load: (s) => table.at(s).load,
    excess: (s) => table.at(s).excess,
    expensive: false,
  };
}

/** How many units of ln s there is a rate in. */
function unitsOf(changeRate: Float64Array): number {
  // ln of the least and of the largest double
  const least = -745;
  const seen = new Uint8Array(710 - least);
  for (const rate of changeRate) seen[Math.floor(Math.log(rate)) - least] = 1;
  return seen.reduce((sum, one) => sum + one, 0);
}

class LoadTable {
  readonly #time: AccessTime;
  readonly #budget: Budget;
  /** Pieces by whole units of ln s, each a list in increasing order. */
  readonly #units = new Map<number, readonly Piece[]>();
  #last: Piece = { low: 0, high: 0, load: null, excess: null };
  readonly #found = { s: Number.NaN, load: 0, excess: 0 };

  constructor(time: AccessTime, budget: Budget) {
    this.#time = time;
    this.#budget = budget;
  }

  /** Load and excess at s; the same object every time. */
  at(s: number): { readonly load: number; readonly excess: number } {
    const found = this.#found;
    if (s === found.s) return found;
    const x = Math.log(s);
    if (!(x >= this.#last.low && x < this.#last.high)) this.#last = this.#find(x);
    const { low, high, load, excess } = this.#last;
    const t = (2 * x - low - high) / (high - low);
    const whole = s * this.#time.mean;
    found.s = s;
    if (load !== null && excess !== null) {
      evaluateBoth(load, excess, t, found);
      found.load *= whole;
      found.excess *= whole;
    } else {
      found.load = load === null ? this.#time.load(s) : evaluate(load, t) * whole;
      found.excess = excess === null ? this.#time.excess(s) : evaluate(excess, t) * whole;
    }
    return found;
  }

  #find(x: number): Piece {
    const unit = Math.floor(x);
    let pieces = this.#units.get(unit);
    if (pieces === undefined) {
      pieces = this.#build(unit, unit + 1, 0);
      this.#units.set(unit, pieces);
    }
    return pieces.find((piece) => x < piece.high) ?? pieces[pieces.length - 1];
  }

  #build(low: number, high: number, depth: number): Piece[] {
    if (this.#budget.stopRequested()) throw new NothingToReturn('the table of loads was not complete');
    const { mean } = this.#time;
    const load = interpolate((s) => this.#time.load(s) / (s * mean), low, high, 0);
    // a page accessed every time is stale for about s·E X/2 besides: more digits of the excess would not show
    const negligible = Math.min(1, Math.exp(low) * mean);
    const excess = interpolate((s) => this.#time.excess(s) / (s * mean), low, high, negligible);
    if ((load !== null && excess !== null) || depth === maxDepth) return [{ low, high, load, excess }];
    const middle = (low + high) / 2;
    return [...this.#build(low, middle, depth + 1), ...this.#build(middle, high, depth + 1)];
  }
}

/** Chebyshev coefficients of ratio(e^x) on [low, high], or null if the check, relative to `scale` at least, fails. */
function interpolate(ratio: Ratio, low: number, high: number, scale: number): Float64Array | null {
  const at = (t: number): number => ratio(Math.exp((low + high + t * (high - low)) / 2));
  const values = new Float64Array(points);
  let largest = scale;
  for (let j = 0; j < points; j++) {
    values[j] = at(Math.cos((Math.PI * (j + 0.5)) / points));
    largest = Math.max(largest, Math.abs(values[j]));
  }
  const coefficients = new Float64Array(points);
  for (let k = 0; k < points; k++) {
    let sum = 0;
    for (let j = 0; j < points; j++) sum += values[j] * Math.cos((Math.PI * k * (j + 0.5)) / points);
    coefficients[k] = (k === 0 ? 1 : 2) * (sum / points);
  }
  const close = checks.every((t) => Math.abs(evaluate(coefficients, t) - at(t)) <= tolerance * largest);
  return close ? coefficients : null;
}

/** Clenshaw's summation at t in [−1, 1]. */
function evaluate(coefficients: Float64Array, t: number): number {
  let next = 0;
  let afterNext = 0;
  for (let k = coefficients.length - 1; k > 0; k--) {
    const value = coefficients[k] + 2 * t * next - afterNext;
    afterNext = next;
    next = value;
  }
  return coefficients[0] + t * next - afterNext;
}

/** Both sums at once: each waits for its own last term, so that two take little longer than one. */
function evaluateBoth(
  load: Float64Array,
  excess: Float64Array,
  t: number,
  found: { load: number; excess: number },
): void {
  let nextLoad = 0;
  let afterLoad = 0;
  let nextExcess = 0;
  let afterExcess = 0;
  for (let k = points - 1; k > 0; k--) {
    const ofLoad = load[k] + 2 * t * nextLoad - afterLoad;
    const ofExcess = excess[k] + 2 * t * nextExcess - afterExcess;
    afterLoad = nextLoad;
    nextLoad = ofLoad;
    afterExcess = nextExcess;
    nextExcess = ofExcess;
  }
  found.load = load[0] + t * nextLoad - afterLoad;
  found.excess = excess[0] + t * nextExcess - afterExcess;
}
