/**
 * The front of a controller that sees both phases: the tables that are best for some weights of two or three criteria.
 *
 * Each weighting is solved by policy iteration with its proof (observed/observed-policy.ts), begun from the cheapest of
 * the tables found before. Tables are many more than thresholds, and so are the vertices: where they are more than are
 * listed, those lie all along the front.
 */
import type { Budget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { FrontCriterion } from '../answer.ts';
import { type CostWeights, costOf, measuresOf, type Totals } from '../model/measures.ts';
import { fixedMode } from '../model/queue.ts';
import { measuredTables, type ObservedSetting } from '../observed/measured-tables.ts';
import { bestByPhases } from '../observed/observed-policy.ts';
import { distributionOfStates, totalsOfStates } from '../observed/state-distribution.ts';
import { type ModeByState, modeByStateOf } from '../observed/state-policy.ts';
import type { ThresholdPolicyProblem } from '../problem.ts';
import { type Front, frontBetween } from './front-between.ts';

/** A table that was best for some weights, or the first to begin with. */
interface FoundTable {
  readonly modes: ModeByState;
  readonly totals: Totals;
}

/**
 * @param overtakes whether the mean response time depends on the pages that come later
 * @throws ConditionNotMet where the tables of a front would not be proved best for any weights
 */
export function checkTableFront({ front, observe, constraints }: ThresholdPolicyProblem, overtakes: boolean): void {
  if (front === undefined) return;
  const refuse = (detail: string): never => {
    throw new ConditionNotMet(['front'], 'not-applicable', detail);
  };
  if (observe !== 'phases') {
    refuse(
      `does not go with observe ${observe}: tables that see one phase are found by local search, and what is not proved best ` +
        'for its weights may lie behind the front; observe "phases" or "queue-length"',
    );
  }
  if (constraints !== undefined && Object.values(constraints).some((limit) => limit !== undefined)) {
    refuse(
      'does not go with observe phases and constraints: within limits the best are mixtures of tables, which lie between the ' +
        'tables of the front without limits; leave the limits out and read them off the front',
    );
  }
  if (overtakes && front.criteria.includes('response')) {
    refuse(
      'does not go with observe phases and the criterion response under random pick-up, where pages expire: the response time ' +
        'then depends on the pages that come later, and tables are found by local search; use discipline "fifo"',
    );
  }
}

export function tableFront(setting: ObservedSetting, criteria: readonly FrontCriterion[], budget: Budget): Front {
  const { queue, memoryless } = setting;
  const measured = (modes: ModeByState, costs: CostWeights): FoundTable => {
    const totals = totalsOfStates(memoryless, costs, modes, distributionOfStates(queue, modes));
    return { modes, totals };
  };
  const tables: FoundTable[] = [];
  return frontBetween<ModeByState>(criteria, {
    best(costs) {
      if (tables.length === 0) tables.push(measured(modeByStateOf(queue, fixedMode(queue, 0)), costs));
      const cheapest = tables.reduce((a, b) => (costOf(b.totals, costs) < costOf(a.totals, costs) ? b : a));
      const { responseTime } = measuresOf(cheapest.totals);
      const start = { modes: cheapest.modes, cost: costOf(cheapest.totals, costs), responseTime };
      const { modes, bound } = bestByPhases(memoryless, costs, start, budget);
      const found = measured(modes, costs);
      tables.push(found);
      return { what: modes, totals: found.totals, bound };
    },
    shown(modes) {
      const { solution } = measuredTables(setting, [{ share: 1, modes }]);
      const { crawlersByQueueLength, modes: used, thresholds, crawlersByState } = solution;
      return { crawlersByQueueLength, modes: used, thresholds, ...(crawlersByState && { crawlersByState }) };
    },
    budget,
  });
}
