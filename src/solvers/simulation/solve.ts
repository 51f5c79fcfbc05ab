/** Simulates one of the two queues under a given policy: replications of it, and what they say together. */
import { type Warning, warning } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { assembleQueue, policyOf, type Queue, type QueueDescription, writtenPhases } from '../queue/index.ts';
import { type CrawlersByState, modesOfTable } from '../queue/state-policy.ts';
import type { StateModes } from './controllers.ts';
import type { QueueSimulationAnswer, QueueSimulationProblem } from './problem.ts';
import { replicateActivation, replicateQueue, type SimulationResult } from './replications.ts';

/** @throws ConditionNotMet for conditions of the model; NothingToReturn when stopped before two replications ended */
export function solveQueueSimulation(problem: QueueSimulationProblem, budget: Budget): QueueSimulationAnswer {
  const { duration, replications } = problem;
  if (problem.queue === 'activation-policy') {
    return answer(replicateActivation(problem, duration, replications, budget), replications, []);
  }
  const { description, policy } = problem;
  const { queue, warnings } = assembleQueue(description);
  // Pages are followed under the laws as they were written, not as the analytic solvers transform them.
  const simulated = {
    ...queue,
    ...('crawlersByState' in policy
      ? { byState: stateModes(queue, description, policy.crawlersByState) }
      : { byLevel: policyOf(queue, policy) }),
    service: description.service,
    obsolescence: description.obsolescence,
  };
  return answer(replicateQueue(simulated, { duration, replications }, budget), replications, warnings);
}

/** The table for the service phases as they are written; those that are never reached do as the first. */
function stateModes(queue: Queue, { service }: QueueDescription, written: CrawlersByState): StateModes {
  const modes = modesOfTable(queue, service, written);
  const places = writtenPhases(service);
  const phases = service.initial.length;
  const block = queue.arrivalPhases * queue.service.phases;
  const table = new Uint8Array((queue.topLevel + 1) * queue.arrivalPhases * phases);
  for (let level = 0; level <= queue.topLevel; level++) {
    for (let arrival = 0; arrival < queue.arrivalPhases; arrival++) {
      for (let phase = 0; phase < phases; phase++) {
        const m = Math.max(0, places.indexOf(phase));
        const at = (level * queue.arrivalPhases + arrival) * phases + phase;
        table[at] = modes[level * block + arrival * queue.service.phases + m];
      }
    }
  }
  return { table, arrivalPhases: queue.arrivalPhases };
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
    solution: { measures: Object.fromEntries(measures) },
    beside: {},
    warnings: [...warnings, ...stopped],
    statistics: { solver: 'discrete-event-simulation', replications, events, pages },
  };
}
