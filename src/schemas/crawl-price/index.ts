/** The wire shapes of `crawl-price`, and its request as the solver takes it. */
export { crawlPriceSentence, crawlPriceSolution, priceStatements, priceToleranceText } from './answer.ts';
export { type CheckedPrice, crawlPriceLimits, crawlPriceRequest } from './request.ts';
