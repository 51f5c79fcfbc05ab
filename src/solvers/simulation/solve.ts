/** Simulates one of the two queues under a given policy: independent replications, and their estimates. */
import type { Budget } from '../budget.ts';
import {
  assembleQueue,
  meanOfPhaseType,
  modesOfTable,
  type PhaseType,
  policyOf,
  type Queue,
  type QueueDescription,
  writtenPhases,
} from '../queue/index.ts';
import { ActivationRun } from './activation-queue.ts';
import { ControlledRun } from './controlled-queue.ts';
import type { QueueSimulationAnswer, QueueSimulationProblem, SimulatedPolicy } from './problem.ts';
import { type MeasureName, replicate, warmUpShare } from './replications.ts';

/** Nanoseconds an event takes, roughly. */
const eventWork = 700;
/** Nanoseconds a change of phase takes, roughly. */
const changeWork = 30;

/** The measures of each queue, as its exact solver answers them. */
const activationMeasures: readonly MeasureName[] = [
  'starvationProbability',
  'lossRate',
  'activeCrawlers',
  'meanQueueLength',
];
const queueMeasures: readonly MeasureName[] = [
  'arrivalRate',
  'lossProbability',
  'obsolescenceProbability',
  'successProbability',
  'starvationProbability',
  'activeCrawlers',
  'queueLength',
  'responseTime',
  'obsoleteSojournTime',
  'sojournTime',
];

/** @throws ConditionNotMet for conditions of the model; NothingToReturn when the budget ends first */
export function solveQueueSimulation(problem: QueueSimulationProblem, budget: Budget): QueueSimulationAnswer {
  if (problem.queue === 'activation-policy') {
    const result = replicate(activationMeasures, (random) => new ActivationRun(problem, random), problem, budget);
    return answer(result, problem.replications, []);
  }
  const { description, policy } = problem;
  const { queue, warnings } = assembleQueue(description);
  // Pages are followed under the laws as they were written, not as the analytic solvers transform them.
  const { service, obsolescence } = description;
  const simulatedQueue = { ...queue, table: tableOf(queue, description, policy), service, obsolescence };
  const result = replicate(
    queueMeasures,
    (random, stop) => new ControlledRun(simulatedQueue, random, stop),
    problem,
    budget,
  );
  return answer(result, problem.replications, warnings);
}

function answer(
  { measures, events, pages }: ReturnType<typeof replicate>,
  replications: number,
  warnings: QueueSimulationAnswer['warnings'],
): QueueSimulationAnswer {
  return {
    status: 'evaluated',
    solution: { measures },
    beside: {},
    warnings,
    statistics: { solver: 'discrete-event-simulation', replications, events, pages },
  };
}

/** The table over the service phases as written; phases that are never reached take the modes of the first. */
function tableOf(queue: Queue, { service }: QueueDescription, policy: SimulatedPolicy): Uint8Array {
  const { topLevel, arrivalPhases: w } = queue;
  const n = w * queue.service.phases;
  const byState = 'crawlersByState' in policy ? modesOfTable(queue, service, policy.crawlersByState) : null;
  const byLevel = 'crawlersByState' in policy ? null : policyOf(queue, policy);
  const places = writtenPhases(service);
  const phases = service.initial.length;
  return Uint8Array.from({ length: (topLevel + 1) * w * phases }, (_, at) => {
    const level = Math.floor(at / (w * phases));
    const arrival = Math.floor(at / phases) % w;
    const m = Math.max(0, places.indexOf(at % phases));
    return byState?.[level * n + arrival * queue.service.phases + m] ?? byLevel?.[level] ?? 0;
  });
}

/**
 * How much work a simulation is, in elementary steps of about a nanosecond.
 *
 * @throws ConditionNotMet for conditions of the model
 */
export function estimateQueueSimulationWork(problem: QueueSimulationProblem): number {
  const time = problem.duration * (1 + warmUpShare) * problem.replications;
  if (problem.queue === 'activation-policy') {
    return time * (problem.crawlers * problem.crawlerRate + problem.serviceRate) * eventWork;
  }
  const { queue } = assembleQueue(problem.description);
  const { policy, description } = problem;
  tableOf(queue, description, policy);
  const { service, obsolescence } = queue;
  const changes = phaseChanges(service) + (obsolescence === null ? 0 : phaseChanges(obsolescence));
  return time * eventRate(queue) * (eventWork + changes * changeWork);
}

/** Changes of phase in one time from a law, at most about: its mean times its fastest rate. */
function phaseChanges(law: PhaseType): number {
  const fastest = law.generator.reduce((largest, rate) => Math.max(largest, Math.abs(rate)), 0);
  return meanOfPhaseType(law) * fastest;
}

/** Events per time unit, at most: changes of the arrival process, and a departure for every page. */
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
