import type { SlotLines } from '../instance/matching-problem.ts';
import { positions } from '../instance/positions.ts';

/**
 * The slots that still stand, with links that jump over those struck out. The nearest one to either side of an entry
 * takes near-constant time (union-find with path halving). A slot once struck out stays out.
 */
export class FreeSlots {
  private readonly lines: SlotLines;
  private readonly next: Int32Array;
  private readonly previous: Int32Array;

  constructor(lines: SlotLines) {
    this.lines = lines;
    this.next = positions(lines.time.length);
    this.previous = this.next.slice();
  }

  /** Strikes a slot out of all lines that it stands in. */
  strike(slot: number): void {
    const { entry, otherEntry } = this.lines;
    this.strikeEntry(entry[slot]);
    if (otherEntry[slot] >= 0) this.strikeEntry(otherEntry[slot]);
  }

  /** The nearest entry from `e` on, in the direction of step (1 right, −1 left), that stands or is padding. */
  nearest(e: number, step: 1 | -1): number {
    const links = step > 0 ? this.next : this.previous;
    let x = e;
    while (links[x] !== x) {
      links[x] = links[links[x]];
      x = links[x];
    }
    return x;
  }

  private strikeEntry(e: number): void {
    this.next[e] = e + 1;
    this.previous[e] = e - 1;
  }
}
