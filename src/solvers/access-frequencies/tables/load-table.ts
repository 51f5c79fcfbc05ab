/**
 * A table of an access time's load and excess for many pages, where a call costs microseconds.
 *
 * L(s)/(s·E X) and excess(s)/(s·E X) are smooth in ln s. Each piece, at most one unit of ln s long, is interpolated at
 * 16 Chebyshev points and checked at three others. A piece that is off by more than 1e−13 of its largest value (excess:
 * or of s·E X) is halved. After six halvings its pages are asked directly. Pieces are built when a page first falls
 * into them. Pages look into a finer table made from that one, in powers of s itself (./octave-table.ts). The leading
 * bits of s find its pieces of a sixteenth of an octave, so that a page costs no logarithm. Cost: some tens of calls a
 * piece, then about 20 ns a page.
 */
import { type Budget, NothingToReturn, unlimitedBudget } from '../../budget.ts';
import type { AccessTime } from '../access-load.ts';
import { OctaveTable, type TwoValues } from './octave-table.ts';

const points = 16;
const checks = [-0.987, 0.031, 0.912];
const tolerance = 1e-13;
const maxDepth = 6;
/** A unit of ln s costs some forty calls: with fewer pages in it than this a table does not pay. */
const fewestPages = 60;
/** ln of the least and of the largest double, in whole units. */
const [leastUnit, unitsEnd] = [-745, 710];

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
  const alwaysPays = fewestPages * (unitsEnd - leastUnit);
  if (changeRate.length < alwaysPays && changeRate.length < fewestPages * unitsOf(changeRate)) return time;
  const { mean } = time;
  const table = new LoadTable(time, budget);
  const ratios = new OctaveTable((s) => table.at(s));
  return {
    mean,
    load: (s) => ratios.at(s).first * (s * mean),
    excess: (s) => ratios.at(s).second * (s * mean),
    expensive: false,
  };
}

/** How many units of ln s there is a rate in. */
function unitsOf(changeRate: Float64Array): number {
  const seen = new Uint8Array(unitsEnd - leastUnit);
  for (const rate of changeRate) seen[Math.floor(Math.log(rate)) - leastUnit] = 1;
  return seen.reduce((sum, one) => sum + one, 0);
}

class LoadTable {
  readonly #time: AccessTime;
  readonly #budget: Budget;
  /** Pieces by whole units of ln s, each a list in increasing order. */
  readonly #units = new Map<number, readonly Piece[]>();

  constructor(time: AccessTime, budget: Budget) {
    this.#time = time;
    this.#budget = budget;
  }

  /** Load and excess at s, as shares of s·E X. */
  at(s: number): TwoValues {
    const x = Math.log(s);
    const { low, high, load, excess } = this.#find(x);
    const t = (2 * x - low - high) / (high - low);
    const whole = s * this.#time.mean;
    return {
      first: load === null ? this.#asked().load(s) / whole : evaluate(load, t),
      second: excess === null ? this.#asked().excess(s) / whole : evaluate(excess, t),
      smooth: load !== null && excess !== null,
    };
  }

  /** The law itself, of which one value may take a millisecond. */
  #asked(): AccessTime {
    if (this.#budget.stopRequested()) throw new NothingToReturn('the table of loads was not complete');
    return this.#time;
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
    const { mean } = this.#time;
    const load = interpolate((s) => this.#asked().load(s) / (s * mean), low, high, 0);
    // a page accessed every time is stale for about s·E X/2 besides: more digits of the excess would not show
    const negligible = Math.min(1, Math.exp(low) * mean);
    const excess = interpolate((s) => this.#asked().excess(s) / (s * mean), low, high, negligible);
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
