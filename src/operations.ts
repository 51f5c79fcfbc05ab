/** The one list of operations: routes, OpenAPI, limits, worker dispatch, command line and tests derive from it. */
import type { Operation } from './operation.ts';

export const operations: readonly Operation[] = [];
