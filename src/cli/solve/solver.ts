/** Requests → outcomes, in a thread that can be stopped: it then returns the best it has. */
import { once } from 'node:events';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Outcome } from '../../workers/pipeline.ts';
import { unknownOperation } from '../find-operation.ts';

export interface SolverTerms {
  readonly operation: string;
  /** Milliseconds, for requests without options.timeLimitMs; left out: what the environment says. */
  readonly timeLimitMs: number | undefined;
  /** Check and estimate without solving. */
  readonly validateOnly: boolean;
  /** Draw a progress bar on stderr. */
  readonly progress: boolean;
}

/** Exit code of a process that was interrupted: 128 and the number of the signal. */
export const interruptedCode = 130;

/** The environment is refused: its message, under the name that config.ts gives such errors. */
class RefusedConfiguration extends Error {
  override readonly name = 'ConfigurationError';
}

const isOutcome = (value: unknown): value is Outcome =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  (value.kind === 'answer' || value.kind === 'problem');

export class Solver {
  readonly #worker: Worker;
  /** Rejects with a UsageError as soon as the thread finds that there is no such operation; never resolves. */
  readonly refused: Promise<never>;
  readonly #stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #onInterrupt: () => void;
  #running = false;
  #interrupted = false;

  /** Starts the thread; from here on Ctrl-C stops what it solves, and a second one ends the process. */
  constructor(terms: SolverTerms) {
    const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = new Worker(new URL(`./solver-thread.${ending}`, import.meta.url), {
      workerData: { ...terms, stop: this.#stop },
      // As much memory as this thread would have had.
      resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20) },
    });
    this.refused = once(this.#worker, 'message').then(([said]: unknown[]) => {
      if (isOutcome(said) || said instanceof Error) return new Promise<never>(() => {});
      return unknownOperation(terms.operation).then((error) => Promise.reject(error));
    });
    // Whoever waits hears of it; where nobody does, it is no fault.
    this.refused.catch(() => undefined);
    this.#onInterrupt = () => {
      if (this.#interrupted || !this.#running) process.exit(interruptedCode);
      this.#interrupted = true;
      Atomics.store(new Int32Array(this.#stop), 0, 1);
    };
    process.on('SIGINT', this.#onInterrupt);
  }

  /** Whether Ctrl-C was pressed: the last outcome is then what the solver had, and nothing more is to be asked. */
  get interrupted(): boolean {
    return this.#interrupted;
  }

  /** @throws UsageError where there is no such operation, ConfigurationError where the environment is refused */
  async solve(request: string | object): Promise<Outcome> {
    this.#running = true;
    try {
      this.#worker.postMessage(request);
      const told: Promise<unknown[]> = once(this.#worker, 'message');
      const [outcome] = await Promise.race([told, this.refused]);
      if (isOutcome(outcome)) return outcome;
      if (outcome instanceof Error) throw new RefusedConfiguration(outcome.message);
      return await this.refused;
    } finally {
      this.#running = false;
    }
  }

  async end(): Promise<void> {
    process.off('SIGINT', this.#onInterrupt);
    await this.#worker.terminate();
  }
}
