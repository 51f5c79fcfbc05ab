/** How a pass over millions of slots or tasks tells a poll of them: some ten thousand at a time. */
import type { Poll } from '../../budget.ts';

const itemsBetweenPolls = 65_536;

/**
 * Goes through items in blocks, with a poll after each: one within the pass makes it slower by a tenth.
 *
 * @param steps elementary steps an item takes
 */
export function inBlocks(
  items: number,
  steps: number,
  poll: Poll | undefined,
  pass: (from: number, to: number) => void,
): void {
  for (let from = 0; from < items; from += itemsBetweenPolls) {
    const to = Math.min(items, from + itemsBetweenPolls);
    pass(from, to);
    poll?.(steps * (to - from));
  }
}

/** Items that a pass goes through a few at a time, now more and now less. */
export class PolledPass {
  readonly #steps: number;
  readonly #poll: Poll | undefined;
  #untold = 0;

  /** @param steps elementary steps an item takes */
  constructor(steps: number, poll: Poll | undefined) {
    this.#steps = steps;
    this.#poll = poll;
  }

  passed(items: number): void {
    this.#untold += items;
    if (this.#untold >= itemsBetweenPolls) this.end();
  }

  end(): void {
    this.#poll?.(this.#steps * this.#untold);
    this.#untold = 0;
  }
}
