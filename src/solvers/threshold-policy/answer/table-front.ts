/**
 * The front of a controller that sees both phases: the tables that are best for some weights of two or three criteria.
 *
 * Each weighting is solved by policy iteration with its proof (bound/best-table.ts), begun from the cheapest of
 * the tables found before. Tables are many more than thresholds, and so are the vertices: where they are more than are
 * listed, those lie all along the front.
 */
import { costOf, measuresOf, type Totals } from '../../queue/measures.ts';
import { fixedMode, leastWhenEmpty } from '../../queue/queue.ts';
import { type ModeByState, modeByStateOf } from '../../queue/state-policy.ts';
import { bestByPhases } from '../bound/best-table.ts';
import { totalsOfStates } from '../evaluate/memoryless/state-distribution.ts';
import type { FrontCriterion } from '../problem.ts';
import { type Front, frontBetween } from './front-between.ts';
import { measuredTables } from './measured-tables.ts';
import type { TableQuestion } from './question.ts';

/** A table that was best for some weights, or the first to begin with. */
interface FoundTable {
  readonly modes: ModeByState;
  readonly totals: Totals;
}

export function tableFront(question: TableQuestion, criteria: readonly FrontCriterion[]): Front {
  const { queue, memoryless, budget } = question;
  const measured = (modes: ModeByState): FoundTable => ({ modes, totals: totalsOfStates(memoryless, modes) });
  const tables: FoundTable[] = [];
  return frontBetween<ModeByState>(criteria, {
    best(costs) {
      if (tables.length === 0) tables.push(measured(modeByStateOf(queue, fixedMode(queue, leastWhenEmpty(queue)))));
      const cheapest = tables.reduce((a, b) => (costOf(b.totals, costs) < costOf(a.totals, costs) ? b : a));
      const { responseTime } = measuresOf(cheapest.totals);
      const start = { modes: cheapest.modes, cost: costOf(cheapest.totals, costs), responseTime };
      const { modes, bound } = bestByPhases(memoryless, costs, start, budget);
      const found = measured(modes);
      tables.push(found);
      return { what: modes, totals: found.totals, bound };
    },
    shown(modes) {
      const { solution } = measuredTables(question, [{ share: 1, modes }]);
      const { crawlersByQueueLength, modes: used, thresholds, crawlersByState } = solution;
      return { crawlersByQueueLength, modes: used, thresholds, ...(crawlersByState && { crawlersByState }) };
    },
    budget,
  });
}
