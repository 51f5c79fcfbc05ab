/** The processes of a service: its workers, and one that is kept for short solves where the configuration asks for it. */
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

/** Starts the processes; they load while the service itself does. */
export function startPools(options: PoolsOptions): Pools {
  const workers = new Pool(options);
  if (!options.quickWorker) return { workers, quick: null };
  return { workers, quick: new Pool({ ...options, workers: 1, queueLimit: quickQueue }, workers.firstStarted) };
}
