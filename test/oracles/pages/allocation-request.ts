/** The pages, hosts and sizes of `crawl-allocation` and `crawl-schedule`, read from a request. */

import type { CrawlAllocationProblem } from '../../../src/solvers/crawl-allocation/index.ts';
import type { Updates } from './updates.ts';

/** The problem of an allocation, with updates as certificates read them. */
export type CheckedProblem = Omit<CrawlAllocationProblem, 'updates'> & { readonly updates: Updates };
