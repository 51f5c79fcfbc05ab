/** The best number of crawlers under the limits, and the counts to evaluate, in the contract's own shape. */
import { type Objective, objective, type Status, type Warning, warning } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { countingForm, exponentialRate } from '../laws/index.ts';
import { type CountConflict, countConflict, feasibleCounts } from './limits.ts';
import { type ClosedForm, closedFormOf, countEvaluator, optimalCount } from './optimum.ts';
import type { CountEvaluation, CountEvaluator, CountRange, CrawlerCountProblem, QueueMeasures } from './problem.ts';

/** A count and its measures. */
export interface MeasuredCount extends QueueMeasures {
  readonly crawlers: number;
}

/** The best count, and the closed-form results: null unless service is exponential. */
export type CountSolution = MeasuredCount & { readonly [Name in keyof ClosedForm]: ClosedForm[Name] | null };

export interface CrawlerCountAnswer {
  readonly status: Status;
  readonly objective?: Objective;
  readonly solution?: CountSolution;
  readonly supplement: { readonly evaluation?: readonly CountEvaluation[] };
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
  const maxCount = problem.crawlers ?? Number.MAX_SAFE_INTEGER;
  const counts = feasibleCounts(problem, maxCount, evaluate);
  const solver = exponentialRate(problem.service) === null ? 'bisection' : 'closed-form';
  const outcome =
    counts.from > counts.to
      ? infeasibleOutcome(countConflict(counts, maxCount, evaluate))
      : cheapestOutcome(problem, counts, evaluate);
  const evaluation = evaluationOf(problem, evaluate);
  return {
    ...outcome,
    supplement: evaluation === undefined ? {} : { evaluation },
    statistics: { solver, evaluations },
  };
}

type Outcome = Omit<CrawlerCountAnswer, 'supplement' | 'statistics'>;

const measuresOf = ({ cost: _, ...measures }: CountEvaluation): MeasuredCount => measures;

const infeasibleOutcome = ({ nearest, ...conflict }: CountConflict): Outcome => ({
  status: 'infeasible',
  conflict: { ...conflict, nearest: measuresOf(nearest) },
  warnings: [],
});

/** The outcome with the cheapest count of a range, which the convexity of the cost proves optimal. */
function cheapestOutcome(problem: CrawlerCountProblem, counts: CountRange, evaluate: CountEvaluator): Outcome {
  const best = optimalCount(problem, counts, evaluate);
  const noClosedForm = { continuous: null, criticalStarvationCost: null, largeCapacityApproximation: null };
  return {
    status: 'optimal',
    objective: objective(best.cost, best.cost),
    solution: { ...measuresOf(best), ...(closedFormOf(problem, evaluate) ?? noClosedForm) },
    warnings: warningsOn(problem, best, evaluate),
  };
}

/** Warnings on the best count: `crawlers` binds, or starvation costs nothing. */
function warningsOn(
  { crawlers, costs, constraints = {} }: CrawlerCountProblem,
  best: CountEvaluation,
  evaluate: CountEvaluator,
): Warning[] {
  if (Object.values(constraints).some((limit) => limit !== undefined)) return [];
  const warnings: Warning[] = [];
  const next = best.crawlers === crawlers ? evaluate(crawlers + 1) : null;
  if (next !== null && next.cost < best.cost) {
    const detail = `crawlers binds: ${next.crawlers} would cost ${next.cost}, ${best.cost - next.cost} less`;
    warnings.push(warning('crawlers-binding', detail, ['crawlers']));
  }
  if (costs.starvation === 0) {
    const detail =
      'costs.starvation is 0 and no limit is on starvationProbability: nothing speaks for a second crawler';
    warnings.push(warning('starvation-free', detail, ['costs', 'starvation']));
  }
  return warnings;
}

/** The counts that the caller wants evaluated, ascending. */
function evaluationOf({ evaluate: counts }: CrawlerCountProblem, evaluate: CountEvaluator) {
  if (counts === undefined) return undefined;
  const { from, to } = typeof counts === 'number' ? { from: counts, to: counts } : counts;
  return Array.from({ length: to - from + 1 }, (_, i) => evaluate(from + i));
}

/** Counts that one optimisation evaluates, and that the search for the range of one limit evaluates, roughly. */
const [typicalEvaluations, evaluationsPerLimit] = [20, 100];

/**
 * Estimated elementary steps (about 1 ns each): a few hundred an evaluation in closed form, else the arrival
 * probabilities and the recursion.
 */
export function crawlerCountWork({ service, capacity, evaluate = 0, constraints = {} }: CrawlerCountProblem): number {
  const requestedCounts = typeof evaluate === 'number' ? Math.sign(evaluate) : evaluate.to - evaluate.from + 1;
  const extra = requestedCounts + evaluationsPerLimit * Object.values(constraints).length;
  if (exponentialRate(service) !== null) return 10_000 + 300 * extra;
  const form = countingForm(service);
  const phases = form.of === 'phases' ? form.phases.n : 1;
  const arrivals =
    form.of === 'density'
      ? 2e6 + 3000 * capacity
      : form.of === 'constants'
        ? (300 + 2 * capacity) * form.values.length
        : capacity * phases ** 2;
  return (typicalEvaluations + extra) * (20_000 + capacity * (100 + capacity / 4) + arrivals);
}
