/**
 * For crawlers built with Crawlee: `import { … } from 'crawl-optimizer/crawlee'`. Concurrency by the table of
 * activation-policy or threshold-policy, requests by a plan of crawl-plan, and the log that the next plan is made from.
 * Crawlee itself is not loaded: what is needed of its objects is written down as types.
 */
export { CrawlLog, type LoggedFetch, type SeenFetch } from './crawl-log.ts';
export { followPlan, type PlannedRequest, type PlanOptions, type RequestRunner } from './follow-plan.ts';
export { followTable, type TablePool } from './follow-table.ts';
export { FreshPages, type FreshPagesOptions, type PlannedRow } from './fresh-pages.ts';
export { type HostDelayOptions, HostDelays } from './host-delays.ts';
