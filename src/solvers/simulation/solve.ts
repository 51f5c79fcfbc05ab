/** Simulates one of the two queues under a given policy: independent replications, and their estimates. */
import type { Budget } from '../budget.ts';
import {
  assembleQueue,
  blockSize,
  meanOfPhaseType,
  modesOfTable,
  type PhaseType,
  policyOf,
  type Queue,
  type QueueDescription,
} from '../queue/index.ts';
import { ActivationRun } from './activation-queue.ts';
import type { QueueSimulationAnswer, QueueSimulationProblem, SimulatedPolicy } from './problem.ts';
import { type MeasureName, replicate, warmUpShare } from './replications.ts';
import { ThresholdQueueRun } from './threshold-queue.ts';

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
  const { warnings, ...result } = simulate(problem, budget);
  const { measures, events, pages } = result;
  const { replications } = problem;
  return {
    status: 'evaluated',
    solution: { measures },
    beside: {},
    warnings,
    statistics: { solver: 'discrete-event-simulation', replications, events, pages },
  };
}

function simulate(problem: QueueSimulationProblem, budget: Budget) {
  if (problem.queue === 'activation-policy') {
    const result = replicate(activationMeasures, (random) => new ActivationRun(problem, random), problem, budget);
    return { ...result, warnings: [] };
  }
  const { description, policy } = problem;
  const { queue, warnings } = assembleQueue(description);
  const table = tableOf(queue, description, policy);
  const result = replicate(
    queueMeasures,
    (random, stop) => new ThresholdQueueRun(queue, table, random, stop),
    problem,
    budget,
  );
  return { ...result, warnings };
}

/** The mode in each state of the queue. */
function tableOf(queue: Queue, { service }: QueueDescription, policy: SimulatedPolicy): Uint8Array {
  if ('crawlersByState' in policy) return modesOfTable(queue, service, policy.crawlersByState);
  const byLevel = policyOf(queue, policy);
  const n = blockSize(queue);
  return Uint8Array.from({ length: byLevel.length * n }, (_, at) => byLevel[Math.floor(at / n)]);
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
  const { policy, description } = problem;
  const { queue } = assembleQueue(description);
  tableOf(queue, description, policy);
  const { modes, arrivalPhases: w, service, obsolescence } = queue;
  // At most: changes of the arrival process, and a departure for every page.
  const eventRates = modes.map(({ matrices: [d0], arrivalRate }) =>
    d0.reduce((largest, rate, cell) => (cell % (w + 1) === 0 ? Math.max(largest, arrivalRate - rate) : largest), 0),
  );
  const changes = phaseChanges(service) + (obsolescence === null ? 0 : phaseChanges(obsolescence));
  return time * Math.max(...eventRates) * (eventWork + changes * changeWork);
}

/** Rough upper bound on the mean number of phase changes in one sample of the law: its mean times its fastest rate. */
function phaseChanges(law: PhaseType): number {
  const fastest = law.generator.reduce((largest, rate) => Math.max(largest, Math.abs(rate)), 0);
  return meanOfPhaseType(law) * fastest;
}
