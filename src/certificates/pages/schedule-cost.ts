/** What a schedule of fetches costs by a page's chance to have changed, integrated point by point. */
import { gaussLegendre } from '../../solvers/numerics/quadrature/gauss-legendre.ts';

const rule = gaussLegendre(16);
/** Pieces of a gap, each shorter than the one after it: what changes fast does so while a copy is young. */
const pieces = 24;
const growth = 2;

/** ∫ of a function of age from one age to another. */
export function overAges(of: (age: number) => number, from: number, to: number): number {
  let sum = 0;
  let width = to / growth ** pieces;
  for (let low = 0; low < to; low += width, width = Math.max(width, low * (growth - 1))) {
    const [a, b] = [Math.max(low, from), Math.min(low + width, to)];
    if (!(b > a)) continue;
    for (const [k, node] of rule.nodes.entries()) {
      sum += 0.5 * (b - a) * rule.weights[k] * of(0.5 * (a + b) + 0.5 * (b - a) * node);
    }
  }
  return sum;
}

/** Fetches of a page as seconds from now, in order, and the age of its copy at now: Infinity for never. */
export interface PageFetches {
  readonly times: readonly number[];
  readonly age: number;
  readonly interval: number;
}

/** The mean of a function of the copy's age over the interval; `never` stands for it before the first fetch. */
export const meanOverInterval = (of: (age: number) => number, fetches: PageFetches, never: number): number =>
  meanOfGaps((from, to) => overAges(of, from, to), fetches, never);

/** The same of what ages from one to another cost together. */
export function meanOfGaps(
  of: (from: number, to: number) => number,
  { times, age, interval }: PageFetches,
  never: number,
): number {
  let sum = 0;
  let [since, young] = [0, age];
  for (const time of [...times, interval]) {
    const length = time - since;
    sum += young === Number.POSITIVE_INFINITY ? never * length : of(young, young + length);
    [since, young] = [time, 0];
  }
  return sum / interval;
}
