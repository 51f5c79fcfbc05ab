/** One price for all pages: demand at a price, hosts' own prices, clearing on fetches or on a target, and the bound. */
export { clearingPrice, type PriceBracket, type PriceSearch } from './clearing-price.ts';
export { type CurvePoint, tradeOff } from './curve.ts';
export {
  type Cleared,
  clearSupply,
  clearTarget,
  type Demand,
  type HostLimits,
  isPrice,
  leastLeft,
  type MarketProblem,
  manyPages,
  type NearPrices,
  sampleOf,
  type TargetMet,
  type TargetMissed,
} from './market.ts';
