/** Discrete-event simulation of the controlled queues. */
export type { QueueSimulationProblem } from './problem.ts';
export { maxReplications, minReplications } from './replications.ts';
export { estimateQueueSimulationWork, solveQueueSimulation } from './solve.ts';
