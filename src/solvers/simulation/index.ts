/** Discrete-event simulation of the controlled queues. */
export { type ActivationQueue, simulateActivation } from './activation-queue.ts';
export { type SimulatedQueue, simulateQueue } from './controlled-queue.ts';
export {
  type ActivationMeasureName,
  type Estimate,
  fewestReplications,
  mostReplications,
  type QueueMeasureName,
  replicateActivation,
  replicateQueue,
  type SimulationResult,
  warmUpShare,
} from './replications.ts';
