/** Discrete-event simulation of the controlled queues. */
export { type ActivationQueue, simulateActivation } from './activation-queue.ts';
export { type SimulatedQueue, simulateQueue } from './controlled-queue.ts';
export { type Acting, FilterController, type FilterRun, filterCost, type PhaseFilter } from './filtered-policy.ts';
export type { QueueSimulationAnswer, QueueSimulationProblem } from './problem.ts';
export {
  type ActivationMeasureName,
  type Estimate,
  maxReplications,
  minReplications,
  type QueueMeasureName,
  replicate,
  replicateActivation,
  replicateQueue,
  type SimulationResult,
  warmUpShare,
} from './replications.ts';
export { solveQueueSimulation } from './solve.ts';
export { estimateQueueSimulationWork } from './work.ts';
