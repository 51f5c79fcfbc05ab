/**
 * Answers for a controller that sees phases: a table of crawlers by queue length and phases, its measures and its
 * proof. The best thresholds, which need no phases, stand beside it.
 *
 * Where it applies: exponential or no obsolescence. With obsolescence phases the observed state is not the one that all
 * measures depend on.
 */
import { objective, type Warning } from '../../answer.ts';
import { pollOf } from '../../budget.ts';
import { costOf, measuresOf, type Totals } from '../../queue/measures.ts';
import { blockSize, leastWhenEmpty } from '../../queue/queue.ts';
import {
  type CrawlersByState,
  crawlersByState,
  type ModeByState,
  modeByStateOf,
  modesOfTable,
} from '../../queue/state-policy.ts';
import { bestByPhases } from '../bound/best-table.ts';
import { checkTotals } from '../evaluate/chain/evaluator.ts';
import { ratesUpByState } from '../evaluate/chain/stationary.ts';
import { sharesOfLevels } from '../evaluate/chain/views.ts';
import { relativeProfit } from '../evaluate/fixed-modes.ts';
import { furtherMeasures } from '../evaluate/further-measures.ts';
import { fifoPageChain } from '../evaluate/memoryless/fifo-page-chain.ts';
import { distributionOfStates, meanCrawlers, totalsOfStates } from '../evaluate/memoryless/state-distribution.ts';
import { localOptimum } from '../search/local-optimum.ts';
import { Tally } from '../search/tally.ts';
import { type BesidePolicy, reached, type ThresholdPolicyAnswer } from './answer.ts';
import { countsOf, type PolicySolution } from './policy-solution.ts';
import { fixedModesOf, type TableQuestion } from './question.ts';
import { remarksOnLimits } from './remarks.ts';

/** What was found about a table: an answer but for what stands beside every one. */
type TableFound = Omit<ThresholdPolicyAnswer, 'beside'> & { readonly beside: Omit<BesidePolicy, 'fixedModes'> };

export function tableAnswer(question: TableQuestion): ThresholdPolicyAnswer {
  const { evaluate } = question.problem;
  const found =
    evaluate !== undefined && 'crawlersByState' in evaluate
      ? evaluatedTable(question, evaluate.crawlersByState)
      : bestTable(question);
  const fixedModes = fixedModesOf(question);
  const cost = found.objective?.value;
  return {
    ...found,
    beside: {
      fixedModes,
      relativeProfit: cost === undefined ? undefined : relativeProfit(cost, fixedModes, question.constraints),
      ...found.beside,
    },
    warnings: [...question.warnings, ...found.warnings],
  };
}

/** A table of the caller's. */
function evaluatedTable(question: TableQuestion, written: CrawlersByState): TableFound {
  const { problem, queue, evaluator } = question;
  const { totals, solution, warnings } = measuredTable(question, modesOfTable(queue, problem.service, written));
  return {
    status: 'evaluated',
    objective: objective(costOf(totals, problem.costs), null),
    beside: { evaluation: solution },
    warnings: [...remarksOnLimits(solution.measures, question.constraints), ...warnings],
    statistics: { solver: evaluator.name, evaluation: evaluator.name, states: evaluator.states },
  };
}

/** The best table, with its proof. */
function bestTable(question: TableQuestion): TableFound {
  const { problem, queue, evaluator, memoryless, budget } = question;
  const { costs } = problem;
  const local = localOptimum(
    { queue, evaluator, prepared: memoryless, costs, constraints: null, budget },
    new Tally(costs, null),
  );
  const { responseTime } = measuresOf(evaluator.evaluate(local.byLevel));
  const start = { modes: modeByStateOf(queue, local.byLevel), cost: local.cost, responseTime };
  const found = bestByPhases(memoryless, costs, start, budget);
  const { totals, solution, warnings } = measuredTable(question, polished(question, [found.modes, start.modes]));
  return {
    ...reached(costOf(totals, costs), found.bound),
    solution,
    beside: { byQueueLength: { crawlersByQueueLength: countsOf(queue, local.byLevel), cost: local.cost } },
    warnings,
    statistics: {
      solver: 'policy-iteration',
      evaluation: evaluator.name,
      states: evaluator.states,
      ...found.statistics,
    },
  };
}

/** States times modes, at most, of tables whose every single change is measured. */
const mostChanges = 256;

/**
 * The cheapest of these tables, measured; of a small one, until no change of one state or of one level saves anything.
 * Where rates lie many decades apart, relative values keep too few digits to lead policy iteration there.
 */
function polished({ problem, queue, memoryless, budget }: TableQuestion, tables: readonly ModeByState[]): ModeByState {
  const poll = pollOf(budget, 'the policy had not been measured');
  const costs = tables.map((modes) =>
    costOf(totalsOfStates(memoryless, modes, distributionOfStates(queue, modes, poll)), problem.costs),
  );
  let cost = costs.reduce((least, each) => (each < least ? each : least));
  const best = tables[costs.indexOf(cost)].slice();
  const n = blockSize(queue);
  if (best.length * queue.modes.length > mostChanges) return best;
  for (let improved = true; improved && !budget.stopRequested(); ) {
    improved = false;
    for (let at = 0; at < best.length; at++) {
      // The first state of a level stands for all of them too.
      for (const length of at % n === 0 ? [n, 1] : [1]) {
        for (let mode = at < n ? leastWhenEmpty(queue) : 0; mode < queue.modes.length; mode++) {
          const changed = best.slice().fill(mode, at, at + length);
          const value = costOf(
            totalsOfStates(memoryless, changed, distributionOfStates(queue, changed, poll)),
            problem.costs,
          );
          if (!(value < cost - 1e-9 * Math.abs(cost))) continue;
          [cost, improved] = [value, true];
          best.set(changed);
        }
      }
    }
  }
  return best;
}

/** What a table does. */
function measuredTable(
  { problem, queue, memoryless, budget }: TableQuestion,
  modes: ModeByState,
): {
  readonly totals: Totals;
  readonly solution: PolicySolution;
  readonly warnings: readonly Warning[];
} {
  const distribution = distributionOfStates(queue, modes, pollOf(budget, 'the policy had not been measured'));
  const totals = totalsOfStates(memoryless, modes, distribution);
  checkTotals(totals);
  const { modeOf } = ratesUpByState(queue, modes);
  const further = furtherMeasures(
    { problem, queue, budget },
    {
      modeOf,
      shares: () => sharesOfLevels(queue, distribution),
      pageChain: () => fifoPageChain(queue, modeOf, distribution),
    },
  );
  const used = [...new Set(modes)].sort((a, b) => b - a);
  return {
    totals,
    warnings: further.warnings,
    solution: {
      crawlersByQueueLength: meanCrawlers(queue, modes, distribution),
      modes: used.map((mode) => queue.modes[mode].crawlers),
      thresholds: null,
      crawlersByState: crawlersByState(queue, problem.service, modes),
      measures: { ...measuresOf(totals), ...further.measures },
    },
  };
}
