/** How much work a simulation is, in elementary steps of about a nanosecond. */
import { assembleQueue, meanOfPhaseType, type PhaseType, policyOf, type Queue } from '../queue/index.ts';
import { modesOfTable } from '../queue/state-policy.ts';
import type { QueueSimulationProblem } from './problem.ts';
import { warmUpShare } from './replications.ts';

/** Nanoseconds an event takes, roughly. */
const eventWork = 700;
/** Nanoseconds a change of phase takes, roughly. */
const changeWork = 30;

/** @throws ConditionNotMet for conditions of the model */
export function estimateQueueSimulationWork(problem: QueueSimulationProblem): number {
  const time = problem.duration * (1 + warmUpShare) * problem.replications;
  if (problem.queue === 'activation-policy') {
    return time * (problem.crawlers * problem.crawlerRate + problem.serviceRate) * eventWork;
  }
  const { queue } = assembleQueue(problem.description);
  const { policy, description } = problem;
  if ('crawlersByState' in policy) modesOfTable(queue, description.service, policy.crawlersByState);
  else policyOf(queue, policy);
  const { service, obsolescence } = queue;
  const changes = phaseChanges(service) + (obsolescence === null ? 0 : phaseChanges(obsolescence));
  return time * eventRate(queue) * (eventWork + changes * changeWork);
}

/** Changes of phase in one time from a law, at most about: its mean times its fastest rate. */
function phaseChanges(law: PhaseType): number {
  const fastest = law.generator.reduce((largest, rate) => Math.max(largest, Math.abs(rate)), 0);
  return meanOfPhaseType(law) * fastest;
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
