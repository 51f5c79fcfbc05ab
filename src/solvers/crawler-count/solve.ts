import type { Status, Warning } from '../answer.ts';
import { type Budget, NothingToReturn, unlessStopped } from '../budget.ts';
import type { Law } from '../distributions/index.ts';
import { findRoot } from '../numerics/search/root.ts';
import { minimiseConvex } from './convex-search.ts';
import {
  type CountEvaluator,
  countEvaluator,
  exponentialRate,
  type KnownQueues,
  knownQueues,
  watching,
} from './evaluate.ts';
import { criticalWeight, largeCapacityCount, optimalLogLoad, reducedWeight } from './exponential-optimum.ts';
import { emptyProbability, logLoad } from './exponential-queue.ts';
import { type CountFrontPoint, countFront } from './front.ts';
import { type CountConflict, countConflict, countsKeeping, dualPrices } from './limited-counts.ts';
import {
  type CountEvaluation,
  type CountRange,
  type CrawlerCountProblem,
  type LimitedMeasure,
  limitedMeasures,
} from './model.ts';

/**
 * The number of crawlers that minimises C(N) = γ·P(empty) + λN·P(full) + c·N over the integers 1..maxCrawlers
 * (model.ts), proved.
 *
 * Method: C is convex in N for every indexing law (proof in docs/crawler-count.md), so an integer no worse than both
 * its neighbours is the global minimiser. For exponential indexing the continuous minimiser is the root of one equation
 * (exponential-optimum.ts) and its two integer neighbours are compared. For any other law each C(N) costs a recursion
 * (general-queue.ts); the next N is proposed by fitting to the last P(empty) the M/M/1 queue of another capacity, made
 * as steep as the last two counts show, whose minimiser is known: a secant method on the derivative with the curvature
 * of that queue. Four to eight evaluations usually do.
 *
 * Complexity: O(log K) for exponential indexing, K up to 1e9 and beyond; else O(K·w) an evaluation, w ≤ K/2
 * (general-queue.ts).
 * Stops when proved, or when the budget says so: then the best count so far with a bound from convexity.
 *
 * Source: Liu and Nain (2006), section 1.2.1, after Talim, Liu, Nain and Coffman (2001); the convexity for general laws
 * and the cost of a crawler are additions.
 * Limits: counts up to 2^53; the general recursion holds π in doubles, so P(empty) below 1e−150 becomes 0.
 */
export interface CrawlerCountAnswer extends CountOptimum {
  readonly status: Status;
  /** What the count asked about costs; undefined where none was, or the time ran out. */
  readonly evaluation: CountEvaluation | undefined;
  /** What the counts of the range asked for cost, as far as the time went. */
  readonly curve: readonly CountEvaluation[] | undefined;
  /** With constraints: what a unit more of each limit would save. */
  readonly dualPrices?: Partial<Record<LimitedMeasure, number>>;
  /** Why no count keeps the constraints; `best` is then the count that exceeds them least. */
  readonly conflict?: CountConflict;
  readonly front?: readonly CountFrontPoint[];
  readonly warnings: readonly Warning[];
}

/** The best count and what is known about it. */
export interface CountOptimum {
  readonly best: CountEvaluation;
  /** No count costs less. */
  readonly bound: number;
  readonly proved: boolean;
  /** Only for exponential indexing. */
  readonly closedForm: ClosedForm | null;
  /** How many counts were evaluated. */
  readonly evaluations: number;
}

/** What is known in closed form. */
export interface ClosedForm {
  /** The minimiser over real counts ≥ 0: ρ* and ρ*μ/λ. */
  readonly continuous: { readonly offeredLoad: number; readonly crawlers: number };
  /** γ at which ρ* = 1. */
  readonly criticalStarvationWeight: number;
  /** The count of (1.12) and its cost at the capacity given. */
  readonly largeCapacityApproximation: { readonly crawlers: number; readonly cost: number };
}

/**
 * @param problem checked: see model.ts
 * @throws NothingToReturn when stopped before the first evaluation
 */
export function solveCrawlerCount(problem: CrawlerCountProblem, budget: Budget): CrawlerCountAnswer {
  return solveFrom(problem, budget, knownQueues(problem));
}

/** What is known before a solve. */
export interface KnownCounts extends KnownQueues {
  /** A count near the optimum. */
  readonly start?: number;
}

/** As {@link solveCrawlerCount}, with what is known. */
export function solveFrom(problem: CrawlerCountProblem, budget: Budget, known: KnownCounts): CrawlerCountAnswer {
  const evaluate = interruptible(countEvaluator(problem, watching(budget), known));
  const optimum = optimalCount(problem, budget, evaluate, known);
  const limited = withinLimits(problem, optimum, evaluate);
  const { crawlers, curve } = problem;
  const evaluation = crawlers === undefined ? undefined : (evaluate(crawlers) ?? undefined);
  const points = curve === undefined ? undefined : curveOf(curve, evaluate, budget);
  const front = problem.front === undefined ? null : countFront(problem.front.criteria, problem.maxCrawlers, evaluate);
  return {
    status: optimum.proved ? 'optimal' : 'feasible',
    ...optimum,
    ...limited,
    evaluation,
    curve: points,
    ...(front === null ? {} : { front: front.front }),
    warnings: [
      ...(front?.warnings ?? []),
      ...(limited.best === undefined ? bindingCap(problem, optimum, evaluate) : []),
      ...(crawlers !== undefined && evaluation === undefined ? [unevaluated(crawlers)] : []),
      ...(curve !== undefined && points !== undefined ? incompleteCurve(curve, points.length) : []),
    ],
  };
}

/** The optimum moved to where the limits are kept (the cost is convex), and what they cost; nothing without limits. */
function withinLimits(
  { constraints, maxCrawlers }: CrawlerCountProblem,
  { best, bound, proved }: CountOptimum,
  evaluate: Interruptible,
): Partial<CrawlerCountAnswer> {
  if (constraints === undefined || limitedMeasures.every((name) => constraints[name] === undefined)) return {};
  const counts = countsKeeping(constraints, maxCrawlers, evaluate);
  if (counts.from > counts.to) {
    const conflict = countConflict(counts, maxCrawlers, evaluate);
    return { best: evaluate(conflict.nearest.crawlers) ?? best, status: 'infeasible', conflict };
  }
  const crawlers = Math.min(counts.to, Math.max(counts.from, best.crawlers));
  const kept = evaluate(crawlers);
  if (kept === null) throw new NothingToReturn('no count that keeps the limits had been evaluated');
  return { best: kept, bound: proved ? kept.cost : bound, dualPrices: dualPrices(counts, kept, evaluate) };
}

/** An evaluator that answers null once the time is up. */
type Interruptible = (crawlers: number) => CountEvaluation | null;

function interruptible(evaluate: CountEvaluator): Interruptible {
  return (crawlers) => unlessStopped(null, () => evaluate(crawlers));
}

function curveOf({ from, to }: CountRange, evaluate: Interruptible, budget: Budget): CountEvaluation[] {
  const points: CountEvaluation[] = [];
  for (let n = from; n <= to && !budget.stopRequested(); n++) {
    const point = evaluate(n);
    if (point === null) break;
    points.push(point);
  }
  return points;
}

function bindingCap({ maxCrawlers }: CrawlerCountProblem, optimum: CountOptimum, evaluate: Interruptible): Warning[] {
  const { best, proved } = optimum;
  if (!proved || best.crawlers !== maxCrawlers || maxCrawlers >= Number.MAX_SAFE_INTEGER) return [];
  const more = evaluate(maxCrawlers + 1);
  if (more === null || more.cost >= best.cost) return [];
  const saved = best.cost - more.cost;
  const detail = `maxCrawlers binds: ${maxCrawlers + 1} crawlers would cost ${more.cost}, ${saved} less`;
  return [{ code: 'max-crawlers-binding', detail, pointer: '/maxCrawlers' }];
}

function unevaluated(crawlers: number): Warning {
  const detail = `the time limit came before ${crawlers} crawlers were evaluated; raise options.timeLimitMs`;
  return { code: 'evaluation-incomplete', detail, pointer: '/crawlers' };
}

function incompleteCurve({ from, to }: CountRange, points: number): Warning[] {
  const wanted = to - from + 1;
  if (points === wanted) return [];
  const detail = `the time limit ended the curve after ${points} of ${wanted} counts; raise options.timeLimitMs`;
  return [{ code: 'curve-incomplete', detail, pointer: '/curve' }];
}

function optimalCount(
  problem: CrawlerCountProblem,
  budget: Budget,
  evaluator: Interruptible,
  { start, queues }: KnownCounts,
): CountOptimum {
  const { crawlerRate, indexing, capacity, starvationWeight, crawlerCost, maxCrawlers } = problem;
  if (budget.stopRequested()) throw new NothingToReturn();
  const serviceRate = exponentialRate(indexing) ?? 1 / queues.law.mean;
  const weight = reducedWeight(starvationWeight, crawlerCost, crawlerRate, serviceRate);
  const loadOfOne = crawlerRate / serviceRate;
  let evaluations = 0;
  const evaluate = (crawlers: number): CountEvaluation | null => {
    evaluations++;
    const evaluation = evaluator(crawlers);
    if (evaluation !== null) budget.report({ incumbent: evaluation.cost });
    return evaluation;
  };
  if (weight <= 0) {
    // C is convex with slope ≥ 0 at N = 0
    const best = evaluate(1);
    if (best === null) throw new NothingToReturn();
    return { best, bound: best.cost, proved: true, closedForm: closedForm(problem, evaluator, weight, 0), evaluations };
  }
  const ratio = weight / serviceRate;
  const task = { evaluate, max: maxCrawlers, stopRequested: () => budget.stopRequested() };
  if (exponentialRate(indexing) !== null) {
    const load = Math.exp(optimalLogLoad(ratio, capacity + 1));
    const search = minimiseConvex({ ...task, start: load / loadOfOne, propose: () => load / loadOfOne });
    return { ...search, closedForm: closedForm(problem, evaluator, weight, load), evaluations };
  }
  const search = minimiseConvex<CountEvaluation>({
    ...task,
    start: start ?? Math.exp(optimalLogLoad(ratio, equivalentLevels(queues.law, capacity))) / loadOfOne,
    propose: (best, nearest) =>
      start !== undefined && evaluations <= neighbourhood
        ? best.crawlers + (nearest !== null && nearest.crawlers > best.crawlers ? -1 : 1)
        : proposal({ problem, serviceRate, ratio }, best, nearest) / loadOfOne,
  });
  return { ...search, closedForm: null, evaluations };
}

/**
 * Where a count near the optimum is known, so many counts are tried before the law of the queue is asked for one
 * further off.
 */
const neighbourhood = 4;

/**
 * The load to try next: that of the M/M/1 queue fitted to the best count so far and made as steep as the nearest shows.
 */
function proposal(
  { problem, serviceRate, ratio }: { problem: CrawlerCountProblem; serviceRate: number; ratio: number },
  best: CountEvaluation,
  nearest: CountEvaluation | null,
): number {
  const logLoadOf = ({ crawlers }: CountEvaluation): number => logLoad(crawlers, problem.crawlerRate, serviceRate);
  const x = logLoadOf(best);
  const levels = fittedLevels(x, best.starvationProbability, problem.capacity);
  const secant = nearest === null ? 1 : secantRatio(x, logLoadOf(nearest), best, nearest, levels);
  // (γ' + μ)·secant in the place of γ' + μ makes the fitted queue as steep as this one was seen to be
  const corrected = (ratio + 1) * secant - 1;
  return corrected > 0
    ? Math.exp(optimalLogLoad(corrected, levels))
    : Math.exp(logLoad(1, problem.crawlerRate, serviceRate));
}

function closedForm(
  { crawlerRate, indexing, capacity, crawlerCost }: CrawlerCountProblem,
  evaluator: Interruptible,
  weight: number,
  load: number,
): ClosedForm | null {
  const serviceRate = exponentialRate(indexing);
  if (serviceRate === null) return null;
  const crawlers = largeCapacityCount(weight, crawlerRate, serviceRate);
  // Closed forms are never stopped.
  const cost = evaluator(crawlers)?.cost ?? Number.NaN;
  return {
    continuous: { offeredLoad: load, crawlers: load * (serviceRate / crawlerRate) },
    criticalStarvationWeight: criticalWeight(capacity, crawlerCost, crawlerRate, serviceRate),
    largeCapacityApproximation: { crawlers, cost },
  };
}

/**
 * n = K' + 1 of the M/M/1/K' queue that behaves about like this one near ρ = 1: in heavy traffic only K/(1 + scv)
 * matters, the second moment being cut at the longest time that the room for K pages lets through.
 */
function equivalentLevels(law: Law, capacity: number): number {
  const square = law.truncatedSecondMoment(capacity * law.mean) / (law.mean * law.mean);
  return 2 + (2 * (capacity - 1)) / Math.max(square, 1e-3);
}

/** How much steeper P(empty) is between two counts evaluated than in the fitted M/M/1 queue. */
function secantRatio(x: number, y: number, best: CountEvaluation, other: CountEvaluation, levels: number): number {
  const fitted = emptyProbability(y, levels) - emptyProbability(x, levels);
  const seen = other.starvationProbability - best.starvationProbability;
  const ratio = seen / fitted;
  return ratio > 0 && ratio < Infinity ? ratio : 1;
}

/** n > 1 such that an M/M/1 queue with n − 1 places and ln ρ = x is empty with the given probability. */
function fittedLevels(x: number, starvationProbability: number, capacity: number): number {
  const excess = (logLevels: number): number => emptyProbability(x, 1 + Math.exp(logLevels)) - starvationProbability;
  const low = Math.log(1e-6);
  const high = Math.log(1e3 * capacity + 1e3);
  if (!(excess(low) > 0)) return 1 + 1e-6;
  if (!(excess(high) < 0)) return 1 + 1e3 * capacity;
  return 1 + Math.exp(findRoot(excess, low, high, 1e-9));
}
