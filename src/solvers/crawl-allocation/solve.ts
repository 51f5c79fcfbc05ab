/**
 * Crawl allocation: how many crawls each page gets in one interval, when, and the proof that no other split is better.
 *
 * Model: N pages, R crawls, interval T. Integers x_i, Σ x_i = R, m_i ≤ x_i ≤ M_i, Σ over a host ≤ C_h, minimise Σ w_i·A_i(x_i), A_i the
 * time-average staleness of page i under its x_i best crawl times (page-gain.ts for renewal updates, quasi-deterministic.ts).
 * Method: one multiplier (allocate.ts), nested ones for hosts (host-limits.ts), then the certificate over all pages
 * (certificate.ts); should the tables ever have misjudged a page, everything is decided again by exact gains.
 * Stopping rule: max next gain ≤ min last gain (relative rounding 1e−13), for the whole and for every full host.
 * Complexity: O(N) expected; about 0.2 µs a Poisson page, 0.3 µs a Lomax page, 1 µs a quasi-deterministic page of 4 updates.
 * Source: Wolf, Squillante, Yu, Sethuraman & Ozsen (2002), sections 2 and 5, corrected: the paper takes every page as just
 * crawled at time 0 (age 0); here a page carries its age.
 * Known limits: Σ x_i = R exactly (crawls that save nothing are given out too); counts below 2³¹.
 */
import { relativeGap } from '../answer.ts';
import { type Budget, NothingToReturn, unlimitedBudget } from '../budget.ts';
import { seededRandom } from '../numerics/random/random.ts';
import { apportion } from './baselines.ts';
import { type Certificate, type Evaluation, evaluate, type HostLimits, holds, hostCounts } from './certificate.ts';
import { stalenessOf } from './gains/page-gain.ts';
import { type AllocationConflict, findConflict } from './model/feasibility.ts';
import { type IdealTimes, idealTimes } from './model/ideal-times.ts';
import type { Pages } from './model/pages.ts';
import { type CrawlAllocationProblem, scalePages, updateRates } from './model/problem.ts';
import { allocate } from './pricing/allocate.ts';
import { allocateWithinHosts } from './pricing/host-limits.ts';
import { dualBound, equalCounts } from './pricing/incumbent.ts';

export interface AllocationRequest extends CrawlAllocationProblem {
  readonly idealTimes: boolean;
  readonly baselines: boolean;
}

/** What one host got. NaN where no crawl can be added to or taken from its pages. */
export interface HostAllocation extends Certificate {
  readonly crawls: number;
}

export interface Allocation {
  readonly crawls: Int32Array;
  readonly staleness: Float64Array;
  readonly idealTimes: IdealTimes | null;
  /** What one more crawl would save, Σ w·staleness; where none can be added, what the last one saved; 0 if neither. */
  readonly shadowPrice: number;
  readonly certificate: Certificate;
  readonly hosts: readonly HostAllocation[] | null;
  readonly objective: number;
  /**
   * Proved lower bound: the objective itself; with the greedy rule for quasi-deterministic pages the exact optimum; when stopped
   * a dual bound.
   */
  readonly bound: number;
  readonly optimal: boolean;
  readonly baselines: { readonly uniform: number; readonly proportional: number } | null;
  /** 1, or 2 when the certificate refused what the tables gave and exact gains decided every page. */
  readonly attempts: number;
}

export type AllocationResult =
  | { readonly feasible: true; readonly allocation: Allocation }
  | { readonly feasible: false; readonly conflict: AllocationConflict };

/**
 * Solves a problem whose values have been checked (signs, sizes, m_i ≤ M_i, processes). Stopped by its budget it returns equal
 * counts and how far from the optimum they can be (`optimal` false).
 *
 * @throws NothingToReturn when stopped while quasi-deterministic pages were being tabulated
 */
export function allocateCrawls(request: AllocationRequest, budget: Budget): AllocationResult {
  const conflict = findConflict(request);
  if (conflict !== null) return { feasible: false, conflict };
  const greedy = request.quasiDeterministic === 'greedy' && request.updates.quasi.count > 0;
  const pages = scalePages(request, greedy, budget);
  budget.report({ fraction: 0.1 });
  const { crawls, evaluation, attempts, bound } = solveOrStop(request, pages, greedy, budget);
  const { objective, certificate } = evaluation;
  const counts = request.hosts === null ? null : hostCounts(request.hosts, crawls);
  return {
    feasible: true,
    allocation: {
      crawls,
      staleness: evaluation.staleness,
      idealTimes: request.idealTimes ? idealTimes(request, crawls, seededRandom(budget.seed)) : null,
      shadowPrice: shadowPrice(certificate),
      certificate,
      hosts: evaluation.hosts?.map((host, h) => ({ ...host, crawls: counts === null ? 0 : counts[h] })) ?? null,
      objective,
      bound,
      optimal: relativeGap(objective, bound) <= 1e-12,
      baselines: request.baselines ? baselineCosts(request, pages) : null,
      attempts,
    },
  };
}

interface Solved {
  readonly crawls: Int32Array;
  readonly evaluation: Evaluation;
  readonly attempts: number;
}

/** The optimum, or when stopped equal counts with a dual bound. */
function solveOrStop(
  request: AllocationRequest,
  pages: Pages,
  greedy: boolean,
  budget: Budget,
): Solved & { readonly bound: number } {
  try {
    const solved = solve(request, pages, budget);
    const { objective } = solved.evaluation;
    if (!greedy) return { ...solved, bound: objective };
    const exact = solve(request, scalePages(request, false, budget), budget);
    return { ...solved, bound: Math.min(objective, exact.evaluation.objective) };
  } catch (error) {
    if (!(error instanceof NothingToReturn)) throw error;
    const { hosts, weight, crawls: total } = request;
    const finishing = unlimitedBudget(budget.seed);
    const exact = greedy ? scalePages(request, false, finishing) : pages;
    const crawls = equalCounts(pages, total, hosts);
    const evaluation = evaluate(pages, weight, hosts, crawls, finishing);
    return {
      crawls,
      evaluation,
      attempts: 1,
      bound: Math.min(evaluation.objective, dualBound(exact, weight, total, crawls)),
    };
  }
}

/** From this many pages on the tables are built and used (some 50 ms, once). */
const worthTables = 8192;

function solve(request: AllocationRequest, pages: Pages, budget: Budget): Solved {
  const { hosts, crawls: total, weight } = request;
  const attempt = (useTables: boolean): { crawls: Int32Array; evaluation: Evaluation } => {
    const crawls =
      hosts === null
        ? allocate(pages, total, budget, useTables)
        : allocateWithinHosts(pages, hosts, total, budget, useTables);
    return { crawls, evaluation: evaluate(pages, weight, hosts, crawls, budget) };
  };
  if (pages.count >= worthTables) {
    const first = attempt(true);
    if (proved(first.evaluation, hosts, first.crawls)) return { ...first, attempts: 1 };
    return { ...attempt(false), attempts: 2 };
  }
  return { ...attempt(false), attempts: 1 };
}

/** The certificate of the whole, and of every host that is full. */
export function proved(evaluation: Evaluation, hosts: HostLimits | null, crawls: Int32Array): boolean {
  if (!holds(evaluation.certificate)) return false;
  if (hosts === null || evaluation.hosts === null) return true;
  const counts = hostCounts(hosts, crawls);
  return evaluation.hosts.every((host, h) => counts[h] < hosts.limits[h] || holds(host));
}

function shadowPrice({ maxNextGain, minLastGain }: Certificate): number {
  if (!Number.isNaN(maxNextGain)) return maxNextGain;
  return Number.isNaN(minLastGain) ? 0 : minLastGain;
}

function baselineCosts(request: AllocationRequest, pages: Pages): { uniform: number; proportional: number } {
  const cost = (share: Float64Array): number => {
    const counts = apportion(share, request.crawls, pages.minimum, pages.maximum, request.hosts);
    let sum = 0;
    for (let i = 0; i < counts.length; i++) sum += request.weight[i] * stalenessOf(pages, i, counts[i]);
    return sum;
  };
  return { uniform: cost(new Float64Array(pages.count).fill(1)), proportional: cost(updateRates(request)) };
}
