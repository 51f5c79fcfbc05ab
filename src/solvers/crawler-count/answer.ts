/** The answer of crawler-count, in the contract's own shape. */
import { type Objective, objective, type Status, type Warning, warning } from '../answer.ts';
import type { CountFrontPoint } from './front.ts';
import type { CountConflict, LimitPrices } from './limited-counts.ts';
import type { ClosedForm, CountOptimum } from './optimal-count.ts';
import type { CountEvaluation, CrawlerCountProblem, Interruptible, QueueMeasures } from './problem.ts';

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
  readonly beside: {
    /** The counts asked for, as far as the time went. */
    readonly evaluation?: readonly CountEvaluation[];
    readonly dualPrices?: LimitPrices;
    readonly front?: readonly CountFrontPoint[];
  };
  /** Why no count keeps the limits, and the measures of the count that exceeds them least. */
  readonly conflict?: Omit<CountConflict, 'nearest'> & { readonly nearest: MeasuredCount };
  readonly warnings: readonly Warning[];
  readonly statistics: { readonly solver: 'closed-form' | 'convex-search'; readonly iterations: number };
}

const measured = ({ cost: _, ...measures }: CountEvaluation): MeasuredCount => measures;

const unknown = { continuous: null, criticalStarvationCost: null, largeCapacityApproximation: null };

export function solutionOf({ best, closedForm }: CountOptimum): CountSolution {
  const { continuous, criticalStarvationCost, largeCapacityApproximation } = closedForm ?? unknown;
  return { ...measured(best), continuous, criticalStarvationCost, largeCapacityApproximation };
}

export const objectiveOf = ({ best, bound }: CountOptimum): Objective => objective(best.cost, bound);

/** @param evaluate of the count that exceeds the limits least */
export function conflictOf(conflict: CountConflict, nearest: CountEvaluation): CrawlerCountAnswer['conflict'] {
  return { ...conflict, nearest: measured(nearest) };
}

export const statisticsOf = ({ closedForm, evaluations }: CountOptimum): CrawlerCountAnswer['statistics'] => ({
  solver: closedForm === null ? 'convex-search' : 'closed-form',
  iterations: evaluations,
});

/** What to know of the best count before relying on it. */
export function remarksOn(
  { crawlers, costs, constraints }: CrawlerCountProblem,
  { best, proved }: CountOptimum,
  evaluate: Interruptible,
): Warning[] {
  const remarks: Warning[] = [];
  const more = proved && best.crawlers === crawlers ? evaluate(crawlers + 1) : null;
  if (more !== null && more.cost < best.cost) {
    const detail = `crawlers binds: ${more.crawlers} would cost ${more.cost}, ${best.cost - more.cost} less`;
    remarks.push(warning('crawlers-binding', detail, ['crawlers']));
  }
  if (costs.starvation === 0 && constraints?.starvationProbability === undefined) {
    const detail =
      'costs.starvation is 0 and no limit is on starvationProbability: nothing speaks for a second crawler';
    remarks.push(warning('starvation-free', detail, ['costs', 'starvation']));
  }
  return remarks;
}

/** What is missing of the counts asked for. */
export function remarksOnEvaluation(wanted: number, found: number): Warning[] {
  if (found === wanted) return [];
  const detail = `the time limit came after ${found} of ${wanted} counts; raise options.timeLimitMs`;
  return [warning('evaluation-incomplete', detail, ['evaluate'])];
}
