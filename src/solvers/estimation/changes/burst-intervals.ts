/**
 * Between which values a log leaves the bursts of its pages: 95% intervals of their share of the time, their ratio and
 * their length.
 *
 * The likelihood of all checks is climbed from the kind of bursts chosen, by Newton's method on differences, in x =
 * (logit β, ln(κ − 1), ln L), under a normal prior about the middle of the kinds with a standard deviation of 1.5,
 * which matters only where the log says next to nothing (a ratio is bounded from below where every check of a burst
 * sees a change). At the top the posterior is taken to be normal in x. Pages are what is independent in it, so that of
 * n pages the deviations are √(n/(n − 3)) times as wide and have the quantile of Student's law of n − 3 degrees of
 * freedom, as three coefficients of a regression on n pages would.
 * Complexity: ten filters of the history for each of at most six steps, three or four as a rule. Source: Gelman et al.
 * 2013, section 4.1; Cameron & Miller 2015, section VI (few clusters). Limits: the rates of the pages are averaged
 * over, their population as learnt at each x.
 */
import type { Budget } from '../../budget.ts';
import { factorise, inverseFactorised, solveFactorised } from '../../numerics/linear/cholesky.ts';
import { studentQuantile } from '../../numerics/special/student-t.ts';
import type { Bursts, BurstyRate } from './bursty-rate.ts';
import type { CheckHistory } from './check-history.ts';
import { filterHistories } from './filter-histories.ts';

export interface BurstIntervals {
  readonly busyShare: readonly [low: number, high: number];
  readonly ratio: readonly [low: number, high: number];
  readonly length: readonly [low: number, high: number];
}

const unknowns = 3;
const priorDeviation = 1.5;
/** Of the differences. */
const apart = 0.2;
const mostSteps = 6;
const mostAdded = 1e6;
/** No step moves an unknown further; a smaller share of its standard deviation than the second is the top. */
const longestStep = 1;
const closeEnough = 0.1;
/** Of a step: what is left of it where no half of it leads upwards. */
const leastShare = 1 / 64;

const toUnknowns = ({ busyShare, ratio, length }: Bursts): Float64Array =>
  Float64Array.of(Math.log(busyShare / (1 - busyShare)), Math.log(ratio - 1), Math.log(length));

const toBursts = ([share, ratio, length]: Float64Array): Bursts => ({
  busyShare: 1 / (1 + Math.exp(-share)),
  ratio: 1 + Math.exp(ratio),
  length: Math.exp(length),
});

/**
 * @param start the kind chosen
 * @param middle of the kinds: where the prior is
 * @returns null where the likelihood has no top near there
 * @throws NothingToReturn when the budget ends first
 */
export function burstIntervals(
  history: CheckHistory,
  { start, middle }: { readonly start: Bursts; readonly middle: Bursts },
  bursty: (bursts: Bursts) => BurstyRate,
  budget: Budget,
): BurstIntervals | null {
  const freedom = checkedPages(history) - unknowns;
  if (freedom < 1) return null;
  const wide = studentQuantile(0.95, freedom) * Math.sqrt(1 + unknowns / freedom);
  const centre = toUnknowns(middle);
  const height = (x: Float64Array): number => {
    const away = x.reduce((sum, each, k) => sum + ((each - centre[k]) / priorDeviation) ** 2, 0);
    return filterHistories(history, bursty(toBursts(x)), budget).logLikelihood - 0.5 * away;
  };
  let x = toUnknowns(start);
  let here = height(x);
  for (let step = 1; step <= mostSteps; step++) {
    const { slope, information } = differences(height, x, here);
    const factor = factorised(information);
    if (factor === null) return null;
    const covariance = inverseFactorised(factor, unknowns);
    solveFactorised(factor, unknowns, slope);
    const deviation = Float64Array.from({ length: unknowns }, (_, k) => Math.sqrt(covariance[k * unknowns + k]));
    const settled = slope.every((move, k) => Math.abs(move) < closeEnough * deviation[k]);
    const move = slope.map((each) => Math.max(-longestStep, Math.min(longestStep, each)));
    if (!settled) {
      [x, here] = climbed(height, x, here, move);
      continue;
    }
    x = x.map((each, k) => each + move[k]);
    const low = toBursts(x.map((each, k) => each - wide * deviation[k]));
    const high = toBursts(x.map((each, k) => each + wide * deviation[k]));
    return {
      busyShare: [low.busyShare, high.busyShare],
      ratio: [low.ratio, high.ratio],
      length: [low.length, high.length],
    };
  }
  return null;
}

/** Where a step leads, halved until it leads upwards, and how high that is. */
function climbed(
  height: (x: Float64Array) => number,
  x: Float64Array,
  here: number,
  move: Float64Array,
): [x: Float64Array, height: number] {
  for (let share = 1; ; share /= 2) {
    const next = x.map((each, k) => each + share * move[k]);
    const there = height(next);
    if (there >= here || share <= leastShare) return [next, there];
  }
}

function checkedPages({ offsets }: CheckHistory): number {
  let pages = 0;
  for (let i = 1; i < offsets.length; i++) if (offsets[i] > offsets[i - 1]) pages++;
  return pages;
}

/**
 * The factor of a matrix, with as little added to its diagonal as makes it positive definite; null where nothing does.
 */
function factorised(matrix: Float64Array): Float64Array | null {
  for (let added = 0; added < mostAdded; added = Math.max(1, 4 * added)) {
    const factor = matrix.slice();
    for (let k = 0; k < unknowns; k++) factor[k * unknowns + k] += added;
    factorise(factor, unknowns);
    if (!factor.some(Number.isNaN)) return factor;
  }
  return null;
}

/** The slope of a function and the negative of its second derivatives (lower triangle, row-major), by differences. */
function differences(height: (x: Float64Array) => number, x: Float64Array, here: number) {
  const moved = (...by: readonly (readonly [unknown: number, by: number])[]): number => {
    const there = x.slice();
    for (const [k, far] of by) there[k] += far;
    return height(there);
  };
  const ahead = Float64Array.from(x, (_, k) => moved([k, apart]));
  const behind = Float64Array.from(x, (_, k) => moved([k, -apart]));
  const slope = ahead.map((each, k) => (each - behind[k]) / (2 * apart));
  const information = new Float64Array(unknowns * unknowns);
  for (let k = 0; k < unknowns; k++) {
    information[k * unknowns + k] = (2 * here - ahead[k] - behind[k]) / apart ** 2;
    for (let l = 0; l < k; l++) {
      const both = moved([k, apart], [l, apart]);
      information[k * unknowns + l] = (ahead[k] + ahead[l] - both - here) / apart ** 2;
    }
  }
  return { slope, information };
}
