/**
 * For crawlers built with Crawlee: `import { … } from 'crawl-optimizer/crawlee'`. Recrawls by a price, adaptive delays
 * between the requests to a host, concurrency by the table of activation-policy or threshold-policy, and a log of
 * fetches. Crawlee itself is not imported: the parts of its objects that are used are declared as types.
 */
export { CrawlLog, type FetchContext, type LoggedFetch } from './crawl-log.ts';
export { followTable, type TablePool } from './follow-table.ts';
export { FreshPages, type FreshPagesOptions, type PageRequest, type RequestRunner } from './fresh-pages.ts';
export { type HostAnswer, type HostDelayOptions, HostDelays } from './host-delays.ts';
