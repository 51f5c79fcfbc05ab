/** Sets Crawlee's concurrency by the length of the indexing queue. */

/** The part of Crawlee's AutoscaledPool that is used. */
export interface TablePool {
  minConcurrency: number;
  maxConcurrency: number;
  desiredConcurrency: number;
  pause(timeoutSecs?: number): Promise<void>;
  resume(): void;
}

/**
 * A function to call after every page that enters or leaves the indexing queue, with the queue's new length. Crawlee's
 * own scaling is fixed at the table's number; at 0 the pool is paused. Running requests are never aborted.
 *
 * @param table active crawlers at queue lengths 0, 1, …; the last entry holds for longer queues
 */
export function followTable(pool: TablePool, table: readonly number[]): (queueLength: number) => void {
  if (table.length === 0 || table.some((target) => !Number.isInteger(target) || target < 0)) {
    throw new RangeError(`a table has whole numbers of crawlers, one a queue length; got ${JSON.stringify(table)}`);
  }
  let isPaused = false;
  return (queueLength) => {
    const target = table[Math.min(queueLength, table.length - 1)];
    if (target === 0) {
      if (!isPaused) void pool.pause();
      isPaused = true;
      return;
    }
    // minimum and maximum must never cross, so the order of the two assignments depends on the direction
    if (target > pool.maxConcurrency) pool.maxConcurrency = target;
    pool.minConcurrency = target;
    pool.desiredConcurrency = target;
    pool.maxConcurrency = target;
    if (isPaused) pool.resume();
    isPaused = false;
  };
}
