/**
 * The library: every operation as a typed function of this process, without a server and without a worker.
 *
 * A function takes what the service takes as JSON and gives back what it answers; where the service would refuse, it throws
 * {@link ProblemError} with the same problem details. Nothing is kept between calls. The pure solvers under them, on plain
 * numbers and typed arrays, are at `crawl-optimizer/solvers/<name>`.
 *
 * ```ts
 * import { activationPolicy } from 'crawl-optimizer';
 *
 * const answer = activationPolicy({ crawlerRate: 0.2, indexingRate: 1, capacity: 5, starvationWeight: 2, crawlers: 16 });
 * answer.solution?.targets; // activate one more crawler while fewer than targets[queue length] are active
 * ```
 */
import { operationFunction } from './library.ts';
import * as activation from './routes/activation-policy.ts';
import * as allocation from './routes/crawl-allocation.ts';
import * as threshold from './routes/threshold-policy.ts';

export { type AnswerOf, type CallOptions, type OperationFunction, ProblemError, type RequestOf } from './library.ts';
export type { Objective, Status, Warning } from './schemas/answer.ts';
export type { FieldError, Problem } from './schemas/problem.ts';
export type { Progress } from './solvers/budget.ts';
export { version } from './version.ts';

/** When to switch crawlers on and off, optimally (Liu & Nain 2006, section 1.2.2). */
export const activationPolicy = operationFunction(activation.activationPolicy);

/** How many crawlers should be active at each queue length, with batches and obsolescence (Avrachenkov et al. 2012). */
export const thresholdPolicy = operationFunction(threshold.thresholdPolicy);

/** How many crawls each page gets in one interval, and when (Wolf et al. 2002). */
export const crawlAllocation = operationFunction(allocation.crawlAllocation);
