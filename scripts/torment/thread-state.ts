/** What Linux says of the main thread of this process: on which processor it is, and how long it waited for one. */
import { openSync, readSync } from 'node:fs';

export interface ThreadState {
  /** -1 where the system does not say. */
  readonly processor: number;
  /** Milliseconds since the thread began in which it was ready to run and had no processor. */
  readonly waitedMs: number;
}

/** The place of the processor among the words after the name of the program, which may itself have blanks. */
const processorWord = 36;

export class MainThread {
  readonly #stat = opened('stat');
  readonly #schedule = opened('schedstat');
  readonly #bytes = Buffer.alloc(1024);

  state(): ThreadState {
    if (this.#stat === null || this.#schedule === null) return { processor: -1, waitedMs: 0 };
    const words = this.#read(this.#stat).split(') ').at(-1)?.split(' ') ?? [];
    return {
      processor: Number(words[processorWord]),
      waitedMs: Number(this.#read(this.#schedule).split(' ')[1]) / 1e6,
    };
  }

  #read(descriptor: number): string {
    return this.#bytes.toString('latin1', 0, readSync(descriptor, this.#bytes, 0, this.#bytes.length, 0));
  }
}

function opened(file: string): number | null {
  try {
    return openSync(`/proc/self/task/${process.pid}/${file}`, 'r');
  } catch {
    return null;
  }
}
