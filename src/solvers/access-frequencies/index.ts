export {
  type AccessPages,
  accessPages,
  evenStaleness,
  type Place,
  randomizedStaleness,
  totalCost,
} from './access-pages.ts';
export { deterministicFrequencies, type Frequencies } from './deterministic-frequencies.ts';
export { randomizedFrequencies } from './randomized-frequencies.ts';
