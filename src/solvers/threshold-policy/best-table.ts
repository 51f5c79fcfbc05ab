/**
 * Answers for a controller that sees phases: a table of crawlers by queue length and phases, with its proof. The best
 * thresholds, which need no phases, stand beside it.
 *
 * With obsolescence phases the observed state is not the one that all measures depend on: refused.
 */
import { objective, type Warning } from '../answer.ts';
import { endingEarlier } from '../budget.ts';
import { costOf, measuresOf, type Totals } from '../queue/measures.ts';
import { type CrawlersByState, crawlersByState, modesOfTable } from '../queue/state-policy.ts';
import {
  countsOf,
  measureFixedModes,
  objectiveWithBound,
  type PolicySolution,
  relativeProfit,
  remarksOnLimits,
  type ThresholdPolicyAnswer,
} from './answer.ts';
import { checkTotals } from './evaluate/levels.ts';
import { furtherMeasures } from './evaluate/measures.ts';
import { localOptimum } from './local-search.ts';
import { allModes, type ModeByPhase, type PhaseChain } from './phase-chain.ts';
import { type Question, stepsPerMs } from './question.ts';
import { RatioBounds, ratioCostOf } from './ratio-bound.ts';
import { measureOf } from './search.ts';
import { Tally } from './tally.ts';

/** Relative gap at which the proof stops. */
const provedTolerance = 1e-9;

/** A table of the caller's. */
export function evaluateTable(question: Question, chain: PhaseChain, written: CrawlersByState): ThresholdPolicyAnswer {
  const { problem, queue, constraints } = question;
  const modes = chain.ofTable(modesOfTable(queue, problem.service, written));
  const { totals, solution, warnings } = measureTable(question, chain, modes);
  const cost = costOf(totals, problem.costs);
  return {
    status: 'evaluated',
    objective: objective(cost, null),
    beside: { evaluation: solution, ...fixedModesBeside(question, cost) },
    warnings: [...question.warnings, ...remarksOnLimits(solution.measures, constraints), ...warnings],
    statistics: { solver: 'policy-iteration', states: chain.states },
  };
}

/** The best table, with its proof. */
export function findBestTable(question: Question, chain: PhaseChain): ThresholdPolicyAnswer {
  const { problem, queue, levels } = question;
  // What was found is measured once more after the search: the time for that is kept back.
  const budget = endingEarlier(question.budget, (2 * question.work) / stepsPerMs);
  const tally = new Tally(problem.costs, null, queue.modes.length);
  const { byLevel, cost: byLength } = localOptimum(queue, measureOf({ levels, tally, budget }), budget);
  const bounds = new RatioBounds(chain, ratioCostOf(problem.costs));
  const start = bounds.measure(chain.ofLevels(byLevel));
  const { best, bound, intervals } = bounds.prove(allModes(queue), start, provedTolerance, budget);
  const { totals, solution, warnings } = measureTable(question, chain, best.modes);
  const cost = costOf(totals, problem.costs);
  return {
    ...objectiveWithBound(cost, Number.isFinite(bound) ? bound : null),
    solution,
    beside: {
      ...fixedModesBeside(question, cost),
      byQueueLength: { crawlersByQueueLength: countsOf(queue, byLevel), cost: byLength },
    },
    warnings: [...question.warnings, ...warnings],
    statistics: { solver: 'policy-iteration', states: chain.states, throughputIntervals: intervals },
  };
}

function fixedModesBeside({ problem, levels, work, constraints, budget }: Question, cost: number) {
  const fixedModes = measureFixedModes(levels, problem.costs, work, budget);
  return { fixedModes, relativeProfit: relativeProfit(cost, fixedModes, constraints) };
}

/** What a table does. */
function measureTable(
  { problem, queue, budget }: Question,
  chain: PhaseChain,
  modes: ModeByPhase,
): { readonly totals: Totals; readonly solution: PolicySolution; readonly warnings: readonly Warning[] } {
  chain.evaluate({}, modes);
  const totals = checkTotals(chain.totals());
  const shares = Array.from({ length: queue.topLevel + 1 }, (_, level) =>
    chain.shares.subarray(chain.begin(level), chain.begin(level + 1)),
  );
  const modeOf = (level: number, state: number): number => modes[chain.begin(level) + state];
  const further = furtherMeasures(problem, queue, modeOf, () => shares, budget);
  const used = [...new Set(modes)].sort((a, b) => b - a);
  return {
    totals,
    warnings: further.warnings,
    solution: {
      crawlersByQueueLength: shares.slice(0, queue.capacity + 1).map((law, level) => {
        const total = law.reduce((sum, share) => sum + share, 0);
        const crawlers = Array.from(law, (_, state) => queue.modes[modeOf(level, state)].crawlers);
        // A queue length that is never seen: over its states.
        return crawlers.reduce((sum, count, s) => sum + count * (total > 0 ? law[s] / total : 1 / law.length), 0);
      }),
      modes: used.map((mode) => queue.modes[mode].crawlers),
      thresholds: null,
      crawlersByState: crawlersByState(queue, problem.service, chain.toTable(modes)),
      measures: { ...measuresOf(totals), ...further.measures },
    },
  };
}
