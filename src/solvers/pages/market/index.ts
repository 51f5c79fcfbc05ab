/** One price for all pages, and one of its own for every host that is full. */
export {
  clearingPrice,
  clearingPrices,
  type GroupedDemand,
  type GroupPrices,
  type PriceBracket,
  type PriceSearch,
} from './clearing-price.ts';
