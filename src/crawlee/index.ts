/**
 * For crawlers built with Crawlee: `import { … } from 'crawl-optimizer/crawlee'`. Pages kept fresh by a price, hosts
 * asked as fast as they bear, concurrency by the table of activation-policy or threshold-policy, and a log of fetches.
 * Crawlee itself is not loaded: what is needed of its objects is written down as types.
 */
export { CrawlLog, type LoggedFetch, type SeenFetch } from './crawl-log.ts';
export { followTable, type TablePool } from './follow-table.ts';
export { FreshPages, type FreshPagesOptions, type PageRequest, type RequestRunner } from './fresh-pages.ts';
export { type HostAnswer, type HostDelayOptions, HostDelays } from './host-delays.ts';
