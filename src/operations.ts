/** The one list of operations: routes, OpenAPI, limits, worker dispatch, command line and tests derive from it. */
import type { Operation } from './operation.ts';
import { activationPolicy } from './routes/activation-policy.ts';
import { crawlAllocation } from './routes/crawl-allocation.ts';
import { thresholdPolicy } from './routes/threshold-policy.ts';

export const operations: readonly Operation[] = [activationPolicy, thresholdPolicy, crawlAllocation];
