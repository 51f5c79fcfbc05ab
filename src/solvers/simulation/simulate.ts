/** A simulation as it is asked for: the queue, the policy, how long and how often. */
import type { Budget } from '../budget.ts';
import {
  assembleQueue,
  type Notice,
  policyOf,
  type Queue,
  type QueueDescription,
  type WrittenPolicy,
} from '../threshold-policy/index.ts';
import type { ActivationQueue } from './activation-queue.ts';
import {
  type ActivationMeasureName,
  type Estimate,
  type QueueMeasureName,
  replicateActivation,
  replicateQueue,
  type SimulationResult,
  warmUpShare,
} from './replications.ts';

interface Extent {
  /** Time units observed in each replication. */
  readonly horizon: number;
  readonly replications: number;
}

export type SimulationProblem = Extent &
  (
    | ({ readonly queue: 'activation-policy' } & ActivationQueue)
    | { readonly queue: 'threshold-policy'; readonly description: QueueDescription; readonly policy: WrittenPolicy }
  );

export interface SimulationAnswer {
  readonly measures: Partial<Readonly<Record<QueueMeasureName | ActivationMeasureName, Estimate | null>>>;
  readonly notices: readonly Notice[];
  readonly statistics: {
    readonly solver: string;
    readonly replications: number;
    readonly events: number;
    readonly pages: number;
  };
}

/** Nanoseconds an event takes, roughly. */
const eventWork = 700;

/** @throws ConditionNotMet for conditions of the model */
export function estimateSimulationWork(problem: SimulationProblem): number {
  const time = problem.horizon * (1 + warmUpShare) * problem.replications;
  if (problem.queue === 'activation-policy') {
    return time * (problem.crawlers * problem.crawlerRate + problem.indexingRate) * eventWork;
  }
  const { queue } = assembleQueue(problem.description);
  policyOf(queue, problem.policy);
  return time * eventRate(queue) * eventWork;
}

/** Changes of the arrival process per time unit at most, twice: what arrives also leaves. */
function eventRate({ modes, arrivalPhases }: Queue): number {
  let fastest = 0;
  for (const { matrices, arrivalRate } of modes) {
    let changes = 0;
    for (let phase = 0; phase < arrivalPhases; phase++) {
      changes = Math.max(changes, -matrices[0][phase * arrivalPhases + phase]);
    }
    fastest = Math.max(fastest, changes + arrivalRate);
  }
  return fastest;
}

/** @throws ConditionNotMet for conditions of the model; NothingToReturn when stopped before two replications ended */
export function solveSimulation(problem: SimulationProblem, budget: Budget): SimulationAnswer {
  const { horizon, replications } = problem;
  if (problem.queue === 'activation-policy') {
    return answer(replicateActivation(problem, horizon, replications, budget), replications, []);
  }
  const { description, policy } = problem;
  const { queue, notices } = assembleQueue(description);
  // Pages are followed under the laws as they were written, not as the analytic solvers transform them.
  const simulated = {
    ...queue,
    byLevel: policyOf(queue, policy),
    service: description.service,
    obsolescence: description.obsolescence,
  };
  return answer(replicateQueue(simulated, horizon, replications, budget), replications, notices);
}

function answer(
  result: SimulationResult<QueueMeasureName> | SimulationResult<ActivationMeasureName>,
  asked: number,
  notices: readonly Notice[],
): SimulationAnswer {
  const stopped: Notice[] =
    result.replications === asked
      ? []
      : [
          {
            code: 'stopped-early',
            detail: `the time limit ended after ${result.replications} of ${asked} replications; the intervals are of these`,
            path: ['replications'],
          },
        ];
  const { replications, events, pages } = result;
  return {
    measures: result.measures,
    notices: [...notices, ...stopped],
    statistics: { solver: 'discrete-event-simulation', replications, events, pages },
  };
}
