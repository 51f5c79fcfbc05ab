/**
 * The load s between two accesses of a page at a price, tabulated: the inverse of the freshness kernel's gain G for
 * millions of pages.
 *
 * Symbols: a what a first access is worth, λ the price, o = λ/(a − λ) their odds; G(s) = λ/a = o/(1 + o). Method: s is
 * analytic in o but at 0 and −1. So on a sixteenth of an octave of o a polynomial of degree 7 gives it to rounding.
 * Each is interpolated at Chebyshev points when a page first falls there, and found by the leading bits of o. Both ends
 * keep their digits, since o does. Outside of 2^−32 to 2^32 the inverse is asked directly. Relative error below 2e−14,
 * which the tests measure. Cost: some 10 ns; 2 µs for a piece, of which there are 1024.
 */
import { changesAtGain } from '../../pages/objectives/index.ts';
import { chebyshevPoints, polynomialAt, powers, terms } from './octave-table.ts';

/** Leading bits of a double: its sign, eleven of the exponent and four of the fraction. */
const [lowest, pieces] = [(1023 - 32) << 4, 64 << 4];
/** The middle of a piece, one over half its length, and the coefficients; a row of zeros has not been made. */
const rowLength = 2 + terms;

export class SpacingTable {
  readonly #rows = new Float64Array(pieces * rowLength);
  readonly #number = new Float64Array(1);
  readonly #bits = new Uint32Array(this.#number.buffer);

  /** s of a page worth a at the price λ, 0 ≤ λ < a. */
  spacing(a: number, price: number): number {
    const odds = price / (a - price);
    this.#number[0] = odds;
    const piece = (this.#bits[1] >>> 16) - lowest;
    if (!(piece >= 0 && piece < pieces)) return changesAtGain(price / a, (a - price) / a);
    const rows = this.#rows;
    const at = piece * rowLength;
    if (rows[at] === 0) this.#make(piece);
    return polynomialAt(rows, at + 2, (odds - rows[at]) * rows[at + 1]);
  }

  #make(piece: number): void {
    const low = 2 ** ((piece >> 4) - 32) * (1 + (piece & 15) / 16);
    const half = 2 ** ((piece >> 4) - 32) / 32;
    const middle = low + half;
    const values = chebyshevPoints(terms).map((t) => {
      const odds = middle + t * half;
      return changesAtGain(odds / (1 + odds), 1 / (1 + odds));
    });
    this.#rows.set([middle, 1 / half, ...powers(values)], piece * rowLength);
  }
}

/** One for all: a constant of mathematics, made piece by piece as it is asked. */
export const spacings = new SpacingTable();
