/**
 * Worker processes, one task each at a time.
 *
 * Processes, not threads: a thread that allocates too much ends the whole process. One more process than tasks may run
 * stands ready, so that a task whose worker had to be ended does not keep the next one waiting for a start. The time
 * limit counts from when a worker takes the task; waiting has a bound of its own, past which a task is refused as busy.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { type Problem, problem } from '../schemas/contract/problem.ts';
import type { Progress } from '../solvers/budget.ts';
import { maxPieceMs, nextPieceBytes } from './body-pieces.ts';
import { now } from './clock.ts';
import { type Refusal, type RunFigures, refuse, timeLimitProblem } from './pipeline.ts';
import type { PieceMessage, Task, TaskResult, WorkerMessage } from './worker.ts';

interface PoolOptions {
  /** Module that a worker process runs. */
  readonly workerFile: URL;
  /** Tasks that run at a time. */
  readonly workers: number;
  /** Heap limit of a worker, MiB. */
  readonly workerMemoryMb: number;
  /** Tasks that may wait for a worker, and how long each may, ms. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
}

/** Result of a task; `left` means that its caller disconnected. */
export type PoolResult = TaskResult | { readonly kind: 'left'; readonly facts: RunFigures };

/** The parts of a task that stay in the service's process. */
interface TaskExtras {
  /** Aborted when the caller disconnects; the task is then ended. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The time limit, where it is known before a worker has read the request. */
  readonly timeLimitMs?: number | undefined;
  /** The body of a crawl log. */
  readonly pieces?: AsyncGenerator<Uint8Array | Refusal, undefined> | undefined;
}

/** A solver past its limit may take this long, and a tenth of the limit, to return and write its incumbent. */
const graceMs = 1000;
/** Pause, ms, before a worker that ended before it was ready is started again; each further pause is twice as long. */
const [firstPauseMs, longestPauseMs] = [100, 5000];

interface Job extends Omit<TaskExtras, 'timeLimitMs'> {
  readonly task: Omit<Task, 'queueMs'>;
  readonly finish: (result: PoolResult) => void;
  readonly queuedAt: number;
  /** Ends the job when it has waited, or run, for too long. */
  timer: NodeJS.Timeout | undefined;
  /** How long the job waited for a worker, ms; undefined while it waits. */
  queueMs: number | undefined;
  /** When the job's time limit began: as a worker took the job, or at the end of its crawl log. */
  startedAt: number;
  /** How many bytes of the body were passed to the worker. */
  sentBytes: number;
  /** Undefined until the worker has read the time limit from the request. */
  timeLimitMs: number | undefined;
}

interface Worker {
  readonly child: ChildProcess;
  isReady: boolean;
  job: Job | null;
}

export class Pool {
  readonly #options: PoolOptions;
  readonly #workers = new Set<Worker>();
  readonly #queue: Job[] = [];
  #failedStarts = 0;
  #isClosed = false;
  /** Workers that ended by themselves: crashed, out of memory, or killed from outside. */
  lostWorkers = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    for (let k = 0; k <= options.workers; k++) this.#start();
  }

  /** Number of tasks that run. */
  get running(): number {
    return [...this.#workers].filter(({ job }) => job !== null).length;
  }

  /** Number of tasks that wait for a worker. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Number of tasks that were accepted and have not ended. */
  get inFlight(): number {
    return this.running + this.waiting;
  }

  /** Whether a worker has started. */
  get isReady(): boolean {
    return [...this.#workers].some((worker) => worker.isReady);
  }

  get hasRoom(): boolean {
    return this.inFlight < this.#options.workers + this.#options.queueLimit;
  }

  /** Runs a task; never rejects. */
  async run(task: Omit<Task, 'queueMs'>, { signal, onProgress, timeLimitMs, pieces }: TaskExtras): Promise<PoolResult> {
    const { value: firstPiece = task.body } = (await pieces?.next()) ?? {};
    if ('kind' in firstPiece) return firstPiece;
    return new Promise((resolve) => {
      const onAbort = (): void => this.#endTask(job, { kind: 'left', facts: factsOf(job) });
      const finish = (result: PoolResult): void => {
        clearTimeout(job.timer);
        signal.removeEventListener('abort', onAbort);
        void pieces?.return(undefined);
        resolve(result);
      };
      const job: Job = {
        ...{ task: { ...task, body: firstPiece }, signal, onProgress, pieces, finish, queuedAt: now() },
        ...{ timer: undefined, queueMs: undefined, startedAt: 0, sentBytes: 0, timeLimitMs },
      };
      if (signal.aborted) return onAbort();
      if (this.#isClosed) return finish(this.#refusal(job, 'draining', 'the service is shutting down'));
      signal.addEventListener('abort', onAbort, { once: true });
      // Tasks that only wait for a worker to restart do not count against the queue limit.
      const { hasRoom } = this;
      this.#queue.push(job);
      this.#startNext();
      if (job.queueMs !== undefined) return;
      const { queueLimit, queueTimeoutMs } = this.#options;
      const refuse = (why: string): void => this.#endTask(job, this.#refusal(job, 'busy', why));
      if (!hasRoom) refuse(`all workers are busy and ${queueLimit} requests wait already`);
      else job.timer = setTimeout(() => refuse(`all workers were busy for ${queueTimeoutMs} ms`), queueTimeoutMs);
    });
  }

  /** Ends the workers at once; what still runs or waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#queue.splice(0)) job.finish(this.#refusal(job, 'draining', 'the service has shut down'));
    const ends = [...this.#workers].map(({ child }) => new Promise((resolve) => child.once('exit', resolve)));
    for (const worker of this.#workers) worker.child.kill('SIGKILL');
    await Promise.all(ends);
  }

  #start(): void {
    if (this.#isClosed) return;
    const execArgv = [...process.execArgv, `--max-old-space-size=${this.#options.workerMemoryMb}`];
    // No standard input, and no share in the service's output, which is its log.
    const stdio: ('ignore' | 'inherit' | 'ipc')[] = ['ignore', 'ignore', 'inherit', 'ipc'];
    const child = fork(this.#options.workerFile, { serialization: 'advanced', execArgv, stdio });
    const worker: Worker = { child, isReady: false, job: null };
    this.#workers.add(worker);
    child.on('message', (message: WorkerMessage) => this.#onMessage(worker, message));
    child.on('error', () => {});
    child.once('exit', (code, signal) => this.#onExit(worker, signal ?? `code ${code}`));
  }

  #onMessage(worker: Worker, message: WorkerMessage): void {
    const { job } = worker;
    if (message.kind === 'ready') {
      worker.isReady = true;
      this.#failedStarts = 0;
      this.#startNext();
    } else if (job === null) return;
    else if (message.kind === 'next-piece') void this.#sendPiece(worker, job);
    else if (message.kind === 'progress') job.onProgress?.(message.progress);
    else if (message.kind === 'time-limit') {
      job.timeLimitMs = message.timeLimitMs;
      this.#setTimer(job);
    } else {
      worker.job = null;
      job.finish(message.result);
      this.#startNext();
    }
  }

  #startNext(): void {
    while (this.#queue.length > 0 && this.running < this.#options.workers) {
      const worker = [...this.#workers].find(({ isReady, job, child }) => isReady && job === null && child.connected);
      const job = worker && this.#queue.shift();
      if (worker === undefined || job === undefined) return;
      worker.job = job;
      job.queueMs = now() - job.queuedAt;
      this.#send(worker, job, { ...job.task, queueMs: job.queueMs });
    }
  }

  /** Sends the next piece of a crawl log to its worker; the task of a sender that takes too long is ended. */
  async #sendPiece(worker: Worker, job: Job): Promise<void> {
    clearTimeout(job.timer);
    job.timer = setTimeout(() => {
      const pace = `its next ${nextPieceBytes} bytes, or its end, took longer than ${maxPieceMs} ms`;
      const detail = `after ${job.sentBytes} bytes of the crawl log ${pace}; send it faster, or packed as gzip`;
      this.#endTask(job, refuse(problem('too-slow', detail), factsOf(job)));
    }, maxPieceMs);
    const { value: piece = null } = (await job.pieces?.next()) ?? {};
    if (worker.job !== job) return;
    if (piece !== null && 'kind' in piece) this.#endTask(job, piece);
    else this.#send(worker, job, { piece });
  }

  #send(worker: Worker, job: Job, message: Task | PieceMessage): void {
    job.startedAt = now();
    job.sentBytes += ('piece' in message ? message.piece : message.body)?.length ?? 0;
    this.#setTimer(job);
    worker.child.send(message, () => {
      // A send to a worker that has ended fails; its exit event handles the job.
    });
  }

  /** Sets the timer that ends a task which runs past its time limit and the grace. */
  #setTimer(job: Job): void {
    const { maxTimeLimitMs } = job.task.limits;
    const { timeLimitMs = maxTimeLimitMs } = job;
    clearTimeout(job.timer);
    const end = (): void => {
      const usage = { timeLimitMs, maxTimeLimitMs, usedMs: now() - job.startedAt };
      this.#endTask(job, refuse(timeLimitProblem({ ...usage, reason: 'it had no answer yet' }), factsOf(job)));
    };
    job.timer = setTimeout(end, Math.max(0, job.startedAt + 1.1 * timeLimitMs + graceMs - now()));
  }

  /** Ends a waiting task, or a running one together with its worker, which is replaced by another. */
  #endTask(job: Job, result: PoolResult): void {
    const worker = [...this.#workers].find((each) => each.job === job);
    if (worker !== undefined) {
      this.#workers.delete(worker);
      worker.job = null;
      worker.child.kill('SIGKILL');
      this.#start();
    } else if (this.#queue.includes(job)) this.#queue.splice(this.#queue.indexOf(job), 1);
    job.finish(result);
    this.#startNext();
  }

  /** Handles the exit of a worker that ended by itself, or with the pool. */
  #onExit(worker: Worker, how: string): void {
    if (!this.#workers.delete(worker)) return;
    const { job } = worker;
    if (this.#isClosed) {
      job?.finish(this.#refusal(job, 'draining', 'the service has shut down'));
      return;
    }
    this.lostWorkers++;
    const pauseMs = worker.isReady ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failedStarts++);
    setTimeout(() => this.#start(), pauseMs).unref();
    job?.finish({ ...refuse(this.#lostProblem(job, how), factsOf(job)), failure: `worker ended: ${how}` });
    this.#startNext();
  }

  /** The problem of a job whose worker ended by itself; V8 aborts a process whose heap is full. */
  #lostProblem({ timeLimitMs }: Job, how: string): Problem {
    const isOutOfMemory = how === 'SIGABRT' || how === 'code 134';
    if (!isOutOfMemory)
      return problem('worker-failed', `the worker that ran this request ended before it had an answer (${how})`);
    const memory = `more memory than a worker has (${this.#options.workerMemoryMb} MiB)`;
    if (timeLimitMs !== undefined)
      return problem('worker-failed', `this request took ${memory}; make the problem smaller`);
    const detail = `reading the body took ${memory}; send fewer rows, or a list as the columns of an Arrow stream`;
    return problem('too-large', detail);
  }

  #refusal(job: Job, kind: 'busy' | 'draining', why: string): Refusal {
    const retryAfterSeconds = 1 + Math.ceil(this.#queue.length / this.#options.workers);
    const advice = kind === 'busy' ? 'try again in a while' : 'try another instance';
    return refuse(problem(kind, `${why}; ${advice}`, { retryAfterSeconds }), factsOf(job));
  }
}

const factsOf = ({ queueMs, queuedAt }: Job): RunFigures => ({ queueMs: queueMs ?? now() - queuedAt });
