/** Keeps the torment, its services and all that they start at a share of one processor. */
import { readFileSync } from 'node:fs';
import { descendants } from './run-delay.ts';

/** Linux counts the processor time of a process in hundredths of a second. */
const tickMs = 10;
const restMs = 20;

/** Of a process and of those of its children that have ended. */
function processorMs(process: number | string): number {
  try {
    // The name of the program, in brackets, may itself have blanks.
    const words = readFileSync(`/proc/${process}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return tickMs * words.slice(11, 15).reduce((total, word) => total + Number(word), 0);
  } catch {
    return 0;
  }
}

/** Processor time of a process and of all that it has started. */
export const usedMs = (root: number = process.pid): number =>
  [root, ...descendants(root)].reduce<number>((total, each) => total + processorMs(each), 0);

export class Pace {
  readonly #share: number;
  readonly #usedBefore = usedMs();
  readonly #since = performance.now();

  /** @param share of one processor; 0 for no limit */
  constructor(share: number) {
    this.#share = share;
  }

  /** Waits until no more than the share has been used. */
  async rest(): Promise<void> {
    if (this.#share === 0) return;
    while (usedMs() - this.#usedBefore > this.#share * (performance.now() - this.#since)) {
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  }

  /** What share has been used. */
  used(): number {
    return (usedMs() - this.#usedBefore) / (performance.now() - this.#since);
  }
}
