/** Size limits of a queue with modes, published with the limits of its operations. */
export const queueLimits = {
  capacity: 2000,
  arrivalPhases: 64,
  matrices: 129,
  modes: 64,
  quantiles: 100,
  /** Columns of a policy's table by phases: 64 arrival phases by 64 service phases. */
  phasePairs: 4096,
} as const;

/** Maximum number of crawlers in a request. */
export const crawlerLimit = 1_000_000;
