/**
 * Crawling by a price: when a page is due, how a check updates the belief about it, and how the price is controlled.
 */
export { afterCheck, believedRate, newBelief, type PageBelief, type PageCheck, type RatePrior } from './belief.ts';
export { dueAge, worthOfFetch } from './due-age.ts';
export { nextPrice, type PriceFeedback } from './next-price.ts';
