/** The best number of crawlers under the limits, and the counts that were asked for, in the contract's own shape. */
import { type Objective, objective, type Status, type Warning, warning } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { exponentialRate, formOf } from '../laws/index.ts';
import { type CountConflict, countConflict, feasibleCounts } from './limits.ts';
import { type ClosedForm, closedFormOf, countEvaluator, optimalCount } from './optimum.ts';
import type { CountEvaluation, CountEvaluator, CrawlerCountProblem, QueueMeasures } from './problem.ts';

/** A count and its measures. */
export interface MeasuredCount extends QueueMeasures {
  readonly crawlers: number;
}

/** The best count; what is known in closed form, for exponential service, else null. */
export type CountSolution = MeasuredCount & { readonly [Name in keyof ClosedForm]: ClosedForm[Name] | null };

export interface CrawlerCountAnswer {
  readonly status: Status;
  readonly objective?: Objective;
  readonly solution?: CountSolution;
  readonly beside: { readonly evaluation?: readonly CountEvaluation[] };
  /** Why no count keeps the limits, and the measures of the count that exceeds them least. */
  readonly conflict?: Omit<CountConflict, 'nearest'> & { readonly nearest: MeasuredCount };
  readonly warnings: readonly Warning[];
  readonly statistics: { readonly solver: 'closed-form' | 'bisection'; readonly evaluations: number };
}

/**
 * @param problem checked: see problem.ts
 * @throws NothingToReturn when the budget ends first
 */
export function solveCrawlerCount(problem: CrawlerCountProblem, budget: Budget): CrawlerCountAnswer {
  let evaluations = 0;
  const report: Budget['report'] = (progress) => {
    evaluations++;
    budget.report(progress);
  };
  const evaluate = countEvaluator(problem, { ...budget, report });
  const most = problem.crawlers ?? Number.MAX_SAFE_INTEGER;
  const counts = feasibleCounts(problem, most, evaluate);
  const solver = exponentialRate(problem.service) === null ? 'bisection' : 'closed-form';
  const found =
    counts.from > counts.to ? infeasible(countConflict(counts, most, evaluate)) : cheapest(problem, counts, evaluate);
  const evaluation = evaluationOf(problem, evaluate);
  return { ...found, beside: evaluation === undefined ? {} : { evaluation }, statistics: { solver, evaluations } };
}

type Found = Omit<CrawlerCountAnswer, 'beside' | 'statistics'>;

const measuresOf = ({ cost: _, ...measures }: CountEvaluation): MeasuredCount => measures;

const infeasible = ({ nearest, ...conflict }: CountConflict): Found => ({
  status: 'infeasible',
  conflict: { ...conflict, nearest: measuresOf(nearest) },
  warnings: [],
});

/** The cheapest count of a range. Convexity proves it. */
function cheapest(
  problem: CrawlerCountProblem,
  counts: { readonly from: number; readonly to: number },
  evaluate: CountEvaluator,
): Found {
  const found = optimalCount(problem, counts, evaluate);
  const unknown = { continuous: null, criticalStarvationCost: null, largeCapacityApproximation: null };
  return {
    status: 'optimal',
    objective: objective(found.cost, found.cost),
    solution: { ...measuresOf(found), ...(closedFormOf(problem, evaluate) ?? unknown) },
    warnings: warningsOn(problem, found, evaluate),
  };
}

/** What to know of the best count before relying on it. */
function warningsOn(
  { crawlers, costs, constraints = {} }: CrawlerCountProblem,
  found: CountEvaluation,
  evaluate: CountEvaluator,
): Warning[] {
  if (Object.values(constraints).some((limit) => limit !== undefined)) return [];
  const warnings: Warning[] = [];
  const more = found.crawlers === crawlers ? evaluate(crawlers + 1) : null;
  if (more !== null && more.cost < found.cost) {
    const detail = `crawlers binds: ${more.crawlers} would cost ${more.cost}, ${found.cost - more.cost} less`;
    warnings.push(warning('crawlers-binding', detail, ['crawlers']));
  }
  if (costs.starvation === 0) {
    const detail =
      'costs.starvation is 0 and no limit is on starvationProbability: nothing speaks for a second crawler';
    warnings.push(warning('starvation-free', detail, ['costs', 'starvation']));
  }
  return warnings;
}

/** The counts asked for, ascending. */
function evaluationOf({ evaluate: counts }: CrawlerCountProblem, evaluate: CountEvaluator) {
  if (counts === undefined) return undefined;
  const { from, to } = typeof counts === 'number' ? { from: counts, to: counts } : counts;
  return Array.from({ length: to - from + 1 }, (_, i) => evaluate(from + i));
}

/** About how many counts one optimisation evaluates, and how many find the counts that keep a limit. */
const [usualEvaluations, evaluationsPerLimit] = [20, 100];

/**
 * Estimated elementary steps (about 1 ns each): a few hundred an evaluation in closed form, else the arrival
 * probabilities and the recursion.
 */
export function crawlerCountWork({ service, capacity, evaluate = 0, constraints = {} }: CrawlerCountProblem): number {
  const requested = typeof evaluate === 'number' ? Math.sign(evaluate) : evaluate.to - evaluate.from + 1;
  const extra = requested + evaluationsPerLimit * Object.values(constraints).length;
  if (exponentialRate(service) !== null) return 10_000 + 300 * extra;
  const form = formOf(service);
  const phases = form.of === 'phases' ? form.phases.n : 1;
  const arrivals =
    form.of === 'density' ? 2e6 : form.of === 'constants' ? 300 * form.values.length : capacity * phases ** 2;
  return (usualEvaluations + extra) * (20_000 + capacity * (100 + capacity / 4) + arrivals);
}
