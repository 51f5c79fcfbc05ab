/**
 * The one description of the queue in front of the indexing engine. It has what callers write (arrivals, service,
 * obsolescence, admission, costs, limits), its checks, and the assembled queue that solvers work on.
 */
export { checkedProcess, fundamentalRate, listedAt, phaseLawOf } from './arrival-checks.ts';
export { assembleQueue } from './assemble.ts';
export type {
  CostWeights,
  Measures,
} from './measures.ts';
export {
  assemblePhaseType,
  meanOfPhaseType,
  phaseTypeForm,
  recogniseExponential,
  writtenPhases,
} from './phase-type.ts';
export { policyOf, type WrittenPolicy } from './policy-input.ts';
export {
  type Admission,
  type ArrivalModel,
  leastWhenEmpty,
  type Mode,
  type ModeByLevel,
  type PhaseType,
  type PhaseTypeLaw,
  type Queue,
  type QueueDescription,
} from './queue.ts';
