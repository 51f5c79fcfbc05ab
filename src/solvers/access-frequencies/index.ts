export {
  type AccessPages,
  accessPages,
  evenStaleness,
  type Place,
  randomizedStaleness,
  totalCost,
} from './access-pages.ts';
export { certifyAccessFrequencies } from './certify.ts';
export { deterministicFrequencies } from './deterministic-frequencies.ts';
export type { Frequencies } from './frequencies.ts';
export type { MinFrequencyConflict } from './min-frequency.ts';
export { randomizedFrequencies } from './randomized-frequencies.ts';
export {
  type AccessFrequencies,
  type AccessFrequenciesAnswer,
  type AccessFrequenciesProblem,
  solveAccessFrequencies,
} from './solve.ts';
