/**
 * Crawl allocation: how many crawls each page gets in one interval, when, and the proof that no other split is better.
 *
 * Model: N pages, R crawls, interval T. Integers x_i, Σ x_i = R, m_i ≤ x_i ≤ M_i, Σ over a host ≤ C_h, minimise Σ
 * w_i·A_i(x_i). A_i is the time-average staleness of page i, or its cost by another objective, under its x_i best crawl
 * times. {@link allocateCrawls} is these steps:
 *
 * 1. limits (feasibility.ts): whether counts exist that keep them. If not, the proof is the answer.
 * 2. gains (scale-pages.ts): the pages in the units in which gains are computed (gains/page-gain.ts for renewal updates,
 *    gains/quasi-deterministic.ts).
 * 3. counts (counts.ts): every gain above one price, which the market finds (solvers/market).
 * 4. certificate over all pages (evaluate-counts.ts): max next gain ≤ min last gain but for rounding, for the whole and
 *    for every full host. With the greedy rule 2 to 4 are done for the exact optimum as well, which is the bound.
 * 5. answer: measures, ideal times, hosts, baselines.
 * Complexity: O(N) expected; about 0.4 µs a Poisson page, 0.8 µs a Lomax page, 1 µs a quasi-deterministic page of 4
 * updates. Source: Wolf, Squillante, Yu, Sethuraman & Ozsen (2002), sections 2 and 5, corrected. The paper takes every
 * page as just crawled at time 0 (age 0); here a page carries its age. Known limits: Σ x_i = R exactly (crawls that
 * save nothing are given out too); counts below 2³¹.
 */
import { type Objective, objective, relativeGap } from '../answer.ts';
import { type Budget, pollOf } from '../budget.ts';
import { seededRandom } from '../numerics/random/random.ts';
import { apportion } from './apportion.ts';
import { bestCounts } from './counts.ts';
import {
  type Certificate,
  countHostCrawls,
  type Evaluation,
  evaluateCounts,
  type HostConstraints,
} from './evaluate-counts.ts';
import { type AllocationConflict, findConflict } from './feasibility.ts';
import { meanCost, type ScaledPages } from './gains/page-gain.ts';
import { idealTimes, stepsPerItem, type TimesByPage } from './ideal-times.ts';
import { type PageMeasures, pageMeasures } from './measures.ts';
import type { CrawlAllocationProblem } from './problem.ts';
import { scalePages, updateRates } from './scale-pages.ts';
import { refuseUncomputable } from './update-processes.ts';

/** Crawls of one host, and the certificate of its pages. NaN where no crawl can be added to or taken from its pages. */
interface HostAllocation extends Certificate {
  readonly crawls: number;
}

/** An allocation with the proof of its bound. */
export interface CrawlAllocation extends PageMeasures {
  readonly status: 'optimal' | 'feasible';
  /**
   * Σ w_i·A_i(x_i). Its bound is proved: the value itself; with the greedy rule for quasi-deterministic pages the exact
   * optimum.
   */
  readonly objective: Objective;
  readonly crawls: Int32Array;
  readonly idealTimes: TimesByPage | null;
  /** What one more crawl would save of Σ w·A; where none can be added, what the last one saved; 0 if neither. */
  readonly shadowPrice: number;
  readonly certificate: Certificate;
  readonly hosts: readonly HostAllocation[] | null;
  readonly baselines: BaselineCosts | null;
}

export type CrawlAllocationAnswer =
  | CrawlAllocation
  | { readonly status: 'infeasible'; readonly conflict: AllocationConflict };

/** What simpler allocations cost under the problem's own weights (Wolf et al. 2002, Figure 8). */
interface BaselineCosts {
  /** Equal counts. */
  readonly uniform: number;
  /** Counts in proportion to update rates. */
  readonly proportional: number;
}

/**
 * Solves a problem whose values have been checked (signs, sizes, m_i ≤ M_i, processes).
 *
 * @throws NothingToReturn when the budget ends first; ConditionNotMet where a law is too variable for double precision
 */
export function allocateCrawls(problem: CrawlAllocationProblem, budget: Budget): CrawlAllocationAnswer {
  const conflict = findConflict(problem);
  if (conflict !== null) return { status: 'infeasible', conflict };
  const { weight, hosts, crawls: total } = problem;
  const isGreedy = usesGreedyRule(problem);
  const pages = scalePages(problem, isGreedy, budget);
  budget.report({ fraction: 0.1 });
  const crawls = bestCounts({ pages, weight, hosts }, total, budget);
  const evaluation = evaluateCounts(pages, weight, hosts, crawls, budget);
  const bound = isGreedy ? exactOptimum(problem, budget) : evaluation.value;
  return describeAllocation(problem, pages, { crawls, evaluation, bound }, budget);
}

/** The cost of the best counts with the best times of quasi-deterministic pages, whatever rule is asked for. */
function exactOptimum(problem: CrawlAllocationProblem, budget: Budget): number {
  const { weight, hosts, crawls: total } = problem;
  const pages = scalePages(problem, false, budget);
  return evaluateCounts(pages, weight, hosts, bestCounts({ pages, weight, hosts }, total, budget), budget).value;
}

export const usesGreedyRule = ({ quasiDeterministic, updates }: CrawlAllocationProblem): boolean =>
  quasiDeterministic === 'greedy' && updates.quasi.count > 0;

interface EvaluatedCounts {
  readonly crawls: Int32Array;
  readonly evaluation: Evaluation;
}

/**
 * The allocation that these counts make, with measures, ideal times and baselines.
 *
 * @param bound lower bound on Σ w·A of any counts
 */
export function describeAllocation(
  problem: CrawlAllocationProblem,
  pages: ScaledPages,
  { crawls, evaluation, bound }: EvaluatedCounts & { readonly bound: number },
  budget: Budget,
): CrawlAllocation {
  refuseUncomputable(evaluation.cost);
  const { value, certificate, cost } = evaluation;
  const provedBound = Math.min(value, bound);
  return {
    status: relativeGap(value, provedBound) <= 1e-12 ? 'optimal' : 'feasible',
    objective: objective(value, provedBound),
    crawls,
    ...pageMeasures(problem, crawls, cost, budget),
    idealTimes: problem.idealTimes
      ? idealTimes(problem, crawls, seededRandom(budget.seed), pollOf(budget, 'the crawls had no times yet'))
      : null,
    shadowPrice: shadowPrice(certificate),
    certificate,
    hosts: problem.hosts === null ? null : hostAllocations(problem.hosts, evaluation, crawls),
    baselines: problem.baselines ? baselineCosts(problem, pages, budget) : null,
  };
}

function hostAllocations(
  hosts: HostConstraints,
  evaluation: Evaluation,
  crawls: Int32Array,
): readonly HostAllocation[] | null {
  const counts = countHostCrawls(hosts, crawls);
  return evaluation.hosts?.map((host, h) => ({ ...host, crawls: counts[h] })) ?? null;
}

function shadowPrice({ maxNextGain, minLastGain }: Certificate): number {
  if (!Number.isNaN(maxNextGain)) return maxNextGain;
  return Number.isNaN(minLastGain) ? 0 : minLastGain;
}

function baselineCosts(problem: CrawlAllocationProblem, pages: ScaledPages, budget: Budget): BaselineCosts {
  const { weight, hosts, crawls: total } = problem;
  const { minimum, maximum } = pages;
  const poll = pollOf(budget, 'simpler allocations were still being costed');
  const cost = (share: Float64Array): number => {
    let sum = 0;
    for (const [i, x] of apportion({ share, total, minimum, maximum, hosts }, budget).entries()) {
      sum += weight[i] * meanCost(pages, i, x);
      poll(stepsPerItem);
    }
    return sum;
  };
  return { uniform: cost(new Float64Array(pages.count).fill(1)), proportional: cost(updateRates(problem)) };
}
