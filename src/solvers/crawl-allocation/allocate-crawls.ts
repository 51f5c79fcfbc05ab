/**
 * Crawl allocation: how many crawls each page gets in one interval, when, and the proof that no other split is better.
 *
 * Model: N pages, R crawls, interval T. Integers x_i, Σ x_i = R, m_i ≤ x_i ≤ M_i, Σ over a host ≤ C_h, minimise Σ
 * w_i·A_i(x_i). A_i is the time-average staleness of page i, or its cost by another objective, under its x_i best crawl
 * times (page-gain.ts for renewal updates, quasi-deterministic.ts). Method: one multiplier (allocate.ts), nested ones
 * for hosts (host-constraints.ts), then the certificate over all pages (certificate.ts). Stopping rule: max next gain ≤ min last gain (relative
 * rounding 1e−13), for the whole and for every full host. Complexity: O(N) expected; about 0.2 µs a Poisson page, 0.3
 * µs a Lomax page, 1 µs a quasi-deterministic page of 4 updates. Source: Wolf, Squillante, Yu, Sethuraman & Ozsen
 * (2002), sections 2 and 5, corrected. The paper takes every page as just crawled at time 0 (age 0); here a page
 * carries its age. Known limits: Σ x_i = R exactly (crawls that save nothing are given out too); counts below 2³¹.
 */
import { type Objective, objective, relativeGap, type Warning } from '../answer.ts';
import { type Budget, NothingToReturn, pollOf, unlessStopped, unlimitedBudget } from '../budget.ts';
import { seededRandom } from '../numerics/random/random.ts';
import { apportion } from './baselines.ts';
import { type Certificate, type Evaluation, evaluate, type HostConstraints, holds, hostCounts } from './certificate.ts';
import { meanCost } from './gains/page-gain.ts';
import type { Pages } from './gains/pages.ts';
import { type PageMeasures, pageMeasures } from './measures.ts';
import { refuseUncomputable } from './model/computable.ts';
import { type AllocationConflict, findConflict } from './model/feasibility.ts';
import { idealTimes, type TimesByPage } from './model/ideal-times.ts';
import { scalePages, updateRates } from './model/scaled-pages.ts';
import { allocate } from './pricing/allocate.ts';
import { allocateWithinHosts } from './pricing/host-constraints.ts';
import { dualBound, simpleCounts } from './pricing/incumbent.ts';
import type { CrawlAllocationProblem } from './problem.ts';

/** What one host got. NaN where no crawl can be added to or taken from its pages. */
interface HostAllocation extends Certificate {
  readonly crawls: number;
}

/** Counts with their proof. */
export interface CrawlAllocation extends PageMeasures {
  readonly status: 'optimal' | 'feasible';
  /**
   * Σ w_i·A_i(x_i). Its bound is proved: the value itself; with the greedy rule for quasi-deterministic pages the exact
   * optimum; when stopped a dual bound.
   */
  readonly objective: Objective;
  readonly crawls: Int32Array;
  readonly idealTimes: TimesByPage | null;
  /** What one more crawl would save of Σ w·A; where none can be added, what the last one saved; 0 if neither. */
  readonly shadowPrice: number;
  readonly certificate: Certificate;
  readonly hosts: readonly HostAllocation[] | null;
  readonly baselines: BaselineCosts | null;
  readonly warnings: readonly Warning[];
}

export type CrawlAllocationAnswer =
  | CrawlAllocation
  | { readonly status: 'infeasible'; readonly conflict: AllocationConflict; readonly warnings: readonly Warning[] };

/**
 * Solves a problem whose values have been checked (signs, sizes, m_i ≤ M_i, processes). Stopped by its budget it
 * returns simple counts and how far from the optimum they can be (status `feasible`).
 *
 * @throws NothingToReturn when stopped while quasi-deterministic pages were being tabulated; ConditionNotMet where a
 * law is too variable for double precision
 */
export function allocateCrawls(problem: CrawlAllocationProblem, budget: Budget): CrawlAllocationAnswer {
  const conflict = findConflict(problem);
  if (conflict !== null) return { status: 'infeasible', conflict, warnings: [] };
  const greedy = takesGreedily(problem);
  const pages = scalePages(problem, greedy, budget);
  budget.report({ fraction: 0.1 });
  return describe(problem, pages, solveOrStop(problem, pages, greedy, budget), budget);
}

export const takesGreedily = ({ quasiDeterministic, updates }: CrawlAllocationProblem): boolean =>
  quasiDeterministic === 'greedy' && updates.quasi.count > 0;

/** Everything that is told of counts. */
export function describe(
  problem: CrawlAllocationProblem,
  pages: Pages,
  { crawls, evaluation, bound }: Bounded,
  budget: Budget,
): CrawlAllocation {
  refuseUncomputable(evaluation.cost);
  const { value, certificate } = evaluation;
  const times = problem.idealTimes ? timesWithin(problem, crawls, budget) : null;
  const baselines = problem.baselines
    ? unlessStopped(null, () => baselineCosts(problem, pages, evaluation, budget))
    : null;
  return {
    status: relativeGap(value, bound) <= 1e-12 ? 'optimal' : 'feasible',
    objective: objective(value, bound),
    crawls,
    ...pageMeasures(problem, crawls, evaluation.cost, budget),
    idealTimes: times,
    shadowPrice: shadowPrice(certificate),
    certificate,
    hosts: problem.hosts === null ? null : hostAllocations(problem.hosts, evaluation, crawls),
    baselines,
    warnings: [
      ...(problem.idealTimes && times === null ? [noTimesWarning(problem.crawls)] : []),
      ...(problem.baselines && baselines === null ? [noBaselinesWarning] : []),
    ],
  };
}

/** Milliseconds to compute an ideal time and to write it out. */
const msPerTime = 1e-3;
/** Milliseconds past the deadline that may still go into an answer. */
const grace = 500;

/** When the crawls should be made; null where there is no time to say so. */
function timesWithin(problem: CrawlAllocationProblem, crawls: Int32Array, budget: Budget): TimesByPage | null {
  if (budget.remainingMs() < msPerTime * problem.crawls - grace) return null;
  const poll = pollOf(budget, 'the crawls had no times yet');
  return unlessStopped(null, () => idealTimes(problem, crawls, seededRandom(budget.seed), poll));
}

const noBaselinesWarning: Warning = {
  code: 'time-limit',
  detail: 'the time limit left no time to cost simpler allocations: baselines are left out; raise options.timeLimitMs',
  pointer: '/baselines',
};

function noTimesWarning(crawls: number): Warning {
  return {
    code: 'time-limit',
    detail: `the time limit left no time to say when each of ${crawls} crawls should be made: idealTimes are left out; raise options.timeLimitMs`,
    pointer: '/idealTimes',
  };
}

function hostAllocations(
  hosts: HostConstraints,
  evaluation: Evaluation,
  crawls: Int32Array,
): readonly HostAllocation[] | null {
  const counts = hostCounts(hosts, crawls);
  return evaluation.hosts?.map((host, h) => ({ ...host, crawls: counts[h] })) ?? null;
}

interface Solved {
  readonly crawls: Int32Array;
  readonly evaluation: Evaluation;
}

interface Bounded extends Solved {
  readonly bound: number;
}

/** The optimum, or when stopped the best of some simple counts with a dual bound. */
function solveOrStop(problem: CrawlAllocationProblem, pages: Pages, greedy: boolean, budget: Budget): Bounded {
  try {
    const solved = solve(problem, pages, budget);
    const { value } = solved.evaluation;
    if (!greedy) return { ...solved, bound: value };
    const exact = solve(problem, scalePages(problem, false, budget), budget);
    return { ...solved, bound: Math.min(value, exact.evaluation.value) };
  } catch (error) {
    if (!(error instanceof NothingToReturn)) throw error;
    const { hosts, weight, crawls: total } = problem;
    const finishing = unlimitedBudget(budget.seed);
    const exact = !greedy ? pages : tabulatesSoon(problem) ? scalePages(problem, false, finishing) : null;
    const crawls = simpleCounts(pages, problem, updateRates(problem));
    const evaluation = evaluate(pages, weight, hosts, crawls, finishing);
    return {
      crawls,
      evaluation,
      bound: exact === null ? 0 : Math.min(evaluation.value, dualBound(exact, weight, total, crawls)),
    };
  }
}

/**
 * Whether the exact gains of the quasi-deterministic pages take a fraction of a second only: some 10 ns for Q² of Q
 * updates.
 */
function tabulatesSoon({ updates: { quasi } }: CrawlAllocationProblem): boolean {
  let squares = 0;
  for (let k = 0; k < quasi.count; k++) squares += (quasi.offsets[k + 1] - quasi.offsets[k] + 2) ** 2;
  return squares < 5e6;
}

function solve(problem: CrawlAllocationProblem, pages: Pages, budget: Budget): Solved {
  const { hosts, crawls: total, weight } = problem;
  const crawls = hosts === null ? allocate(pages, total, budget) : allocateWithinHosts(pages, hosts, total, budget);
  return { crawls, evaluation: evaluate(pages, weight, hosts, crawls, budget) };
}

/** The certificate of the whole, and of every host that is full. */
export function proved(evaluation: Evaluation, hosts: HostConstraints | null, crawls: Int32Array): boolean {
  if (!holds(evaluation.certificate)) return false;
  if (hosts === null || evaluation.hosts === null) return true;
  const counts = hostCounts(hosts, crawls);
  return evaluation.hosts.every((host, h) => counts[h] < hosts.maxCrawls[h] || holds(host));
}

function shadowPrice({ maxNextGain, minLastGain }: Certificate): number {
  if (!Number.isNaN(maxNextGain)) return maxNextGain;
  return Number.isNaN(minLastGain) ? 0 : minLastGain;
}

/** Elementary steps of a page's cost, for polls. */
const stepsToCost = 50;

/** What simpler allocations cost under the problem's own weights (Wolf et al. 2002, Figure 7). */
interface BaselineCosts {
  readonly uniform: number;
  readonly proportional: number;
  /** Counts in proportion to weights, and to weights times update rates. */
  readonly weightedUniform: number;
  readonly weightedProportional: number;
  /** The best counts for equal weights; null where the budget ended first. */
  readonly unweightedOptimal: number | null;
}

function baselineCosts(
  problem: CrawlAllocationProblem,
  pages: Pages,
  found: Evaluation,
  budget: Budget,
): BaselineCosts {
  const { weight } = problem;
  const poll = pollOf(budget, 'simpler allocations were still being costed');
  const costOf = (counts: Int32Array): number => {
    let sum = 0;
    for (let i = 0; i < counts.length; i++) {
      sum += weight[i] * meanCost(pages, i, counts[i]);
      poll(stepsToCost);
    }
    return sum;
  };
  const cost = (share: Float64Array): number =>
    costOf(apportion(share, problem.crawls, pages.minimum, pages.maximum, problem.hosts, poll));
  const rates = updateRates(problem);
  const uniform = cost(new Float64Array(pages.count).fill(1));
  const proportional = cost(rates);
  if (weight.every((w) => w === weight[0])) {
    return {
      uniform,
      proportional,
      weightedUniform: uniform,
      weightedProportional: proportional,
      unweightedOptimal: found.value,
    };
  }
  return {
    uniform,
    proportional,
    weightedUniform: cost(weight),
    weightedProportional: cost(rates.map((rate, i) => weight[i] * rate)),
    unweightedOptimal: unweighted(problem, costOf, budget),
  };
}

/** The weighted cost of the counts that are best for equal weights. */
function unweighted(
  problem: CrawlAllocationProblem,
  costOf: (counts: Int32Array) => number,
  budget: Budget,
): number | null {
  const equal = { ...problem, weight: new Float64Array(problem.weight.length).fill(1) };
  return unlessStopped(null, () => costOf(solve(equal, scalePages(equal, false, budget), budget).crawls));
}
