/** What tables do, each followed for a share of the time: averages are those of the tables, weighed with the shares. */
import { type Warning, warning } from '../../answer.ts';
import { pollOf } from '../../budget.ts';
import { measuresOf, type Totals } from '../../queue/measures.ts';
import { crawlersByState } from '../../queue/state-policy.ts';
import { checkTotals } from '../evaluate/chain/evaluator.ts';
import { ratesUpByState } from '../evaluate/chain/stationary.ts';
import { sharesOfLevels } from '../evaluate/chain/views.ts';
import { furtherMeasures } from '../evaluate/further-measures.ts';
import { pageChainOf } from '../evaluate/memoryless/memoryless-evaluators.ts';
import { distributionOfStates, meanCrawlers, totalsOfStates } from '../evaluate/memoryless/state-distribution.ts';
import type { MixedTable } from '../observed/mixed-state.ts';
import type { ThresholdPolicyProblem } from '../problem.ts';
import type { BesidePolicy, ThresholdPolicyAnswer } from './answer.ts';
import type { PolicySolution } from './policy-solution.ts';
import type { TableQuestion } from './question.ts';

/** What was found about tables: an answer but for what stands beside every one. */
export type TableFound = Omit<ThresholdPolicyAnswer, 'beside'> & { readonly beside: Omit<BesidePolicy, 'fixedModes'> };

export interface MeasuredTable extends MixedTable {
  readonly totals: Totals;
  readonly distribution: Float64Array;
}

interface MeasuredTables {
  readonly tables: readonly MeasuredTable[];
  readonly totals: Totals;
  /** With the first of the tables as crawlersByState. */
  readonly solution: PolicySolution;
  readonly warnings: readonly Warning[];
}

/** @param mixture shares that sum to 1 */
export function measuredTables(question: TableQuestion, mixture: readonly MixedTable[]): MeasuredTables {
  const { problem, queue } = question;
  const tables = mixture.map((one) => measuredTable(question, one));
  const totals = tables.length === 1 ? tables[0].totals : mixedTotals(tables);
  const further = tables.length === 1 ? furtherOf(question, tables[0]) : leftOut(problem);
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

function measuredTable({ queue, memoryless, budget }: TableQuestion, one: MixedTable): MeasuredTable {
  const poll = pollOf(budget, 'the policy had not been measured');
  const distribution = distributionOfStates(queue, one.modes, poll);
  const totals = totalsOfStates(memoryless, one.modes, distribution);
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
  { problem, queue, budget }: TableQuestion,
  { modes, distribution }: Pick<MeasuredTable, 'modes' | 'distribution'>,
): ReturnType<typeof furtherMeasures> {
  const up = ratesUpByState(queue, modes);
  return furtherMeasures(
    { problem, queue, budget },
    {
      modeOf: up.modeOf,
      shares: () => sharesOfLevels(queue, distribution),
      pageChain: () => pageChainOf(queue, up, distribution),
    },
  );
}

/** Laws are those of one table: of a mixture they are left out, with a word. */
function leftOut({ measures }: ThresholdPolicyProblem): ReturnType<typeof furtherMeasures> {
  if (measures === undefined) return { measures: {}, warnings: [] };
  const detail =
    'the best policy under these limits mixes tables: further measures are those of one table, and left out; give each ' +
    'table of the mixture as evaluate.crawlersByState to have its own';
  return { measures: {}, warnings: [warning('measures-not-computed', detail, ['constraints'])] };
}
