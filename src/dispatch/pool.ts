/**
 * The workers: a fixed number of processes, one task a process, a bounded queue before them. A process that is lost
 * fails its own task and is replaced at once. The pool ends one whose task neither finishes nor stops when it must. An
 * idle one that holds much memory is replaced by a fresh one.
 */
import { availableParallelism } from 'node:os';
import type { Awaited } from './arriving/incoming.ts';
import { now } from './clock.ts';
import type { Signal } from './wire/signals.ts';
import { WorkerProcess, type WorkerProcessOptions } from './worker-process.ts';
import type { WorkerResult, WorkerTask } from './worker-task.ts';

export interface PoolOptions extends WorkerProcessOptions {
  readonly workers: number;
  readonly queueLimit: number;
}

/** Why a task has no result. */
export class PoolFailure extends Error {
  override readonly name = 'PoolFailure';
  readonly reason: 'busy' | 'time-limit' | 'cancelled' | 'worker-failed' | 'closed';
  /** The limit that was reached, where it is known. */
  readonly timeLimitMs: number | undefined;

  constructor(reason: PoolFailure['reason'], message: string, timeLimitMs?: number) {
    super(message);
    this.reason = reason;
    this.timeLimitMs = timeLimitMs;
  }
}

/** A task and all that goes with it. */
export interface PoolTask {
  readonly task: WorkerTask;
  readonly body: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  /** Aborted when the caller wants the best found so far, and waits for it. */
  readonly stop?: AbortSignal;
  /** When the task is given up, from its time limit; `undefined` while the limit is not known. */
  readonly latestEnd: (timeLimitMs: number | undefined) => number;
  /** Searches the body for its time limit, where it waits or its worker does not say it, until the task is over. */
  readonly readLimit?: (isOver: () => boolean) => Promise<number>;
  readonly onProgress?: (progress: Extract<Signal, { kind: 'progress' }>['progress']) => void;
}

/** A cancelled solve may take this long to notice before its worker is ended. */
const cancelGraceMs = 40;
/** A worker that has not said a limit by then may have no processor to say it with; no task is given up before. */
const unheardMs = 500;
const houseKeepingEveryMs = 2000;
/** From this limit of its heap on a worker has room for threads beside its own, each of which takes some 50 MB. */
const threadsFromHeapMb = 1024;
/** An idle worker that holds more is replaced, so that its memory goes back. */
const heldBytes = 384 * 2 ** 20;
const heldForMs = 4000;
/** A worker that ended before it had started is started again after this, so that a broken one does not spin. */
const restartAfterMs = 500;
/** The longest delay a timer takes. */
const longestDelayMs = 2 ** 31 - 1;

export class Pool {
  readonly #options: PoolOptions;
  readonly #workers = new Set<WorkerProcess>();
  readonly #waiting = new Set<Job>();
  readonly #jobs = new Set<Job>();
  readonly #houseKeeping: NodeJS.Timeout;
  /** Asked once: the answer reads files, and every part of a body that arrives wants it. */
  readonly #processors = availableParallelism();
  /** When a worker can take tasks for the first time. */
  readonly firstStarted: Promise<void>;
  #tellStarted = (): void => {};
  #lost = 0;
  #closed = false;

  /**
   * Starts one process, and the others once it can take tasks. All at once would take each other's processor time while
   * the service waits for the first.
   *
   * @param after when the first may start, and when the others
   */
  constructor(options: PoolOptions, after: { readonly first?: Promise<void>; readonly others?: Promise<void> } = {}) {
    this.#options = options;
    this.firstStarted = new Promise((resolve) => {
      this.#tellStarted = resolve;
    });
    Promise.resolve(after.first).then(() => this.#start());
    Promise.all([this.firstStarted, after.others]).then(() => {
      for (let i = 1; i < options.workers; i++) this.#start();
    });
    this.#houseKeeping = setInterval(() => this.#giveMemoryBack(), houseKeepingEveryMs);
    this.#houseKeeping.unref();
  }

  /** Tasks accepted, of which the worker is not free yet. */
  get inFlight(): number {
    return this.#jobs.size;
  }

  /** Tasks accepted and waiting for a worker. */
  get queueDepth(): number {
    return this.#waiting.size;
  }

  /** Processes that ended without being asked to. */
  get lost(): number {
    return this.#lost;
  }

  /** Whether a task would start at once. */
  get hasFreeWorker(): boolean {
    return this.#waiting.size === 0 && [...this.#workers].some(({ busy }) => !busy);
  }

  /** Whether any worker has started: none has just after the service itself has. */
  get started(): boolean {
    return [...this.#workers].some(({ started }) => started);
  }

  get hasRoom(): boolean {
    return !this.#closed && this.#jobs.size < this.#options.workers + this.#options.queueLimit;
  }

  /**
   * Runs a task in a worker.
   *
   * @throws PoolFailure
   */
  async run(task: PoolTask): Promise<WorkerResult> {
    if (this.#closed) throw new PoolFailure('closed', 'the service is shutting down');
    if (!this.hasRoom) throw new PoolFailure('busy', `all ${this.#options.workers} workers and the queue are taken`);
    const job = new Job(task, () => {
      this.#jobs.delete(job);
      this.#waiting.delete(job);
      this.#assign();
    });
    this.#jobs.add(job);
    this.#waiting.add(job);
    this.#assign();
    if (this.#waiting.has(job)) job.readLimit();
    return job.result;
  }

  /**
   * Sends what has come of a body to a worker that has nothing to do, which reads it meanwhile. No worker is taken by
   * that: it gets other tasks as before, and then forgets it.
   */
  sendAhead(body: Uint8Array, available: number, awaited: Awaited): boolean {
    if (this.#waiting.size > 0) return false;
    const free = [...this.#workers].filter(({ busy }) => !busy);
    const worker = free.find((each) => each.holds(body)) ?? free.find((each) => !each.holds());
    return worker?.sendAhead(body, available, awaited, this.#spare()) ?? false;
  }

  /** No task will be made of a body, or it has been. */
  forget(body: Uint8Array): void {
    for (const worker of this.#workers) if (worker.holds(body)) worker.forget();
  }

  /** Ends the workers at once; what still runs fails with reason `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#houseKeeping);
    for (const job of this.#jobs) job.fail(new PoolFailure('closed', 'the service is shutting down'));
    const ends = [...this.#workers].map((worker) => worker.ended());
    for (const worker of this.#workers) worker.kill();
    await Promise.all(ends);
  }

  #start(): void {
    if (this.#closed) return;
    this.#workers.add(
      new WorkerProcess(
        this.#options,
        () => {
          this.#tellStarted();
          this.#assign();
        },
        (ended) => this.#ended(ended),
      ),
    );
  }

  #ended(worker: WorkerProcess): void {
    const known = this.#workers.delete(worker);
    if (this.#closed || !known) return;
    if (!worker.told) this.#lost++;
    if (worker.started) {
      this.#start();
      return;
    }
    // It cannot start: whoever waits longest learns why, and the others at the next tries.
    const [job] = this.#waiting;
    job?.fail(new PoolFailure('worker-failed', 'a worker ended before it had started'));
    setTimeout(() => this.#start(), restartAfterMs).unref();
  }

  #assign(): void {
    if (this.#waiting.size === 0) return;
    const free = [...this.#workers].filter(({ busy }) => !busy);
    for (const job of this.#waiting) {
      const holds = free.findIndex((worker) => worker.holds(job.body));
      const at = holds < 0 ? free.findIndex((worker) => !worker.holds()) : holds;
      const [worker] = free.splice(Math.max(0, at), 1);
      if (worker === undefined) return;
      this.#waiting.delete(job);
      job.runIn(worker, this.#spare());
    }
  }

  /** Processors that stay free when one more worker is at work; none where a worker has no memory for other threads. */
  #spare(): number {
    if (this.#options.workerMemoryMb < threadsFromHeapMb) return 0;
    let busy = 1;
    for (const worker of this.#workers) if (worker.busy) busy++;
    return Math.max(0, this.#processors - busy);
  }

  #giveMemoryBack(): void {
    const at = now();
    for (const worker of this.#workers) {
      if (worker.busy || worker.residentBytes < heldBytes || at - worker.idleSince < heldForMs) continue;
      this.#workers.delete(worker);
      worker.kill();
      this.#start();
    }
  }
}

/** A task on its way: waiting, running, ended by its result, its caller or the clock. */
class Job {
  readonly result: Promise<WorkerResult>;
  readonly #task: PoolTask;
  readonly #onOver: () => void;
  #resolve = (_: WorkerResult): void => {};
  #reject = (_: PoolFailure): void => {};
  readonly #onAbort = (): void => this.#cancel();
  readonly #onStop = (): void => this.#worker?.cancel(this.#id);
  #timer: NodeJS.Timeout | undefined;
  #unheard: NodeJS.Timeout | undefined;
  #worker: WorkerProcess | null = null;
  #id = 0;
  /** Whether the worker has said the limit. */
  #heard = false;
  #over = false;
  #timeLimitMs: number | undefined;

  /**
   * @param onOver told when it takes no worker and no place any more, which is after its result where a worker is ended
   */
  constructor(task: PoolTask, onOver: () => void) {
    this.#task = task;
    this.#onOver = onOver;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    task.signal.addEventListener('abort', this.#onAbort, { once: true });
    task.stop?.addEventListener('abort', this.#onStop, { once: true });
    this.#giveUpAt(task.latestEnd(undefined));
    this.#unheard = setTimeout(() => this.readLimit(), unheardMs);
  }

  get body(): Uint8Array {
    return this.#task.body;
  }

  /** Searches the body for its limit, which the worker has not said. */
  readLimit(): void {
    clearTimeout(this.#unheard);
    this.#task
      .readLimit?.(() => this.#over || this.#heard)
      .then((timeLimitMs) => {
        if (!this.#over && !this.#heard) this.#limited(timeLimitMs);
      });
  }

  /** @param spare processors that nobody else uses */
  runIn(worker: WorkerProcess, spare: number): void {
    const { task, body, arrivedAt } = this.#task;
    this.#worker = worker;
    this.#id = worker.run({
      task,
      body,
      arrivedAt,
      spare,
      onSignal: (signal) => this.#signalled(signal),
      onResult: (result) => {
        this.#settle();
        this.#resolve(result);
        this.#onOver();
      },
      onLost: (reason) => {
        this.#settle();
        this.#reject(new PoolFailure('worker-failed', reason));
        this.#onOver();
      },
    });
    if (this.#task.stop?.aborted) this.#onStop();
  }

  /** Ends the task, and the worker that runs it; the caller does not wait for the worker's end. */
  fail(failure: PoolFailure): void {
    this.#settle();
    this.#reject(failure);
    if (this.#worker === null) this.#onOver();
    else this.#worker.kill();
  }

  #settle(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#unheard);
    this.#task.signal.removeEventListener('abort', this.#onAbort);
    this.#task.stop?.removeEventListener('abort', this.#onStop);
  }

  #cancel(): void {
    const failure = new PoolFailure('cancelled', 'the caller left');
    if (this.#worker === null) {
      this.fail(failure);
      return;
    }
    this.#worker.cancel(this.#id);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.fail(failure), cancelGraceMs);
  }

  #signalled(signal: Signal): void {
    if (signal.kind === 'progress') this.#task.onProgress?.(signal.progress);
    else if (signal.kind === 'time-limit') {
      this.#heard = true;
      clearTimeout(this.#unheard);
      this.#limited(signal.timeLimitMs);
    }
  }

  #limited(timeLimitMs: number): void {
    this.#timeLimitMs = timeLimitMs;
    if (!this.#task.signal.aborted) this.#giveUpAt(this.#task.latestEnd(timeLimitMs));
  }

  #giveUpAt(epochMs: number): void {
    clearTimeout(this.#timer);
    const delay = Math.min(longestDelayMs, Math.max(0, epochMs - now()));
    const giveUp = () => this.fail(new PoolFailure('time-limit', 'the time limit was reached', this.#timeLimitMs));
    this.#timer = setTimeout(giveUp, delay);
  }
}
