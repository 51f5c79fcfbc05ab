import { IndexSet } from '../../numerics/collections/index-set.ts';
import type { SlotLines } from '../instance/matching-problem.ts';

/** The slots that no task holds, found from any entry of any line. A removed slot does not come back. */
export class FreeSlots {
  private readonly lines: SlotLines;
  /** Entries of the free slots, and all padding. */
  private readonly entries: IndexSet;

  /** All slots are free. */
  constructor(lines: SlotLines) {
    this.lines = lines;
    this.entries = new IndexSet(lines.time.length);
  }

  /** Removes a slot from all lines that it stands in. */
  remove(slot: number): void {
    const { entry, otherEntry } = this.lines;
    this.entries.delete(entry[slot]);
    if (otherEntry[slot] >= 0) this.entries.delete(otherEntry[slot]);
  }

  /** The nearest entry from `e` on, in the direction of step (1 right, −1 left), that is a free slot's or padding. */
  findNearest(e: number, step: 1 | -1): number {
    return step > 0 ? this.entries.firstFrom(e) : this.entries.lastUpTo(e);
  }
}
