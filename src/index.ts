/**
 * The library: every operation as a typed function of this process, without a server and without a worker.
 *
 * A function takes what the service takes as JSON and gives back what it answers. Where the service would refuse, it
 * throws {@link ProblemError} with the same problem details. Nothing is kept between calls.
 *
 * ```ts
 * import { activationPolicy } from 'crawl-optimizer';
 *
 * const answer = activationPolicy({ capacity: 5, crawlerRate: 0.2, service: 1, costs: { starvation: 2 }, crawlers: 16 });
 * answer.solution?.targets; // activate one more crawler while fewer than targets[queue length] are active
 * ```
 */
import { operationFunction } from './library.ts';
import { namedOperations as operations } from './operations/index.ts';

export { verify } from './certificates/verify.ts';
export type { AnswerOf, CallOptions, OperationFunction, RequestOf } from './library.ts';
export { version } from './package.ts';
export { type FieldError, type Problem, ProblemError } from './schemas/contract/problem.ts';
export type { Objective, Status, Warning } from './solvers/answer.ts';
export type { Progress } from './solvers/budget.ts';

/** How many always-active crawlers to run (Talim et al. 2001; Liu & Nain 2006, section 1.2.1). */
export const crawlerCount = operationFunction(operations.crawlerCount);

/** When to switch crawlers on and off, optimally (Liu & Nain 2006, section 1.2.2). */
export const activationPolicy = operationFunction(operations.activationPolicy);

/** How many crawlers should be active at each queue length, with batches and obsolescence (Avrachenkov et al. 2012). */
export const thresholdPolicy = operationFunction(operations.thresholdPolicy);

/** How often to access each page, for ever (Coffman, Liu & Weber 1998). */
export const accessFrequencies = operationFunction(operations.accessFrequencies);

/** In which order to access the pages, as a cycle (Coffman, Liu & Weber 1998). */
export const accessSequence = operationFunction(operations.accessSequence);

/** How many crawls each page gets in one interval, and when (Wolf et al. 2002). */
export const crawlAllocation = operationFunction(operations.crawlAllocation);

/** Which crawler makes each crawl, in which slot (Wolf et al. 2002, section 4). */
export const crawlSchedule = operationFunction(operations.crawlSchedule);
export const slotAssignment = operationFunction(operations.slotAssignment);

/** How often each page changes, from what crawls saw of it. */
export const estimatesChangeRates = operationFunction(operations.changeRates);

/** Which law the gaps between a page's changes follow. */
export const estimatesUpdateProcess = operationFunction(operations.updateProcess);

/** A batch Markovian arrival process from time stamps. */
export const estimatesArrivalProcess = operationFunction(operations.arrivalProcess);

/** A phase-type law of the indexing time, from a sample or three moments. */
export const estimatesServiceTime = operationFunction(operations.serviceTime);

/** What an out-of-date page costs in embarrassment, from clicks and impressions (Wolf et al. 2002, section 3). */
export const estimatesEmbarrassmentWeights = operationFunction(operations.embarrassmentWeights);

/** How far signals of changes (sitemaps, IndexNow, pings) can be trusted: their precision and recall by host. */
export const estimatesChangeSignals = operationFunction(operations.changeSignals);

/** How fresh the copies are, and which of two rules keeps them fresher, from probes at random times. */
export const estimatesFreshness = operationFunction(operations.freshness);

/** Crawling by a price: when a page is due, what a check teaches of its rate, and how feedback holds the price. */
export {
  afterCheck,
  believedRate,
  dueAge,
  newBelief,
  nextPrice,
  type PageBelief,
  type PageCheck,
  type PriceFeedback,
  type RatePrior,
  worthOfFetch,
} from './solvers/price-policy/index.ts';

/** How fast each host can be asked, from the statuses and times of its requests. */
export const estimatesHostLimits = operationFunction(operations.hostLimits);

/** From a crawl log to a plan: what to fetch when, and how often, in one call. */
export const crawlPlan = operationFunction(operations.crawlPlan);

/** What one more crawl is worth, for any number of pages, from a histogram of them. */
export const crawlPrice = operationFunction(operations.crawlPrice);

/** What a policy does in a simulated queue, with confidence intervals. */
export const simulationsQueue = operationFunction(operations.simulationsQueue);
