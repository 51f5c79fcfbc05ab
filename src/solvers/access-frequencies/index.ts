export {
  type AccessPages,
  accessPages,
  evenStaleness,
  type Place,
  randomizedStaleness,
  requireLoads,
  totalCost,
} from './access-pages.ts';
export { type AccessFrequencies, type AccessFrequenciesAnswer, bestFrequencies } from './best-frequencies.ts';
export { deterministicFrequencies } from './deterministic-frequencies.ts';
export type { Frequencies } from './frequencies.ts';
export type { MinFrequencyConflict } from './min-frequency.ts';
export type { AccessFrequenciesProblem, AccessTargetProblem } from './problem.ts';
export { randomizedFrequencies } from './randomized-frequencies.ts';
export type { AccessFrequenciesQuestion } from './solve.ts';
/** @internal The library has operations for it. */
export { solveAccessFrequencies } from './solve.ts';
export { solveAccessTarget } from './target/needed-frequencies.ts';
