/** Sizes that a queue with modes may have; published with the limits of the operations that take one. */
export const queueLimits = {
  capacity: 2000,
  arrivalPhases: 64,
  matrices: 129,
  modes: 64,
  quantiles: 100,
  /** Columns of a policy's table by phases: 64 arrival phases by 64 service phases. */
  phasePairs: 4096,
} as const;

/** The most crawlers that may be named. */
export const mostCrawlers = 1_000_000;
