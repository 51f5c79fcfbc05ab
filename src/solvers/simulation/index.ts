/** Discrete-event simulation of the controlled queues. */
export type { QueueSimulationAnswer, QueueSimulationProblem } from './problem.ts';
export {
  type Estimate,
  maxReplications,
  minReplications,
  replicate,
  replicateQueue,
  type SimulationResult,
} from './replications.ts';
export { solveQueueSimulation } from './solve.ts';
export { estimateQueueSimulationWork } from './work.ts';
