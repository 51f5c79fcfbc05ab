/** Simulates one of the two queues under a given policy: replications of it, and what they say together. */
import { type Warning, warning } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { assembleQueue, policyOf } from '../threshold-policy/index.ts';
import type { QueueSimulationAnswer, QueueSimulationProblem } from './problem.ts';
import { replicateActivation, replicateQueue, type SimulationResult } from './replications.ts';

/** @throws ConditionNotMet for conditions of the model; NothingToReturn when stopped before two replications ended */
export function solveQueueSimulation(problem: QueueSimulationProblem, budget: Budget): QueueSimulationAnswer {
  const { horizon, replications } = problem;
  if (problem.queue === 'activation-policy') {
    return answer(replicateActivation(problem, horizon, replications, budget), replications, []);
  }
  const { description, policy } = problem;
  const { queue, warnings } = assembleQueue(description);
  // Pages are followed under the laws as they were written, not as the analytic solvers transform them.
  const simulated = {
    ...queue,
    byLevel: policyOf(queue, policy),
    service: description.service,
    obsolescence: description.obsolescence,
  };
  return answer(replicateQueue(simulated, horizon, replications, budget), replications, warnings);
}

function answer<Name extends string>(
  { measures, replications, events, pages }: SimulationResult<Name>,
  asked: number,
  warnings: readonly Warning[],
): QueueSimulationAnswer {
  const detail = `the time limit ended after ${replications} of ${asked} replications; the intervals are of these`;
  const stopped = replications === asked ? [] : [warning('stopped-early', detail, ['replications'])];
  return {
    status: 'evaluated',
    measures: Object.fromEntries(measures),
    warnings: [...warnings, ...stopped],
    statistics: { solver: 'discrete-event-simulation', replications, events, pages },
  };
}
