/** How many requests may be under way, by the length of the indexing queue. */

/** What is needed of Crawlee's AutoscaledPool. */
export interface TablePool {
  minConcurrency: number;
  maxConcurrency: number;
  desiredConcurrency: number;
  pause(timeoutSecs?: number): Promise<void>;
  resume(): void;
}

/**
 * A function to call after every page that enters or leaves the indexing queue, with the queue's new length. Crawlee's
 * own scaling is held to the table's number; where that is 0 the pool is paused. A request under way is never cut off.
 *
 * @param table how many crawlers are active at queue lengths 0, 1, …; beyond its end the last holds
 */
export function followTable(pool: TablePool, table: readonly number[]): (queueLength: number) => void {
  if (table.length === 0 || table.some((target) => !Number.isInteger(target) || target < 0)) {
    throw new RangeError(`a table has whole numbers of crawlers, one a queue length; got ${JSON.stringify(table)}`);
  }
  let paused = false;
  return (queueLength) => {
    const target = table[Math.min(queueLength, table.length - 1)];
    if (target === 0) {
      if (!paused) void pool.pause();
      paused = true;
      return;
    }
    // The bounds may never cross, so the one in the way moves first.
    if (target > pool.maxConcurrency) pool.maxConcurrency = target;
    pool.minConcurrency = target;
    pool.desiredConcurrency = target;
    pool.maxConcurrency = target;
    if (paused) pool.resume();
    paused = false;
  };
}
