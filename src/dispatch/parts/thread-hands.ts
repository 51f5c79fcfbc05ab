/**
 * Parts done in other threads of the process. The solver's thread never turns to its event loop: what it sends goes out
 * at once, and it waits on shared memory. Where a thread has ended, has no processor or failed at a part, the solver's
 * thread does that part itself.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type Budget, type Hands, type Part, unlimitedBudget } from '../../solvers/budget.ts';
import {
  beatsAt,
  collectPart,
  doneAt,
  endedAt,
  type PartOrder,
  type PartsLine,
  places,
  stoppedAt,
} from './parts-line.ts';

/** Waiting is interrupted so often to look at the budget, and whether the other thread still runs. */
const lookEveryMs = 5;
/**
 * A thread that has not been heard of in so many looks has ended without a word, for want of memory. Looks are counted
 * and not time: where the machine stands still, so does the other thread. Starting takes it some 100 ms.
 */
const mostSilentLooks = { working: 2000, stopped: 40 };
/** Of its heap; typed arrays are not in it. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
/** A thread takes some 50 MB. */
const mostThreads = 7;

/** The threads of a process; each starts with its first part, and is kept. */
export class PartThreads {
  readonly #file: URL;
  readonly #threads: PartThread[] = [];

  /** @param file module that serves parts */
  constructor(file: URL) {
    this.#file = file;
  }

  /** So many of them, for one solve. */
  hands(others: number): Hands | undefined {
    if (others < 1) return undefined;
    return {
      others: Math.min(others, mostThreads),
      start: (part, input, budget) => {
        const free = this.#threads.find(({ busy }) => !busy) ?? this.#another();
        return free === null ? () => part.run(input, budget) : free.start(part, input, budget);
      },
    };
  }

  /** Starts one, which is probably needed soon. */
  open(): void {
    if (this.#threads.length === 0) this.#another()?.open();
  }

  /** Stops what nobody waits for any more: their solve is over. */
  rest(): void {
    for (const thread of this.#threads) thread.stop();
  }

  /** Has them collect their garbage; nobody waits for it. */
  collect(): void {
    for (const thread of this.#threads) thread.start(collectPart, null, unlimitedBudget());
    this.rest();
  }

  #another(): PartThread | null {
    if (this.#threads.length >= mostThreads) return null;
    const thread = new PartThread(this.#file);
    this.#threads.push(thread);
    return thread;
  }
}

class PartThread {
  readonly #file: URL;
  readonly #state = new Int32Array(new SharedArrayBuffer(places * Int32Array.BYTES_PER_ELEMENT));
  /** Null before the first part, and once the thread is silent. */
  #port: MessagePort | null = null;
  #silent = false;
  #lastId = 0;
  /** Whether a part was given that nobody has waited for yet. */
  busy = false;

  constructor(file: URL) {
    this.#file = file;
  }

  start<Input, Output>(part: Part<Input, Output>, input: Input, budget: Budget): () => Output {
    const port = this.#opened();
    if (port === null) return () => part.run(input, budget);
    const id = ++this.#lastId;
    const order: PartOrder = { id, part: part.name, input, seed: budget.seed, remainingMs: budget.remainingMs() };
    port.postMessage(order);
    this.busy = true;
    return () => {
      const report = this.#wait(id, port, budget);
      this.busy = false;
      return report?.kind === 'done' ? report.output : part.run(input, budget);
    };
  }

  open(): void {
    this.#opened();
  }

  stop(): void {
    Atomics.store(this.#state, stoppedAt, this.#lastId);
    this.busy = false;
  }

  #opened(): MessagePort | null {
    if (this.#port !== null || this.#silent) return this.#port;
    const { port1, port2 } = new MessageChannel();
    const workerData: PartsLine = { port: port2, state: this.#state };
    new Worker(this.#file, { workerData, transferList: [port2], resourceLimits }).on('error', () => {}).unref();
    this.#port = port1;
    return port1;
  }

  /** What the thread says of a part, whose output has the part's own type; null where it is silent. */
  #wait(id: number, port: MessagePort, budget: Budget) {
    const state = this.#state;
    let beats = Atomics.load(state, beatsAt);
    let silentLooks = 0;
    for (let done = Atomics.load(state, doneAt); done < id; done = Atomics.load(state, doneAt)) {
      Atomics.wait(state, doneAt, done, lookEveryMs);
      const stopped = budget.stopRequested();
      if (stopped) Atomics.store(state, stoppedAt, id);
      const heard = Atomics.load(state, beatsAt);
      silentLooks = heard === beats ? silentLooks + 1 : 0;
      beats = heard;
      const ended = Atomics.load(state, endedAt) === 1;
      if (!ended && silentLooks < (stopped ? mostSilentLooks.stopped : mostSilentLooks.working)) continue;
      this.#silent = true;
      this.#port = null;
      return null;
    }
    for (;;) {
      const received = receiveMessageOnPort(port);
      if (received === undefined || received.message.id === id) return received?.message ?? null;
    }
  }
}
