/** Crawling by one number: when a page is due at a price, what a check teaches, and how the price is held. */
export { afterCheck, believedRate, newBelief, type PageBelief, type PageCheck, type RatePrior } from './belief.ts';
export { dueAge, worthOfFetch } from './due-age.ts';
export { nextPrice, type PriceFeedback } from './next-price.ts';
