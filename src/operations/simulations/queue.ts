import type * as z from 'zod';
import { phaseTypeForm, queueLimits, writtenPolicy } from '../../schemas/parts/controlled-queue.ts';
import { simulationsQueueRequest, simulationsQueueSolution } from '../../schemas/simulations-queue.ts';
import {
  estimateQueueSimulationWork,
  maxReplications,
  type QueueSimulationProblem,
  solveQueueSimulation,
} from '../../solvers/simulation/index.ts';
import { defineOperation } from '../operation.ts';

function problemOf(request: z.output<typeof simulationsQueueRequest>): QueueSimulationProblem {
  const { capacity, horizon, replications, arrivals, service, obsolescence, policy } = request;
  const { crawlerRate, indexingRate, crawlers, targets } = request;
  if (crawlerRate !== undefined && indexingRate !== undefined && crawlers !== undefined && targets !== undefined) {
    return {
      queue: 'activation-policy',
      capacity,
      crawlerRate,
      indexingRate,
      crawlers,
      targets,
      horizon,
      replications,
    };
  }
  if (arrivals === undefined || service === undefined || obsolescence === undefined || policy === undefined) {
    throw new TypeError('the schema lets no request pass without a queue');
  }
  const { admission, discipline, repairDiagonal, modes } = request;
  return {
    queue: 'threshold-policy',
    description: {
      capacity,
      arrivals,
      service: phaseTypeForm(service, 'service'),
      obsolescence: obsolescence === null ? null : phaseTypeForm(obsolescence, 'obsolescence'),
      admission,
      discipline,
      repairDiagonal,
      modes,
    },
    policy: writtenPolicy(policy),
    horizon,
    replications,
  };
}

export const simulationsQueue = defineOperation({
  name: 'simulations/queue',
  tag: 'simulations',
  summary: 'Simulate a controlled queue under a given policy, event by event, with confidence intervals',
  description:
    'Discrete-event simulation of the queue of threshold-policy (any arrival model, admission strategy, discipline and phase-type laws) or of ' +
    'activation-policy, under the policy that is given: what to believe the exact answers by. Independent replications after a warm-up; every ' +
    'measure comes with its 95% interval (Student’s t). The same seed gives the same answer. Any consistent time unit.',
  request: simulationsQueueRequest,
  solution: simulationsQueueSolution,
  beside: {},
  examples: [
    {
      name: 'simulations-queue-paper',
      summary: 'The optimal policy of the main example of Avrachenkov et al., simulated',
    },
    {
      name: 'simulations-queue-real-data',
      summary: 'The crawler of the INRIA–Canon project under its optimal thresholds',
    },
    { name: 'simulations-queue-activation', summary: 'An activation policy: targets by queue length' },
  ],
  limits: { ...queueLimits, replications: maxReplications },
  work: (request) => estimateQueueSimulationWork(problemOf(request)),
  solve(request, budget) {
    const { status, measures, warnings, statistics } = solveQueueSimulation(problemOf(request), budget);
    return { status, solution: { measures }, beside: {}, warnings, statistics };
  },
});
