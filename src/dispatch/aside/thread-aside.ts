/**
 * Asides in another thread of the process. The solver's thread never turns to its event loop: what it sends goes out at
 * once, and it waits on shared memory. Where the other thread has ended, has no processor or failed at a task, the
 * solver's thread does it itself.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Aside, AsideTask, Budget } from '../../solvers/budget.ts';
import { type AsideLine, type AsideOrder, beatsAt, doneAt, places, stoppedAt } from './aside-line.ts';

/** Waiting is interrupted so often to look at the budget, and whether the other thread still runs. */
const lookEveryMs = 5;
/**
 * A thread that has not been heard of in so many looks has ended. Looks are counted and not time: where the machine
 * stands still, so does the other thread. Starting takes it some 100 ms.
 */
const mostSilentLooks = { working: 400, stopped: 40 };
/** Of its heap; typed arrays are not in it. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

export class ThreadAside implements Aside {
  readonly #file: URL;
  readonly #state = new Int32Array(new SharedArrayBuffer(places * Int32Array.BYTES_PER_ELEMENT));
  /** Null before the first task, and once the thread is silent. */
  #port: MessagePort | null = null;
  #silent = false;
  #lastId = 0;

  /** @param file module that serves asides; its thread starts with the first task, and is kept */
  constructor(file: URL) {
    this.#file = file;
  }

  start<Input, Output>(task: AsideTask<Input, Output>, input: Input, budget: Budget): () => Output {
    // one that nobody has waited for is in the way
    Atomics.store(this.#state, stoppedAt, this.#lastId);
    const port = this.#opened();
    if (port === null) return () => task.run(input, budget);
    const id = ++this.#lastId;
    const order: AsideOrder = { id, task: task.name, input, seed: budget.seed, remainingMs: budget.remainingMs() };
    port.postMessage(order);
    return () => {
      const report = this.#wait(id, port, budget);
      return report?.kind === 'done' ? report.output : task.run(input, budget);
    };
  }

  #opened(): MessagePort | null {
    if (this.#port !== null || this.#silent) return this.#port;
    const { port1, port2 } = new MessageChannel();
    const workerData: AsideLine = { port: port2, state: this.#state };
    new Worker(this.#file, { workerData, transferList: [port2], resourceLimits }).on('error', () => {}).unref();
    this.#port = port1;
    return port1;
  }

  /** What the thread says of a task, whose output has the task's own type; null where it is silent. */
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
      if (silentLooks < (stopped ? mostSilentLooks.stopped : mostSilentLooks.working)) continue;
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
