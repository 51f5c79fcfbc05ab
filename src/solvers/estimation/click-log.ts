/**
 * Embarrassment weights from a log of clicks: counts by result position and clicked page, with what stale copies did.
 *
 * With n_jk clicks on position j of result page k, n_ijk of them on page i, and Q queries, c_jk = n_jk/Q and b_ijk =
 * n_ijk/n_jk. What is clicked at a position is a sample of what stands there, clicks being as likely for every page
 * (Wolf et al. 2002, section 2.2). So Σ_jk c_jk·b_ijk is n_i/Q, whatever the positions. d_i is how many of a page's
 * clicks on a stale copy found a wrong answer.
 * - Intervals of c and b: quantiles of beta laws (Jeffreys prior, ½ and ½).
 * - d: a beta law by all pages, its mean theirs and its strength by moments (G. S. Watson and others' beta-binomial),
 *   and the page's counts.
 * - w: the clicks of a page are Poisson, so that their rate has a gamma law of shape n_i + ½; its product with d, by
 *   two moments, again one, whose quantiles are the interval. The weight is the product of n_i/Q and the mean of d.
 * Complexity: rows + pages × some 80 incomplete gamma functions. Accuracy of the match of moments: coverage is tested
 * by simulation.
 */
import type { Budget } from '../budget.ts';
import { NothingToReturn } from '../budget.ts';
import { findRoot } from '../numerics/search/root.ts';
import { incompleteBeta } from '../numerics/special/incomplete-beta.ts';
import { lowerGamma } from '../numerics/special/incomplete-gamma.ts';
import type { ClickLogProblem } from './problem.ts';

export type Interval = readonly [low: number, high: number];

/** A chance with its interval. */
export interface Share {
  readonly probability: number;
  readonly interval: Interval;
}

/** Where a page was clicked: b_ijk, position and result page from 1. */
interface ClickedAt extends Share {
  readonly position: number;
  readonly resultPage: number;
}

interface ClickedPage {
  readonly clicks: number;
  readonly weightInterval: Interval;
  /** d. */
  readonly errorProbability: number;
  readonly errorInterval: Interval;
  readonly impressions: readonly ClickedAt[];
}

/** A beta law's two counts. */
interface Beta {
  readonly yes: number;
  readonly no: number;
}

const pagesPerPoll = 64;
/** Strengths of the prior of d: at least, at most, and where the pages tell nothing of it. */
const strengths = { least: 0.5, most: 1e4, unknown: 2 };
const tolerance = 1e-9;

/** @throws NothingToReturn when the budget ends first */
export function solveClickLog(problem: ClickLogProblem, budget: Budget) {
  const { ids, positions, resultPages, queries, confidence } = problem;
  const tally = tallied(problem);
  const prior = errorPrior(tally.stale, tally.wrong);
  const quantiles = new BetaQuantiles(confidence);
  const share = (yes: number, of: number): Share => ({
    probability: of > 0 ? yes / of : 0,
    interval: quantiles.of({ yes: yes + 0.5, no: of - yes + 0.5 }),
  });
  const clicks = Array.from({ length: positions }, (_, j) =>
    Array.from({ length: resultPages }, (__, k) => share(tally.cell[j * resultPages + k], queries)),
  );
  const weights = new Float64Array(ids.length);
  const pages: ClickedPage[] = [];
  for (let i = 0; i < ids.length; i++) {
    if (i % pagesPerPoll === 0 && budget.stopRequested()) throw new NothingToReturn('not every page had been weighed');
    const belief = { yes: prior.yes + tally.wrong[i], no: prior.no + tally.stale[i] - tally.wrong[i] };
    const mean = belief.yes / (belief.yes + belief.no);
    weights[i] = (tally.clicks[i] / queries) * mean;
    pages.push({
      clicks: tally.clicks[i],
      weightInterval: productInterval(tally.clicks[i] + 0.5, queries, belief, confidence),
      errorProbability: mean,
      errorInterval: quantiles.of(belief),
      impressions: Array.from(tally.at[i], ([cell, count]) => ({
        position: Math.floor(cell / resultPages) + 1,
        resultPage: (cell % resultPages) + 1,
        ...share(count, tally.cell[cell]),
      })),
    });
  }
  return {
    status: 'evaluated' as const,
    solution: { weights, ids, clicks, pages },
    statistics: { solver: 'click-log', pages: ids.length, rows: problem.page.length },
  };
}

function tallied({ page, position, resultPage, clicks, stale, wrong, ...sizes }: ClickLogProblem) {
  const { positions, resultPages } = sizes;
  const pages = sizes.ids.length;
  const tally = {
    cell: new Float64Array(positions * resultPages),
    clicks: new Float64Array(pages),
    stale: new Float64Array(pages),
    wrong: new Float64Array(pages),
    at: Array.from({ length: pages }, () => new Map<number, number>()),
  };
  for (const [row, i] of page.entries()) {
    const cell = position[row] * resultPages + resultPage[row];
    tally.cell[cell] += clicks[row];
    tally.clicks[i] += clicks[row];
    tally.stale[i] += stale[row];
    tally.wrong[i] += wrong[row];
    tally.at[i].set(cell, (tally.at[i].get(cell) ?? 0) + clicks[row]);
  }
  return tally;
}

/** What all pages say of d: a beta law by the moments of their shares. */
function errorPrior(stale: Float64Array, wrong: Float64Array): Beta {
  let all = 0;
  let squares = 0;
  let yes = 0;
  let seen = 0;
  for (const [i, n] of stale.entries()) {
    if (n === 0) continue;
    all += n;
    squares += n * n;
    yes += wrong[i];
    seen++;
  }
  const mean = (yes + 0.5) / (all + 1);
  const spread = mean * (1 - mean);
  let between = 0;
  for (const [i, n] of stale.entries()) if (n > 0) between += n * (wrong[i] / n - mean) ** 2;
  const room = all - squares / all - (seen - 1);
  const correlation = (between - spread * (seen - 1)) / (spread * room);
  const told = seen > 2 && room > 0 && Number.isFinite(correlation);
  const asked = correlation > 0 ? 1 / correlation - 1 : strengths.most;
  const strength = told ? Math.min(strengths.most, Math.max(strengths.least, asked)) : strengths.unknown;
  return { yes: strength * mean, no: strength * (1 - mean) };
}

/** Central intervals of beta laws; equal counts are computed once. */
class BetaQuantiles {
  readonly #tail: number;
  readonly #known = new Map<string, Interval>();

  constructor(confidence: number) {
    this.#tail = (1 - confidence) / 2;
  }

  of({ yes, no }: Beta): Interval {
    const key = `${yes} ${no}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const at = (share: number): number => findRoot((x) => incompleteBeta(x, yes, no) - share, 0, 1, tolerance);
    const interval: Interval = [at(this.#tail), at(1 - this.#tail)];
    this.#known.set(key, interval);
    return interval;
  }
}

/**
 * The central interval of a gamma rate (shape over queries) times a beta chance, by a gamma law of the same two
 * moments.
 */
function productInterval(shape: number, queries: number, { yes, no }: Beta, confidence: number): Interval {
  const total = yes + no;
  const mean = (shape / queries) * (yes / total);
  // squares of coefficients of variation
  const ofChance = no / (yes * (total + 1));
  const squared = (1 + 1 / shape) * (1 + ofChance) - 1;
  const own = 1 / squared;
  const at = (share: number): number => {
    let high = own + 1;
    while (lowerGamma(own, high) < share) high *= 2;
    return (findRoot((x) => lowerGamma(own, x) - share, 0, high, tolerance * own) * mean) / own;
  };
  const tail = (1 - confidence) / 2;
  return [at(tail), at(1 - tail)];
}
