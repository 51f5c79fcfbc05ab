/**
 * E min(Y, t) and E min(Y, t)² of a geometric sum Y of gaps X, each with chance p the last: from its renewal equation.
 *
 * With M(t) = E min(Y, t) = ∫₀ᵗ S, m(t) = E min(X, t), F the law of X and q = 1 − p: M(t) = m(t) + q∫₀ᵗ S(v)·F(t − v)
 * dv.
 * - A small p is taken in stages of ½ or more, the sum of one being the gap of the next. So S and F vary alike, and
 *   cells that rise with t are never long beside a gap where it matters.
 * - Nodes rise by a ratio from far below the mean gap to hundreds of means. In a cell the integral takes (M_{j+1} −
 *   M_j) times the mean of F over it, which differences of m give exactly: second order in the ratio, whatever jumps F has.
 * - Solved on a grid and on one twice as fine, which a third of their difference corrects (Richardson): fourth order.
 * - Between nodes M(t)/t is cubic in ln t; below them S = 1 − pF, beyond them S goes on as the tail of X does, if there
 *   is any.
 * - Each moment asks the stage before for the same one alone, and once: what asked twice would double with each stage.
 * Complexity: some 300,000 values of m a stage. Accuracy for smooth laws: the mean to 3e−6 of its value, the second
 * moment to 3e−5, S to 1e−5. Where X has atoms it is some 1e−4.
 */
import type { Poll } from '../../budget.ts';
import type { Law } from '../law.ts';

/** Nodes begin at this share of the mean gap, and end at so many mean times of the sum. */
const firstNode = 1e-8;
const lastNode = 300;
const ratio = 1.06;
/** What is left of the mean where Y has ended, as a share. */
const ended = 1e-10;
/** Elementary steps a value of m takes at most, for polls: incomplete gammas of a large shape. */
const stepsPerMoment = 2000;

/** What is asked of the law of a gap. */
export type GapMoments = Pick<Law, 'mean' | 'secondMoment' | 'truncatedMean' | 'truncatedSecondMoment'>;

/** The moments of the sum, and its survival function. */
export type SumMoments = GapMoments & Pick<Law, 'survival'>;

/**
 * In stages; each chance of a stage is at least ½.
 *
 * @throws NothingToReturn when `poll` says so
 */
export function thinnedMoments(gap: GapMoments, p: number, poll?: Poll): SumMoments {
  const stages = Math.max(1, Math.ceil(Math.log2(1 / p)));
  const chance = p ** (1 / stages);
  let sum = stageOf(gap, chance, poll);
  for (let stage = 1; stage < stages; stage++) sum = stageOf(sum, chance, poll);
  return sum;
}

function stageOf(gap: GapMoments, p: number, poll: Poll | undefined): SumMoments {
  const table = new ThinnedTable(gap, p, poll);
  return {
    mean: table.mean,
    secondMoment: table.secondMoment,
    truncatedMean: (t) => table.truncatedMean(t),
    truncatedSecondMoment: (t) => table.truncatedSecondMoment(t),
    survival: (t) => table.survival(t),
  };
}

class ThinnedTable {
  readonly mean: number;
  readonly secondMoment: number;
  readonly #gap: GapMoments;
  readonly #p: number;
  /** ln of the first node, and between two nodes. */
  readonly #start: number;
  readonly #step: number;
  /** M(t)/t at the nodes, and its slope in ln t. */
  readonly #share: Float64Array;
  readonly #slope: Float64Array;
  /** E min(Y, t)² at the nodes. */
  readonly #square: Float64Array;
  /** The last node, both moments and those of X there, and what is left of the mean over what is left of X's. */
  readonly #last: number;
  readonly #atLast: { readonly mean: number; readonly square: number };
  readonly #gapAtLast: { readonly mean: number; readonly square: number };
  readonly #tail: number;

  constructor(gap: GapMoments, p: number, poll?: Poll) {
    this.#gap = gap;
    this.#p = p;
    this.mean = gap.mean / p;
    this.secondMoment = gap.secondMoment / p + (2 * (1 - p) * gap.mean ** 2) / (p * p);
    const first = firstNode * gap.mean;
    const cells = Math.ceil(Math.log(lastNode / firstNode / p) / Math.log(ratio));
    const coarse = solved(gap, p, { first, ratio, cells, poll });
    const fine = solved(gap, p, { first, ratio: Math.sqrt(ratio), cells: 2 * cells, poll });
    this.#start = Math.log(first);
    this.#step = 0.5 * Math.log(ratio);
    const corrected = fine.map((value, k) => {
      const [low, high] = [k >> 1, (k + 1) >> 1];
      return value + (fine[2 * low] - coarse[low] + fine[2 * high] - coarse[high]) / 6;
    });
    const end = corrected.findIndex((value) => value >= this.mean * (1 - ended));
    const kept = end < 0 ? corrected : corrected.subarray(0, end + 1);
    this.#share = kept.map((value, k) => value / Math.exp(this.#start + k * this.#step));
    this.#slope = slopesOf(this.#share, this.#step);
    this.#square = new Float64Array(kept.length);
    this.#square[0] = this.#squareBelowNodes(first);
    for (let k = 1; k < this.#square.length; k++) {
      this.#square[k] = this.#square[k - 1] + this.#squaresBetween(this.#node(k - 1), this.#node(k));
    }
    this.#last = this.#node(kept.length - 1);
    this.#gapAtLast = { mean: gap.truncatedMean(this.#last), square: gap.truncatedSecondMoment(this.#last) };
    this.#atLast = { mean: this.#last * this.#shareAt(this.#last)[0], square: this.#squares(this.#last) };
    const left = gap.mean - this.#gapAtLast.mean;
    const missing = this.mean - this.#atLast.mean;
    this.#tail = this.#atLast.mean < this.mean * (1 - ended) && left > 0 ? missing / left : 0;
  }

  truncatedMean(t: number): number {
    // at most one gap has ended below the nodes: S = 1 − pF
    if (t <= Math.exp(this.#start)) return (1 - this.#p) * t + this.#p * this.#gap.truncatedMean(t);
    if (t <= this.#last) return t * this.#shareAt(t)[0];
    if (this.#tail === 0) return this.mean;
    return this.#atLast.mean + this.#tail * (this.#gap.truncatedMean(t) - this.#gapAtLast.mean);
  }

  truncatedSecondMoment(t: number): number {
    if (t <= Math.exp(this.#start)) return this.#squareBelowNodes(t);
    if (t <= this.#last) return this.#squares(t);
    if (this.#tail === 0) return this.secondMoment;
    return this.#atLast.square + this.#tail * (this.#gap.truncatedSecondMoment(t) - this.#gapAtLast.square);
  }

  survival(t: number): number {
    const inside = Math.min(this.#last, Math.max(Math.exp(this.#start), t));
    const [share, slope] = this.#shareAt(inside);
    return t > this.#last ? 0 : Math.min(1, Math.max(0, share + slope));
  }

  #node(k: number): number {
    return Math.exp(this.#start + k * this.#step);
  }

  #squareBelowNodes(t: number): number {
    return (1 - this.#p) * t * t + this.#p * this.#gap.truncatedSecondMoment(t);
  }

  #squares(t: number): number {
    const k = Math.min(this.#square.length - 1, Math.floor((Math.log(t) - this.#start) / this.#step));
    return this.#square[k] + this.#squaresBetween(this.#node(k), t);
  }

  /** ∫ 2u dM from a to b, by what M rises in between, so that nothing cancels where it has all but ended. */
  #squaresBetween(from: number, to: number): number {
    const begun = from * this.#shareAt(from)[0];
    const middle = 0.5 * (from + to);
    const risen = to * this.#shareAt(to)[0] - begun;
    const half = middle * this.#shareAt(middle)[0] - begun;
    return 2 * (to * risen - ((to - from) / 6) * (4 * half + risen));
  }

  /** M(t)/t and its slope in ln t: cubic between the nodes. */
  #shareAt(t: number): readonly [share: number, slope: number] {
    const at = (Math.log(t) - this.#start) / this.#step;
    const k = Math.max(0, Math.min(this.#share.length - 2, Math.floor(at)));
    const u = Math.max(0, Math.min(1, at - k));
    const [a, b] = [this.#share[k], this.#share[k + 1]];
    const [c, d] = [this.#step * this.#slope[k], this.#step * this.#slope[k + 1]];
    const rise = b - a;
    const share = a + u * (c + u * (3 * rise - 2 * c - d + u * (c + d - 2 * rise)));
    const slope = c + u * (2 * (3 * rise - 2 * c - d) + 3 * u * (c + d - 2 * rise));
    return [share, slope / this.#step];
  }
}

/** Where M is wanted, and who is told of the steps this takes. */
interface Nodes {
  readonly first: number;
  readonly ratio: number;
  readonly cells: number;
  readonly poll: Poll | undefined;
}

/** M at the nodes first·ratio^k. O(cells²). */
function solved({ truncatedMean }: GapMoments, p: number, { first, ratio: rise, cells, poll }: Nodes): Float64Array {
  const x = Float64Array.from({ length: cells + 2 }, (_, k) => (k === 0 ? 0 : first * rise ** (k - 1)));
  const total = new Float64Array(cells + 2);
  total[1] = (1 - p) * first + p * truncatedMean(first);
  for (let k = 2; k < x.length; k++) {
    let sum = truncatedMean(x[k]);
    let before = sum;
    for (let j = 0; j < k; j++) {
      const after = j + 1 === k ? 0 : truncatedMean(x[k] - x[j + 1]);
      const share = (1 - p) * (1 - (before - after) / (x[j + 1] - x[j]));
      before = after;
      if (j + 1 === k) sum = (sum - share * total[j]) / (1 - share);
      else sum += share * (total[j + 1] - total[j]);
    }
    total[k] = sum;
    poll?.(stepsPerMoment * k);
  }
  return total.slice(1);
}

/** Slopes of evenly spaced values, fourth order inside. */
function slopesOf(values: Float64Array, step: number): Float64Array {
  const last = values.length - 1;
  return values.map((_, k) => {
    if (k < 2 || k > last - 2) {
      const [low, high] = [Math.max(0, k - 1), Math.min(last, k + 1)];
      return (values[high] - values[low]) / ((high - low) * step);
    }
    return (values[k - 2] - 8 * values[k - 1] + 8 * values[k + 1] - values[k + 2]) / (12 * step);
  });
}
