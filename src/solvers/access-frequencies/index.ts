export { type AccessPages, accessPages, evenStaleness, randomizedStaleness, totalCost } from './access-pages.ts';
export { deterministicFrequencies, type Frequencies } from './deterministic-frequencies.ts';
export { randomizedFrequencies } from './randomized-frequencies.ts';
