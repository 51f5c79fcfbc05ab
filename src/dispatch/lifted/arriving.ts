/**
 * A body that still arrives, read as far as it goes. A reader that would pass what has come yields, and goes on when
 * more has. Nothing that it read beyond counts: it reads that value again.
 */

/** What a reader knows of the arrival. */
export class Arriving {
  /** Bytes from the start that are there. */
  available: number;
  readonly length: number;
  /** Most values are shorter: what is nearer to the end of what came is read when more has. */
  readonly #margin: number;

  constructor(length: number, available = length, margin = 4096) {
    this.length = length;
    this.available = available;
    this.#margin = margin;
  }

  get isWhole(): boolean {
    return this.available >= this.length;
  }

  /** Waits until a value at the position has probably come to its end. */
  *around(at: number): Steps<this> {
    return yield* this.#until(at + 1 + this.#margin);
  }

  /** Waits for the rest of a value that was longer, in steps that grow with it. */
  *beyond(at: number): Steps<this> {
    return yield* this.#until(this.available + Math.max(1, this.#margin, this.available - at));
  }

  /**
   * What the cell before `to` is: the column's last, or of no such column. Where more must come to tell, waits for it,
   * and the cell is read again.
   */
  *after(from: number, to: number, closes: boolean): Steps<'last' | 'other' | 'again'> {
    if ((closes && to < this.available) || this.isWhole) return closes ? 'last' : 'other';
    yield* this.beyond(from);
    return 'again';
  }

  /** Waits for all of it. */
  *whole(): Steps<this> {
    return yield* this.#until(this.length);
  }

  *#until(position: number): Steps<this> {
    while (this.available < Math.min(position, this.length)) yield;
    return this;
  }

  /** Beyond this position too little is there for a value. */
  get enough(): number {
    return this.isWhole ? this.length : this.available - this.#margin;
  }
}

export type Steps<Result> = Generator<undefined, Result, undefined>;

/** What comes of a reader of a body that is whole. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  const { done, value } = steps.next();
  if (done !== true) throw new Error('a reader waits for more of a whole body');
  return value;
}
