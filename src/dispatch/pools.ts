/**
 * The processes of a service: its workers, and one that is kept for short solves where the configuration asks for it.
 */
import { Pool, type PoolOptions } from './pool.ts';
import { Nursery } from './start/nursery.ts';
import { startHere } from './start/start.ts';
import { Places } from './wire/places.ts';

export interface PoolsOptions extends Omit<PoolOptions, 'starter' | 'places'> {
  /** Module of the process that starts workers; left out, the service starts them itself. */
  readonly nurseryFile?: URL;
  /** Whether a process is kept for short solves. */
  readonly quickWorker: boolean;
}

export interface Pools {
  readonly workers: Pool;
  readonly quick: Pool | null;
  /** Of their answers. */
  readonly places: Places;
  /** Ends the processes at once; what still runs fails with reason `closed`. */
  close(): Promise<void>;
}

/** How many short solves may wait for their process. */
const quickQueue = 16;

/**
 * Starts the processes; the first loads while the service itself does.
 *
 * @param ready when the service needs no more processor time to start: the other processes wait for that
 */
export function startPools(options: PoolsOptions, ready: Promise<void> = Promise.resolve()): Pools {
  // The first worker is started here: the service is small still, and would wait for the nursery's own start.
  const nursery = options.nurseryFile === undefined ? null : new Nursery(options.nurseryFile);
  const opened = ready.then(() => nursery?.open());
  const starter = nursery ?? startHere;
  const places = new Places();
  const workers = new Pool({ ...options, starter, places }, { others: opened });
  const first = Promise.all([workers.firstStarted, opened]).then(() => {});
  const short = { ...options, starter, places, workers: 1, queueLimit: quickQueue };
  const quick = options.quickWorker ? new Pool(short, { first }) : null;
  return {
    workers,
    quick,
    places,
    close: async () => {
      await Promise.all([workers.close(), quick?.close()]);
      nursery?.close();
    },
  };
}
