/** Crawl schedule: Wolf et al.'s allocation, times and slots in one. */

export type { TimesByPage } from '../crawl-allocation/index.ts';
export { hostBound } from './bound/host-bound.ts';
export { evenMarket, type Grid } from './bound/market.ts';
export { pricesOf, slopesOf } from './bound/price-guess.ts';
export { boundPasses, findPrices } from './bound/price-search.ts';
export { resampled } from './bound/priced-paths.ts';
export { fineMarket, slotBound } from './bound/slot-bound.ts';
export { type Bound, cutShort, evaluating, marketBound, noBound, type PricedClass } from './bound/slot-prices.ts';
export { improveSlots } from './improving/improve-slots.ts';
export type { CrawlLimits } from './placing/crawl-limits.ts';
export { fillSlots } from './placing/fill-slots.ts';
export { PricedTimes } from './placing/priced-times.ts';
export { slotsInOrder } from './placing/slots-in-order.ts';
export type { CrawlScheduleProblem, HostDelays, ScheduleConflict } from './problem.ts';
export { solveCrawlSchedule } from './solve.ts';
export { fromStart, StaleTime } from './table/stale-time.ts';
export { type GapCosts, type PageRules, Timetable, type TimetableTerms } from './table/timetable.ts';
