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
import { type Refusal, type RunFacts, refuse } from './pipeline.ts';
import type { PieceMessage, Task, TaskResult, WorkerMessage } from './task.ts';
import { overdueProblem } from './time-limit.ts';

interface PoolOptions {
  /** Module that a worker process runs. */
  readonly workerFile: URL;
  /** Tasks that run at a time. */
  readonly workers: number;
  /** Heap limit of a worker. */
  readonly workerMemoryMb: number;
  /** Tasks that may wait, and how long. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
}

/** Result of a task; `left` means that its caller disconnected. */
export type PoolResult = TaskResult | { readonly kind: 'left'; readonly facts: RunFacts };

/** Progress callback, abort signal and time limit of a task. */
interface JobListener {
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
/** A worker that ends before it has started is started again after this long, then twice as long, up to the longest. */
const [firstPauseMs, longestPauseMs] = [100, 5000];

interface Job extends Omit<JobListener, 'timeLimitMs'> {
  readonly task: Omit<Task, 'queueMs'>;
  readonly queuedAt: number;
  readonly finish: (result: PoolResult) => void;
  timer: NodeJS.Timeout | undefined;
  /** How long it waited; null while it waits. */
  queueMs: number | null;
  /** When its time limit began: as a worker took it, or the end of its log. */
  startedAt: number;
  /** Null until the worker has read it from the request. */
  timeLimitMs: number | null;
  /** Bytes of the body that the worker has. */
  sentBytes: number;
  /** Whether the worker has parsed the request. */
  isRead: boolean;
  /** Share of the solve in its last progress event. */
  fraction: number | undefined;
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

  /** Tasks that run. */
  get running(): number {
    return [...this.#workers].filter(({ job }) => job !== null).length;
  }

  /** Tasks that wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Tasks that were accepted and have not ended. */
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
  async run(task: Omit<Task, 'queueMs'>, listener: JobListener): Promise<PoolResult> {
    const { signal, onProgress, timeLimitMs, pieces } = listener;
    const { value: body = task.body } = (await pieces?.next()) ?? {};
    return new Promise((resolve) => {
      if (signal.aborted) return resolve({ kind: 'left', facts: {} });
      if ('kind' in body) return resolve(body);
      if (this.#isClosed) return resolve(this.#refusedUnrun('draining', 'the service is shutting down', 0));
      const onAbort = (): void => this.#abort(job);
      const finish = (result: PoolResult): void => {
        clearTimeout(job.timer);
        signal.removeEventListener('abort', onAbort);
        void pieces?.return(undefined);
        resolve(result);
      };
      const job: Job = {
        ...{ task: { ...task, body }, signal, onProgress, pieces, finish, timeLimitMs: timeLimitMs ?? null },
        ...{ queuedAt: now(), queueMs: null, startedAt: 0, sentBytes: body.length, timer: undefined },
        ...{ isRead: false, fraction: undefined },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(job);
      this.#startNext();
      const { workers, queueLimit, queueTimeoutMs } = this.#options;
      if (job.startedAt > 0) return;
      // Tasks that only wait for a worker to restart do not count against the queue limit.
      if (this.inFlight > workers + queueLimit) {
        this.#queue.pop();
        finish(this.#refusedUnrun('busy', `all workers are busy and ${queueLimit} requests wait already`, 0));
      } else job.timer = setTimeout(() => this.#waitedTooLong(job), queueTimeoutMs);
    });
  }

  /** Ends the workers at once; what still runs or waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#queue.splice(0)) job.finish(this.#refusedUnrun('draining', 'the service has shut down', 0));
    const ends = [...this.#workers].map(({ child }) => new Promise((resolve) => child.once('exit', resolve)));
    for (const worker of this.#workers) worker.child.kill('SIGKILL');
    await Promise.all(ends);
  }

  #start(): void {
    const execArgv = [...process.execArgv, `--max-old-space-size=${this.#options.workerMemoryMb}`];
    // No standard input, and no share in the service's output, which is its log.
    const stdio: ('ignore' | 'inherit' | 'ipc')[] = ['ignore', 'ignore', 'inherit', 'ipc'];
    const child = fork(this.#options.workerFile, { serialization: 'advanced', execArgv, stdio });
    const worker: Worker = { child, isReady: false, job: null };
    this.#workers.add(worker);
    child.on('message', (message: WorkerMessage) => this.#hear(worker, message));
    child.on('error', () => {});
    child.once('exit', (code, signal) => this.#ended(worker, signal ?? `code ${code}`));
  }

  #hear(worker: Worker, message: WorkerMessage): void {
    if (message.kind === 'ready') {
      worker.isReady = true;
      this.#failedStarts = 0;
      this.#startNext();
      return;
    }
    const { job } = worker;
    if (job === null) return;
    if (message.kind === 'next-piece') void this.#sendPiece(worker, job);
    else if (message.kind === 'time-limit') {
      job.timeLimitMs = message.timeLimitMs;
      job.isRead = true;
      this.#endAt(worker, job, message.timeLimitMs);
    } else if (message.kind === 'progress') {
      job.fraction = message.progress.fraction;
      job.onProgress?.(message.progress);
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

  /** Sends the next piece of a crawl log; one that takes too long to arrive gives its worker up. */
  async #sendPiece(worker: Worker, job: Job): Promise<void> {
    clearTimeout(job.timer);
    job.timer = setTimeout(() => {
      const pace = `its next ${nextPieceBytes} bytes, or its end, took longer than ${maxPieceMs} ms`;
      const detail = `after ${job.sentBytes} bytes of the crawl log ${pace}; send it faster, or packed as gzip`;
      this.#kill(worker, refuse(problem('too-slow', detail), factsOf(job)));
    }, maxPieceMs);
    const { value: piece = null } = (await job.pieces?.next()) ?? {};
    if (worker.job !== job) return;
    if (piece !== null && 'kind' in piece) this.#kill(worker, piece);
    else {
      job.sentBytes += piece?.length ?? 0;
      this.#send(worker, job, { piece });
    }
  }

  #send(worker: Worker, job: Job, message: Task | PieceMessage): void {
    job.startedAt = now();
    this.#endAt(worker, job, job.timeLimitMs ?? job.task.limits.maxTimeLimitMs);
    worker.child.send(message, () => {
      // A send to a worker that has ended fails; its exit event handles the job.
    });
  }

  /** Ends a worker whose task does not end by itself. */
  #endAt(worker: Worker, job: Job, timeLimitMs: number): void {
    clearTimeout(job.timer);
    const end = (): void => {
      const { maxTimeLimitMs } = job.task.limits;
      const usedMs = now() - job.startedAt;
      this.#kill(worker, refuse(overdueProblem({ timeLimitMs, maxTimeLimitMs, usedMs }, job.fraction), factsOf(job)));
    };
    job.timer = setTimeout(end, Math.max(0, job.startedAt + 1.1 * timeLimitMs + graceMs - now()));
  }

  #abort(job: Job): void {
    const worker = [...this.#workers].find((each) => each.job === job);
    const departure = { kind: 'left', facts: factsOf(job) } as const;
    if (worker !== undefined) this.#kill(worker, departure);
    else {
      this.#queue.splice(this.#queue.indexOf(job), 1);
      job.finish(departure);
    }
  }

  #waitedTooLong(job: Job): void {
    this.#queue.splice(this.#queue.indexOf(job), 1);
    const waitedMs = now() - job.queuedAt;
    job.finish(this.#refusedUnrun('busy', `all workers were busy for ${Math.round(waitedMs)} ms`, waitedMs));
  }

  #kill(worker: Worker, result: PoolResult): void {
    const { job } = worker;
    worker.job = null;
    worker.isReady = false;
    this.#workers.delete(worker);
    worker.child.kill('SIGKILL');
    if (!this.#isClosed) this.#start();
    job?.finish(result);
    this.#startNext();
  }

  #ended(worker: Worker, how: string): void {
    if (!this.#workers.delete(worker) || this.#isClosed) {
      worker.job?.finish(this.#refusedUnrun('draining', 'the service has shut down', 0));
      return;
    }
    this.lostWorkers++;
    if (worker.isReady) this.#start();
    else {
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failedStarts++);
      setTimeout(() => !this.#isClosed && this.#start(), pauseMs).unref();
    }
    const { job } = worker;
    if (job !== null)
      job.finish({ ...refuse(this.#lostProblem(job, how), factsOf(job)), failure: `worker ended: ${how}` });
    this.#startNext();
  }

  /** V8 aborts a process whose heap is full. */
  #lostProblem({ isRead }: Job, how: string): Problem {
    const isOutOfMemory = how === 'SIGABRT' || how === 'code 134';
    if (!isOutOfMemory)
      return problem('worker-failed', `the worker that ran this request ended before it had an answer (${how})`);
    const memory = `more memory than a worker has (${this.#options.workerMemoryMb} MiB)`;
    if (isRead) return problem('worker-failed', `this request took ${memory}; make the problem smaller`);
    const detail = `reading the body took ${memory}; send fewer rows, or a list as the columns of an Arrow stream`;
    return problem('too-large', detail);
  }

  #refusedUnrun(kind: 'busy' | 'draining', why: string, queueMs: number): Refusal {
    const retryAfterSeconds = 1 + Math.ceil(this.#queue.length / this.#options.workers);
    const advice = kind === 'busy' ? 'try again in a while' : 'try another instance';
    return refuse(problem(kind, `${why}; ${advice}`, { retryAfterSeconds }), { queueMs });
  }
}

const factsOf = ({ queueMs, queuedAt }: Job): RunFacts => ({ queueMs: queueMs ?? now() - queuedAt });
