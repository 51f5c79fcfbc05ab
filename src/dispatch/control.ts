/**
 * What the dispatcher and a running solve share, over one SharedArrayBuffer so that it also works across threads:
 * the cancel flag, when to give up once the worker knows it, and the latest progress.
 */
import type { Progress } from '../solvers/budget.ts';

const bytes = 40;
const cancelSlot = 0;
const progressSlot = 1;
const givenUpCell = 1;
const fractionCell = 2;
const incumbentCell = 3;
const boundCell = 4;

export class Control {
  readonly shared: SharedArrayBuffer;
  readonly #flags: Int32Array;
  readonly #cells: Float64Array;

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(bytes)) {
    this.shared = shared;
    this.#flags = new Int32Array(shared, 0, 2);
    this.#cells = new Float64Array(shared);
  }

  /** Asks the solve to stop and return what it has. */
  cancel(): void {
    Atomics.store(this.#flags, cancelSlot, 1);
  }

  get cancelled(): boolean {
    return Atomics.load(this.#flags, cancelSlot) === 1;
  }

  /** Milliseconds since the epoch at which the solve is given up; 0 while its time limit is not known. */
  get givenUpAt(): number {
    return this.#cells[givenUpCell];
  }

  set givenUpAt(epochMs: number) {
    this.#cells[givenUpCell] = epochMs;
  }

  /** Says how far the solve is; NaN marks what is not known. */
  publish(progress: Progress): void {
    this.#cells[fractionCell] = progress.fraction ?? Number.NaN;
    this.#cells[incumbentCell] = progress.incumbent ?? Number.NaN;
    this.#cells[boundCell] = progress.bound ?? Number.NaN;
    Atomics.add(this.#flags, progressSlot, 1);
  }

  /** How often progress was published: unchanged means nothing new to read. */
  get publications(): number {
    return Atomics.load(this.#flags, progressSlot);
  }

  /** The latest progress. */
  progress(): Progress {
    const [, , fraction, incumbent, bound] = this.#cells;
    return {
      ...(Number.isNaN(fraction) ? {} : { fraction }),
      ...(Number.isNaN(incumbent) ? {} : { incumbent }),
      ...(Number.isNaN(bound) ? {} : { bound }),
    };
  }
}
