/** One price for all pages, and one of its own for every host that is full. */
export { clearingPrice, type PriceBracket, type PriceSearch } from './clearing-price.ts';
