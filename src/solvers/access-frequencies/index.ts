export { type AccessPages, accessPages, evenStaleness, type Place, requireLoads, totalCost } from './access-pages.ts';
export {
  type AccessFrequencies,
  type AccessFrequenciesAnswer,
  type Frequencies,
  optimalFrequencies,
  pageStaleness,
  solveFrequencies,
} from './frequencies.ts';
export type { AccessFrequenciesProblem, MinFrequencyConflict } from './problem.ts';
export type { AccessFrequenciesQuestion } from './solve.ts';
/** @internal The library has operations for it. */
export { solveAccessFrequencies } from './solve.ts';
export { solveAccessTarget } from './target.ts';
