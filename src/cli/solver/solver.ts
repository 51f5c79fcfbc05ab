/** Requests → outcomes, in a thread that Ctrl-C can stop: it then returns the best it has. */
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Progress } from '../../solvers/budget.ts';
import type { Outcome } from '../../workers/pipeline.ts';
import { exitCodes } from '../failures.ts';
import { ProgressLine } from './progress-line.ts';

export interface SolverTerms {
  readonly operation: string;
  /** Milliseconds, for requests without options.timeLimitMs; left out: what the environment says. */
  readonly timeLimitMs?: number | undefined;
  /** Check and estimate without solving. */
  readonly validateOnly?: boolean;
  /** Draw a progress bar on stderr; left out: where that is a terminal. */
  readonly progress?: boolean | undefined;
}

/** What the thread says of a request: how far it is, and at the end what came of it. */
export type SolverMessage =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  /** The environment is refused. */
  | { readonly kind: 'configuration'; readonly reason: string };

/** The environment is refused, under the name that config.ts gives such errors. */
class RefusedConfiguration extends Error {
  override readonly name = 'ConfigurationError';
}

export class Solver {
  readonly #worker: Worker;
  readonly #stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #line: ProgressLine | undefined;
  readonly #onInterrupt: () => void;
  #running = false;
  #interrupted = false;

  /** Starts the thread; from here on Ctrl-C stops what it solves, and a second one ends the process. */
  constructor({ progress = process.stderr.isTTY === true, ...terms }: SolverTerms) {
    this.#line = progress ? new ProgressLine(terms.operation) : undefined;
    const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    this.#worker = new Worker(new URL(`./solver-thread.${ending}`, import.meta.url), {
      workerData: { ...terms, progress, stop: this.#stop },
      // As much memory as this thread would have had.
      resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20) },
    });
    this.#onInterrupt = () => {
      if (this.#interrupted || !this.#running) process.exit(exitCodes.interrupted);
      this.#interrupted = true;
      Atomics.store(new Int32Array(this.#stop), 0, 1);
    };
    process.on('SIGINT', this.#onInterrupt);
  }

  /** Whether Ctrl-C was pressed: the last outcome is then what the solver had, and nothing more is to be asked. */
  get interrupted(): boolean {
    return this.#interrupted;
  }

  /** @throws ConfigurationError where the environment is refused */
  async solve(request: string | object): Promise<Outcome> {
    this.#running = true;
    try {
      return await new Promise((resolve, reject) => {
        this.#worker.removeAllListeners().once('error', reject);
        this.#worker.on('message', (message: SolverMessage) => {
          if (message.kind === 'outcome') resolve(message.outcome);
          else if (message.kind === 'progress') this.#line?.show(message.progress);
          else reject(new RefusedConfiguration(message.reason));
        });
        this.#worker.postMessage(request);
      });
    } finally {
      this.#running = false;
      this.#line?.clear();
    }
  }

  async end(): Promise<void> {
    process.off('SIGINT', this.#onInterrupt);
    await this.#worker.terminate();
  }
}
