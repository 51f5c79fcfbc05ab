/**
 * How long processes stood ready to run without a processor, because the machine had other work: Linux keeps the sum of
 * every thread. What was late by no more than that is not judged: it is tried again (judgement.ts).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { clockMs } from './clock.ts';

/** Milliseconds since each process began, of all its threads. */
interface RunDelay {
  /** Of the process that asks. */
  readonly asking: number;
  readonly service: number;
  readonly workers: ReadonlyMap<string, number>;
}

/** Whose time is taken. */
export interface Watched {
  /** The service; its workers are found by it. */
  readonly pid: number;
  /** For how long since a moment of `clockMs` the host of this machine held a processor, where that can be told. */
  hostPauseMs?(since: number): number;
}

/** The delay of a process, its main thread's and those for which it may wait; 0 where the system does not say. */
function delayOf(process: number | string): number {
  try {
    const threads = readdirSync(`/proc/${process}/task`);
    const delay = (thread: string): number =>
      Number(readFileSync(`/proc/${process}/task/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
    return threads.reduce((total, thread) => total + delay(thread), 0);
  } catch {
    // Not Linux, or it has ended.
    return 0;
  }
}

function runDelay(service: number): RunDelay {
  const workers = new Map(descendants(service).map((worker) => [worker, delayOf(worker)]));
  return { asking: delayOf('self'), service: delayOf(service), workers };
}

/** The processes that a process has started, and those that these have. */
export function descendants(process: number | string): string[] {
  try {
    const text = readFileSync(`/proc/${process}/task/${process}/children`, 'utf8');
    return (text.match(/\d+/g) ?? []).flatMap((child) => [child, ...descendants(child)]);
  } catch {
    // Not Linux, or the process has ended.
    return [];
  }
}

/**
 * How much of the time between two moments a request may have stood still for want of a processor. It counts who asked,
 * the service, and the worker that waited longest.
 */
function delayBetween(before: RunDelay, after: RunDelay): number {
  const ofWorkers = [...after.workers].map(([worker, delay]) => delay - (before.workers.get(worker) ?? 0));
  return after.asking - before.asking + (after.service - before.service) + Math.max(0, ...ofWorkers);
}

/** A stopwatch that also shows how much of its time the machine may have taken. */
export class Stopwatch {
  readonly #watched: Watched;
  readonly #delay: RunDelay;
  readonly #since = clockMs();

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#delay = runDelay(watched.pid);
  }

  elapsedMs(): number {
    return clockMs() - this.#since;
  }

  starvedMs(): number {
    const delay = delayBetween(this.#delay, runDelay(this.#watched.pid));
    return Math.max(0, delay, this.#watched.hostPauseMs?.(this.#since) ?? 0);
  }
}

const looksEveryMs = 500;

/** Calls `over` after so many milliseconds, not counting those that the machine may have taken. */
export class Patience {
  readonly #watched: Watched;
  readonly #timer: NodeJS.Timeout;
  #watch: Stopwatch;

  constructor(watched: Watched, ms: number, over: () => void) {
    this.#watched = watched;
    this.#watch = new Stopwatch(watched);
    this.#timer = setInterval(() => {
      if (this.#watch.elapsedMs() > ms && this.#watch.elapsedMs() - this.#watch.starvedMs() > ms) over();
    }, looksEveryMs);
  }

  /** Begins anew. */
  restart(): void {
    this.#watch = new Stopwatch(this.#watched);
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
