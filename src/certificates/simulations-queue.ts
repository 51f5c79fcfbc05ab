/**
 * What must hold of a simulation's answer whatever chance did: every mean lies in its interval, the share of time with
 * nothing to index in [0, 1], the queue in its room, and no more crawlers work than there are.
 */
import * as z from 'zod';
import { simulationsQueueRequest, simulationsQueueSolution } from '../schemas/simulations-queue.ts';
import type { QueueSimulationProblem } from '../solvers/simulation/problem.ts';
import { parseByContract } from './contract-form.ts';
import type { Findings } from './findings.ts';
import type { WireObject } from './wire.ts';

const answerForm = z.looseObject({
  status: z.string(),
  solution: simulationsQueueSolution,
  statistics: z.looseObject({ replications: z.number() }),
});

export function checkQueueSimulation(request: WireObject, answer: WireObject, findings: Findings): void {
  certifyQueueSimulation(parseByContract(simulationsQueueRequest, request, 'the request'), answer, findings);
}

/** Checks an answer to a problem in the solver's form. */
export function certifyQueueSimulation(problem: QueueSimulationProblem, answer: WireObject, findings: Findings): void {
  const { status, solution, statistics } = parseByContract(answerForm, answer, 'the answer');
  const { measures } = solution;
  if (status !== 'evaluated') findings.fault(`status ${status}; a simulation only evaluates`);
  if (statistics.replications > problem.replications) findings.fault('more replications than were asked for');
  for (const [name, estimate] of Object.entries(measures)) {
    if (!estimate) continue;
    const [low, high] = estimate.interval;
    const inside = low <= estimate.mean && estimate.mean <= high;
    const fault = `${name}: ${estimate.mean} is not inside [${low}, ${high}]`;
    findings.expect(`solution.measures.${name}.interval`, inside, fault);
    if (estimate.mean < 0) findings.fault(`${name} is ${estimate.mean}`);
  }
  const checkMaximum = (name: 'starvationProbability' | 'activeCrawlers' | 'meanQueueLength', limit: number): void => {
    const mean = measures[name]?.mean ?? 0;
    if (mean > limit * (1 + 1e-9)) findings.fault(`${name} is ${mean}, above ${limit}`);
  };
  checkMaximum('starvationProbability', 1);
  if (problem.queue !== 'activation-policy') return;
  checkMaximum('activeCrawlers', problem.crawlers);
  checkMaximum('meanQueueLength', problem.capacity);
}
