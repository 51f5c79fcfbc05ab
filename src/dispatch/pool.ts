/**
 * The workers: a piscina pool of fixed size, one task a worker, a bounded queue before it, and a watchdog that ends
 * the worker of a task which neither finishes nor stops when it must.
 */
import { Piscina } from 'piscina';
import { now } from './clock.ts';
import type { Control } from './control.ts';
import type { WorkerResult, WorkerTask } from './worker-task.ts';

export interface PoolOptions {
  /** Module with the worker's default export. */
  readonly workerFile: URL;
  readonly workers: number;
  readonly workerMemoryMb: number;
  readonly queueLimit: number;
}

/** Why a task has no result. */
export class PoolFailure extends Error {
  override readonly name = 'PoolFailure';
  readonly reason: 'busy' | 'time-limit' | 'cancelled' | 'worker-failed' | 'closed';

  constructor(reason: PoolFailure['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Running {
  readonly control: Control;
  readonly latestEnd: number;
  readonly abort: AbortController;
  readonly onProgress: (() => void) | undefined;
  cancelledAt: number;
  seen: number;
}

const watchEveryMs = 20;
/** A cancelled solve may take this long to notice before its worker is ended. */
const cancelGraceMs = 40;

export class Pool {
  readonly #piscina: Piscina<WorkerTask, WorkerResult>;
  readonly #running = new Set<Running>();
  readonly #capacity: number;
  readonly #workers: number;
  readonly #watchdog: NodeJS.Timeout;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#piscina = new Piscina({
      filename: options.workerFile.href,
      minThreads: options.workers,
      maxThreads: options.workers,
      concurrentTasksPerWorker: 1,
      // A small young generation keeps one collection from promoting more than the leeway Node leaves a full worker.
      resourceLimits: { maxOldGenerationSizeMb: options.workerMemoryMb, maxYoungGenerationSizeMb: 48 },
      maxQueue: Number.POSITIVE_INFINITY,
    });
    // A worker that dies while idle is replaced by piscina; its error has no request to go to.
    this.#piscina.on('error', () => {});
    this.#capacity = options.workers + options.queueLimit;
    this.#workers = options.workers;
    this.#watchdog = setInterval(() => this.#watch(), watchEveryMs);
    this.#watchdog.unref();
  }

  /** Tasks accepted and not yet finished. */
  get inFlight(): number {
    return this.#running.size;
  }

  /** Tasks accepted and waiting for a worker. */
  get queueDepth(): number {
    return Math.max(0, this.#running.size - this.#workers);
  }

  get hasRoom(): boolean {
    return !this.#closed && this.#running.size < this.#capacity;
  }

  /**
   * Runs a task in a worker; its bytes are transferred and gone from here.
   *
   * @param latestEnd milliseconds since the epoch at which it is given up while its own time limit is not known
   * @throws PoolFailure
   */
  async run(task: WorkerTask, control: Control, latestEnd: number, onProgress?: () => void): Promise<WorkerResult> {
    if (this.#closed) throw new PoolFailure('closed', 'the service is shutting down');
    if (!this.hasRoom) throw new PoolFailure('busy', `all ${this.#workers} workers and the queue are taken`);
    const running: Running = { control, latestEnd, abort: new AbortController(), onProgress, cancelledAt: 0, seen: 0 };
    this.#running.add(running);
    try {
      const { buffer } = task.body;
      const transferList = buffer instanceof ArrayBuffer ? [buffer] : [];
      return await this.#piscina.run(task, { transferList, signal: running.abort.signal });
    } catch (error) {
      if (running.abort.signal.aborted) {
        if (control.cancelled) throw new PoolFailure('cancelled', 'the caller left');
        throw new PoolFailure(this.#closed ? 'closed' : 'time-limit', 'the time limit was reached');
      }
      throw new PoolFailure('worker-failed', error instanceof Error ? error.message : String(error));
    } finally {
      this.#running.delete(running);
    }
  }

  /** Ends the workers at once; what still runs fails with reason `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watchdog);
    for (const { abort } of this.#running) abort.abort();
    await this.#piscina.destroy();
  }

  #watch(): void {
    const at = now();
    for (const running of this.#running) {
      const { control, abort } = running;
      if (control.publications !== running.seen) {
        running.seen = control.publications;
        running.onProgress?.();
      }
      if (control.cancelled) {
        if (running.cancelledAt === 0) running.cancelledAt = at;
        if (at - running.cancelledAt >= cancelGraceMs) abort.abort();
      } else if (at > (control.givenUpAt || running.latestEnd)) {
        abort.abort();
      }
    }
  }
}
