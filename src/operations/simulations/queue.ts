import * as contract from '../../schemas/simulations-queue.ts';
import { estimateQueueSimulationWork, solveQueueSimulation } from '../../solvers/simulation/index.ts';
import { defineOperation } from '../operation.ts';

export const simulationsQueue = defineOperation({
  name: 'simulations/queue',
  tag: 'simulations',
  summary: 'Simulate a controlled queue under a given policy, event by event, with confidence intervals',
  description:
    'Simulates the queue of the other queue operations, event by event, under the policy in `evaluate`: a check of the exact answers. ' +
    'It takes any arrival model, admission strategy and phase-type laws. Independent replications follow a warm-up; every ' +
    'measure has its 95% interval (Student’s t). Use any time unit.',
  request: contract.simulationsQueueRequest,
  solution: contract.simulationsQueueSolution,
  supplement: {},
  examples: {
    'simulations-queue-paper': 'The optimal policy of the main example of Avrachenkov et al., simulated',
    'simulations-queue-real-data': 'The crawler of the INRIA–Canon project under its optimal thresholds',
    'simulations-queue-activation': 'An activation policy: targets by queue length',
  },
  limits: contract.simulationsQueueLimits,
  sentence: contract.simulationsQueueSentence,
  work: estimateQueueSimulationWork,
  solve: solveQueueSimulation,
});
