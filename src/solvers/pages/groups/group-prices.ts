/**
 * Prices of groups of pages that may overlap: what each adds to the price of a crawl, so that all keep their limits.
 *
 * Pages want less the more is added. At the prices sought every group takes no more than its limit, and none that takes
 * less has a price. That is the lowest point of the dual function, which is convex in them.
 * Method: in turn each group takes its clearing price, those of the others held. Between the rounds comes a step of
 * Newton's method for all groups that bind, kept where it brings them nearer. Where what pages want has no jumps, the
 * rounds alone converge, and Newton's steps make the end quadratic.
 * Complexity: some five rounds, ten looks at the pages of every group each, and K³ for K groups that bind.
 * Stopping rule: every limit to 1e−12, or 40 rounds. Known limits: where what pages want jumps, rounds may end beside
 * the lowest point. The limits are kept, and the prices prove what they prove.
 */
import { CholeskyDecomposition, EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { clearingPrice } from '../market/index.ts';
import { around, type HostGroups } from './host-groups.ts';

/** Pages by host, and the most that each host's pages take together; Infinity for no limit. */
interface GroupsOfPages {
  readonly of: Int32Array;
  readonly limit: Float64Array;
  readonly around: HostGroups;
}

/** What a page takes where so much is added to its price: falls in it. */
export type Taken = (page: number, added: number) => number;

const mostRounds = 40;
const tolerance = 1e-12;
/** For slopes: how much more than is added, relative to it. */
const aside = 1e-6;
/** A slope is none below this share of the others. */
const flat = 1e-12;
/** More groups that bind have rounds alone. */
const mostTogether = 250;

export class GroupPrices {
  /** By group; 0 where its limit does not bind. */
  readonly price: Float64Array;
  readonly #groups: GroupsOfPages;
  readonly #members: readonly (readonly number[])[];
  /** By page, in all that it lies in. */
  readonly #added: Float64Array;
  /** A price of the size of those sought, above 0. */
  readonly #start: number;

  constructor(groups: GroupsOfPages, start: number) {
    const { of, limit, around: lists } = groups;
    const members = Array.from(limit, (): number[] => []);
    for (const [i, h] of of.entries()) {
      for (const g of around(lists, h)) if (limit[g] < Number.POSITIVE_INFINITY) members[g].push(i);
    }
    this.#groups = groups;
    this.#members = members;
    this.#added = new Float64Array(of.length);
    this.#start = start;
    this.price = new Float64Array(limit.length);
  }

  /** What is added to a page's price. */
  added(page: number): number {
    return this.#added[page];
  }

  /** Finds the prices, from those found last on. */
  find(taken: Taken): void {
    let off = this.#off(taken);
    for (let round = 0; round < mostRounds && off > tolerance; round++) {
      const before = this.price.slice();
      this.#together(taken);
      let now = this.#off(taken);
      if (now > off / 4) {
        this.price.set(before);
        this.#addUp();
        this.#inTurn(taken);
        if (this.price.every((own, g) => Math.abs(own - before[g]) <= tolerance * own)) return;
        now = this.#off(taken);
      }
      off = now;
    }
  }

  /** By what factor, in its logarithm, the group farthest off is. */
  #off(taken: Taken): number {
    let most = 0;
    for (const [g, pages] of this.#members.entries()) {
      if (pages.length === 0) continue;
      const above = Math.log(this.#sum(taken, g, 0) / this.#groups.limit[g]);
      most = Math.max(most, this.price[g] > 0 ? Math.abs(above) : above);
    }
    return most;
  }

  /** What a group takes at so much more. */
  #sum(taken: Taken, group: number, more: number): number {
    let sum = 0;
    for (const i of this.#members[group]) sum += taken(i, Math.max(0, this.#added[i] + more));
    return sum;
  }

  #inTurn(taken: Taken): void {
    for (const [g, pages] of this.#members.entries()) {
      if (pages.length === 0) continue;
      const own = this.price[g];
      const supply = this.#groups.limit[g];
      const wanted = (price: number): number => this.#sum(taken, g, price - own);
      const near = own > 0 ? { start: own, near: true } : { start: this.#start };
      this.price[g] = wanted(0) <= supply ? 0 : clearingPrice(wanted, { ...near, supply }).high;
      for (const i of pages) this.#added[i] += this.price[g] - own;
    }
    this.#addUp();
  }

  /** Newton's step of the prices that are above 0, none of which falls below a tenth of itself. */
  #together(taken: Taken): void {
    const { of, limit, around: lists } = this.#groups;
    const binding = [...this.price.keys()].filter((g) => this.price[g] > 0);
    const size = binding.length;
    if (size === 0 || size > mostTogether) return;
    const at = new Map(binding.map((g, k) => [g, k]));
    const slopes = Matrix.zeros(size, size);
    const excess = Matrix.columnVector(binding.map((g) => -limit[g]));
    for (const [i, h] of of.entries()) {
      const mine = [...around(lists, h)].flatMap((g) => at.get(g) ?? []);
      if (mine.length === 0) continue;
      const now = taken(i, this.#added[i]);
      const more = aside * Math.max(this.#added[i], this.#start);
      const slope = (now - taken(i, this.#added[i] + more)) / more;
      for (const k of mine) {
        excess.set(k, 0, excess.get(k, 0) + now);
        for (const l of mine) slopes.set(k, l, slopes.get(k, l) + slope);
      }
    }
    const step = stepOf(slopes, excess);
    for (const [k, g] of binding.entries()) this.price[g] = Math.max(this.price[g] / 10, this.price[g] + step[k]);
    this.#addUp();
  }

  #addUp(): void {
    const { of, around: lists } = this.#groups;
    for (const [i, h] of of.entries()) {
      let sum = 0;
      for (const g of around(lists, h)) sum += this.price[g];
      this.#added[i] = sum;
    }
  }
}

/** x of A·x = b, A symmetric and positive semidefinite; directions along which it is flat are left out. */
function stepOf(a: Matrix, b: Matrix): number[] {
  const cholesky = new CholeskyDecomposition(a);
  const pivots = cholesky.lowerTriangularMatrix.diagonal();
  if (pivots.every((pivot, k) => pivot * pivot > flat * a.get(k, k))) return cholesky.solve(b).to1DArray();
  const { eigenvectorMatrix: axes, realEigenvalues: slopes } = new EigenvalueDecomposition(a, {
    assumeSymmetric: true,
  });
  const steepest = Math.max(...slopes);
  const along = axes.transpose().mmul(b);
  for (const [k, slope] of slopes.entries()) along.mulRow(k, slope > flat * steepest ? 1 / slope : 0);
  return axes.mmul(along).to1DArray();
}
