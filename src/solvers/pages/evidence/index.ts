/** What is believed of pages' change rates: from checks to closed forms. */
export { believe, memoryPrior } from './believe.ts';
export { type ExpectedCost, expectedCost } from './believed-cost.ts';
export { CheckFilter } from './check-filter.ts';
export { gammaNodes, writeGammaRule } from './gamma-nodes.ts';
export {
  beliefsOf,
  meanRate,
  meanSquareRate,
  memories,
  type RateBeliefs,
  weighMemories,
} from './rate-beliefs.ts';
export { rateInterval } from './rate-interval.ts';
export { ifChanged, ifUnchanged, ifUnchecked, RevisedBelief } from './revised-belief.ts';
export { WorthSearch } from './worth-search.ts';
