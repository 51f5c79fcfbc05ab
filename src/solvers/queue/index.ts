/**
 * The one description of the queue in front of the indexing engine. It has what callers write (arrivals, service,
 * obsolescence, admission, policies), its checks, and the assembled queue that solvers work on.
 */
export { admitPages } from './admission.ts';
export { assembleQueue } from './assemble.ts';
export { meanOfPhaseType, phaseTypeForm } from './phase-type.ts';
export { type CrawlersByState, modesOfTable, policyOf, type WrittenPolicy } from './policies.ts';
export { type ArrivalModel, type Mode, type PhaseType, type Queue, type QueueDescription, stateAt } from './queue.ts';
