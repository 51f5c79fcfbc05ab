/**
 * Gives back to the system what large bodies left. Buffers that are no longer used go with a collection of garbage. An
 * idle process never makes one by itself; one made while requests come would hold them up.
 */
import v8 from 'node:v8';
import vm from 'node:vm';

/** A collection holds up the event loop for some 20 ms: it waits until nobody has asked for anything for so long. */
export const idleMs = 3000;
/** The first collection finds the buffers, the second lets go of them. */
const collections = 2;
const betweenMs = idleMs / 6;

export class IdleCollection {
  readonly #busy: () => boolean;
  readonly #collect: () => void;
  #timer: NodeJS.Timeout | undefined;
  #askedAt = 0;

  /** @param busy whether anything is being solved */
  constructor(busy: () => boolean, collect: () => void = collectGarbage) {
    this.#busy = busy;
    this.#collect = collect;
  }

  /** Says that a request has come. */
  asked(): void {
    this.#askedAt = performance.now();
  }

  /** Collects once there has been nothing to do for a while. */
  soon(): void {
    this.#after(idleMs, collections);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  #after(ms: number, times: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const idleForMs = performance.now() - this.#askedAt;
      if (this.#busy() || idleForMs < idleMs) {
        this.#after(this.#busy() ? idleMs : idleMs - idleForMs, collections);
        return;
      }
      this.#collect();
      if (times > 1) this.#after(betweenMs, times - 1);
    }, ms).unref();
  }
}

function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc');
  const collect: unknown = vm.runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
