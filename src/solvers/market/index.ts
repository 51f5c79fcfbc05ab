/** One price for all pages: demand, prices of full hosts, clearing of a supply or of a target, and the dual bound. */
export { clearingPrice, type PriceBracket, type PriceSearch } from './clearing-price.ts';
export { type CurvePoint, tradeOff } from './curve.ts';
export {
  type Demand,
  type HostLimits,
  isPrice,
  type MarketProblem,
  type WarmStart,
  type WholeMarketProblem,
} from './demand.ts';
export {
  type ClearedMarket,
  clearSupply,
  clearTarget,
  clearWholeSupply,
  clearWholeTarget,
  costBound,
  type FeasibleTarget,
  type InfeasibleTarget,
} from './market.ts';
export { dealAmount } from './whole-fetches.ts';
