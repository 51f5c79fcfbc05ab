/**
 * The processes of a service: its workers, and one that is kept for short solves where the configuration asks for it.
 */
import { Pool, type PoolOptions } from './pool.ts';

export interface PoolsOptions extends PoolOptions {
  /** Whether a process is kept for short solves. */
  readonly quickWorker: boolean;
}

export interface Pools {
  readonly workers: Pool;
  readonly quick: Pool | null;
}

/** How many short solves may wait for their process. */
const quickQueue = 16;

/**
 * Starts the processes; the first loads while the service itself does.
 *
 * @param ready when the service needs no more processor time to start: the other processes wait for that
 */
export function startPools(options: PoolsOptions, ready: Promise<void> = Promise.resolve()): Pools {
  const workers = new Pool(options, { others: ready });
  if (!options.quickWorker) return { workers, quick: null };
  const first = Promise.all([workers.firstStarted, ready]).then(() => {});
  return { workers, quick: new Pool({ ...options, workers: 1, queueLimit: quickQueue }, { first }) };
}
