/**
 * Two smooth functions of a positive number, tabulated for millions of look-ups.
 *
 * Method: the leading bits of s (its exponent and four bits more) name a piece a sixteenth of an octave long. On it
 * both functions are polynomials of degree 7 in s, interpolated at Chebyshev points. They are turned into powers of t,
 * the place of s in the piece from −1 to 1, which Estrin's scheme sums. A piece that misses the functions by more than
 * rounding at two other points, or where they are not smooth, asks them directly. Pieces are made when a number first
 * falls into them.
 * Complexity: ten calls a piece; O(1) a look-up, some 20 ns.
 */

/** The two values, and whether both functions are smooth near there. */
export interface TwoValues {
  readonly first: number;
  readonly second: number;
  readonly smooth: boolean;
}

/** Terms of the polynomials of a table. */
export const terms = 8;
/** Leading bits of a double after the sign: eleven of the exponent and four of the fraction. */
const pieces = 1 << 15;
const checkedAt = [-0.93, 0.55];
const rounding = 4e-15;

const notMade = 0;
const askedDirectly = -1;

/** Looks up the same object every time. */
export class OctaveTable {
  readonly #functions: (s: number) => TwoValues;
  /** By leading bits: where the piece's row begins, plus one; `notMade`, or `askedDirectly`. */
  readonly #row = new Int32Array(pieces);
  /** Rows: the middle of a piece, one over half its length, the powers of the first function and of the second. */
  #rows = new Float64Array(64 * (2 + 2 * terms));
  #used = 0;
  readonly #number = new Float64Array(1);
  readonly #bits = new Uint32Array(this.#number.buffer);
  readonly #found = { s: Number.NaN, first: 0, second: 0 };

  constructor(functions: (s: number) => TwoValues) {
    this.#functions = functions;
  }

  /** Both functions at s > 0. */
  at(s: number): { readonly first: number; readonly second: number } {
    const found = this.#found;
    if (s === found.s) return found;
    this.#number[0] = s;
    const piece = this.#bits[1] >>> 16;
    if (this.#row[piece] === notMade) this.#make(piece);
    found.s = s;
    if (this.#row[piece] === askedDirectly) {
      const { first, second } = this.#functions(s);
      found.first = first;
      found.second = second;
      return found;
    }
    const rows = this.#rows;
    const at = this.#row[piece] - 1;
    const t = (s - rows[at]) * rows[at + 1];
    found.first = polynomialAt(rows, at + 2, t);
    found.second = polynomialAt(rows, at + 2 + terms, t);
    return found;
  }

  #make(piece: number): void {
    const [low, high] = [piece, piece + 1].map((bits) => {
      this.#bits[1] = bits << 16;
      this.#bits[0] = 0;
      return this.#number[0];
    });
    const middle = low + (high - low) / 2;
    const half = (high - low) / 2;
    const ask = (t: number): TwoValues => this.#functions(middle + t * half);
    const nodes = chebyshevPoints(terms).map(ask);
    const first = powers(nodes.map((node) => node.first));
    const second = powers(nodes.map((node) => node.second));
    const close = checkedAt
      .map((t) => ({ t, ...ask(t) }))
      .every(
        (there) =>
          there.smooth &&
          Math.abs(polynomialAt(first, 0, there.t) - there.first) <=
            rounding * Math.max(...nodes.map((node) => node.first)) &&
          Math.abs(polynomialAt(second, 0, there.t) - there.second) <=
            rounding * Math.max(...nodes.map((node) => node.second)),
      );
    if (!close || !Number.isFinite(1 / half) || !nodes.every((node) => node.smooth)) {
      this.#row[piece] = askedDirectly;
      return;
    }
    const length = 2 + 2 * terms;
    if ((this.#used + 1) * length > this.#rows.length) {
      const longer = new Float64Array(2 * this.#rows.length);
      longer.set(this.#rows);
      this.#rows = longer;
    }
    const at = this.#used++ * length;
    this.#row[piece] = at + 1;
    this.#rows.set([middle, 1 / half, ...first, ...second], at);
  }
}

/** The zeros of the Chebyshev polynomial of that degree, falling from 1 to −1. */
export function chebyshevPoints(count: number): number[] {
  return Array.from({ length: count }, (_, j) => Math.cos((Math.PI * (j + 0.5)) / count));
}

/** Coefficients of powers of t of the polynomial with these values at as many Chebyshev points. */
export function powers(values: readonly number[]): Float64Array {
  const terms = values.length;
  const result = new Float64Array(terms);
  // T_k in powers of t, from T_{k+1} = 2t·T_k − T_{k−1}
  let before = new Float64Array(terms);
  let polynomial = Float64Array.from({ length: terms }, (_, power) => (power === 0 ? 1 : 0));
  for (let k = 0; k < terms; k++) {
    let coefficient = 0;
    for (let j = 0; j < terms; j++) coefficient += values[j] * Math.cos((Math.PI * k * (j + 0.5)) / terms);
    coefficient *= (k === 0 ? 1 : 2) / terms;
    for (let power = 0; power < terms; power++) result[power] += coefficient * polynomial[power];
    const [older, old] = [before, polynomial];
    const next = old.map((_, power) => (k === 0 ? 1 : 2) * (power > 0 ? old[power - 1] : 0) - older[power]);
    before = old;
    polynomial = next;
  }
  return result;
}

/**
 * Σ_k values[at + k]·t^k over eight terms, by Estrin's scheme: half of Horner's time, since products do not wait for
 * each other.
 */
export function polynomialAt(values: Float64Array, at: number, t: number): number {
  const square = t * t;
  const low = values[at] + values[at + 1] * t + square * (values[at + 2] + values[at + 3] * t);
  const high = values[at + 4] + values[at + 5] * t + square * (values[at + 6] + values[at + 7] * t);
  return low + square * square * high;
}
