/** What tables do, each followed for a share of the time: averages are those of the tables, weighed with the shares. */
import { type Warning, warning } from '../../answer.ts';
import { type Budget, pollOf } from '../../budget.ts';
import type { PolicySolution } from '../answer.ts';
import { checkTotals, type Evaluator } from '../evaluation/evaluator.ts';
import type { MemorylessQueue } from '../evaluation/memoryless/evaluate-memoryless.ts';
import { blockSize } from '../evaluation/stationary.ts';
import { furtherMeasures } from '../further-measures.ts';
import { type Constraints, measuresOf, type Totals } from '../model/measures.ts';
import type { Queue } from '../model/queue.ts';
import type { ThresholdPolicyProblem } from '../problem.ts';
import { distributionOfStates, meanCrawlers, pageChainOfStates, totalsOfStates } from './state-distribution.ts';
import { crawlersByState, type ModeByState } from './state-policy.ts';

/** A problem made ready, with what measures policies by queue length. */
export interface ObservedSetting {
  readonly problem: ThresholdPolicyProblem;
  readonly queue: Queue;
  readonly evaluator: Evaluator;
  readonly memoryless: MemorylessQueue;
  readonly constraints: Constraints | null;
  readonly budget: Budget;
}

/** A table that is followed for a share of the time. */
export interface MixedTable {
  readonly share: number;
  readonly modes: ModeByState;
}

export interface MeasuredTable extends MixedTable {
  readonly totals: Totals;
  readonly distribution: Float64Array;
}

export interface MeasuredTables {
  readonly tables: readonly MeasuredTable[];
  readonly totals: Totals;
  /** With the first of the tables as crawlersByState. */
  readonly solution: PolicySolution;
  readonly warnings: readonly Warning[];
}

/** @param mixture shares that sum to 1 */
export function measuredTables(setting: ObservedSetting, mixture: readonly MixedTable[]): MeasuredTables {
  const { problem, queue } = setting;
  const tables = mixture.map((one) => measuredTable(setting, one));
  const totals = tables.length === 1 ? tables[0].totals : mixedTotals(tables);
  const further = tables.length === 1 ? furtherOf(setting, tables[0]) : leftOut(problem);
  const used = [...new Set(tables.flatMap(({ modes }) => [...modes]))].sort((a, b) => b - a);
  return {
    tables,
    totals,
    warnings: further.warnings,
    solution: {
      crawlersByQueueLength: meanCrawlers(queue, tables),
      modes: used.map((mode) => queue.modes[mode].crawlers),
      thresholds: null,
      crawlersByState: crawlersByState(queue, problem.service, tables[0].modes),
      measures: { ...measuresOf(totals), ...further.measures },
    },
  };
}

function measuredTable({ problem, queue, memoryless, budget }: ObservedSetting, one: MixedTable): MeasuredTable {
  const poll = pollOf(budget, 'the policy had not been measured');
  const distribution = distributionOfStates(queue, one.modes, poll);
  const totals = totalsOfStates(memoryless, problem.costs, one.modes, distribution);
  checkTotals(totals);
  return { ...one, totals, distribution };
}

/** Totals are per unit of time: those of a mixture in time are their mean. */
function mixedTotals(tables: readonly MeasuredTable[]): Totals {
  const mean = (of: keyof Totals): number => tables.reduce((sum, { share, totals }) => sum + share * totals[of], 0);
  return {
    lossRate: mean('lossRate'),
    obsolescenceRate: mean('obsolescenceRate'),
    starvationProbability: mean('starvationProbability'),
    activeCrawlers: mean('activeCrawlers'),
    toBeServed: mean('toBeServed'),
    toExpire: mean('toExpire'),
    successRate: mean('successRate'),
    queueLength: mean('queueLength'),
  };
}

function furtherOf(
  { problem, queue, budget }: ObservedSetting,
  { modes, distribution, totals }: MeasuredTable,
): ReturnType<typeof furtherMeasures> {
  const n = blockSize(queue);
  return furtherMeasures(
    { problem, queue, budget },
    {
      modeOf: (level, state) => modes[level * n + state],
      shares: () =>
        Array.from({ length: queue.topLevel + 1 }, (_, level) => distribution.subarray(level * n, (level + 1) * n)),
      pageChain: () => pageChainOfStates(queue, modes, distribution, totals.successRate),
    },
  );
}

/** Laws are those of one table: of a mixture they are left out, with a word. */
function leftOut({ measures, quantiles }: ThresholdPolicyProblem): ReturnType<typeof furtherMeasures> {
  if (measures === undefined && quantiles === undefined) return { measures: {}, warnings: [] };
  const detail =
    'the best policy under these limits mixes tables: further measures and quantiles are those of one table, and left out; ' +
    'give each table of the mixture as policy.crawlersByState to have its own';
  return { measures: {}, warnings: [warning('measures-not-computed', detail, ['constraints'])] };
}
