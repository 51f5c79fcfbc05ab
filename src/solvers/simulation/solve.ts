/** Simulates one of the two queues under a given policy: independent replications, and their estimates. */
import type { Budget } from '../budget.ts';
import type { Random } from '../numerics/random/random.ts';
import { assembleQueue, meanOfPhaseType, modesOfTable, type PhaseType, policyOf, stateAt } from '../queue/index.ts';
import { ActivationRun } from './activation-queue.ts';
import type { QueueSimulationAnswer, QueueSimulationProblem } from './problem.ts';
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
  const { warnings, measures, events, pages } = simulate(problem, budget);
  const { replications } = problem;
  return {
    status: 'evaluated',
    solution: { measures },
    supplement: {},
    warnings,
    statistics: { solver: 'discrete-event-simulation', replications, events, pages },
  };
}

function simulate(problem: QueueSimulationProblem, budget: Budget) {
  if (problem.queue === 'activation-policy') {
    return { ...replicate(activationMeasures, () => new ActivationRun(problem), problem, budget), warnings: [] };
  }
  const { queue, modes, warnings } = assemblePolicy(problem);
  const createQueue = (random: Random, poll: () => void) => new ThresholdQueueRun(queue, modes, random, poll);
  return { ...replicate(queueMeasures, createQueue, problem, budget), warnings };
}

/** The assembled queue, and the mode in each of its states. */
function assemblePolicy({ description, policy }: Extract<QueueSimulationProblem, { queue: 'threshold-policy' }>) {
  const { queue, warnings } = assembleQueue(description);
  if ('crawlersByState' in policy) {
    return { queue, modes: modesOfTable(queue, description.service, policy.crawlersByState), warnings };
  }
  const modes = new Uint8Array(stateAt(queue, queue.topLevel + 1, 0, 0));
  for (const [level, mode] of policyOf(queue, policy).entries()) modes.fill(mode, stateAt(queue, level, 0, 0));
  return { queue, modes, warnings };
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
  const { modes, arrivalPhases: w, service, obsolescence } = assemblePolicy(problem).queue;
  // At most: changes of the arrival process, and a departure for every page.
  const eventRates = modes.map(({ matrices: [d0], arrivalRate }) =>
    d0.reduce((largest, rate, cell) => (cell % (w + 1) === 0 ? Math.max(largest, arrivalRate - rate) : largest), 0),
  );
  const phaseChangesPerPage = phaseChanges(service) + (obsolescence === null ? 0 : phaseChanges(obsolescence));
  return time * Math.max(...eventRates) * (eventWork + phaseChangesPerPage * changeWork);
}

/** Rough upper bound on the mean number of phase changes in one sample of the law: its mean times its fastest rate. */
function phaseChanges(law: PhaseType): number {
  const fastest = law.generator.reduce((largest, rate) => Math.max(largest, Math.abs(rate)), 0);
  return meanOfPhaseType(law) * fastest;
}
