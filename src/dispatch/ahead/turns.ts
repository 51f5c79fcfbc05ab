/** Slices of work of many, one a turn of the event loop: together they hold it up no longer than one of them. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does a slice in a turn of its own, after those that were asked for before. */
  take<Value>(slice: () => Value): Promise<Value> {
    const next = this.#last.then(() => new Promise<void>((resolve) => setImmediate(resolve))).then(slice);
    this.#last = next.catch(() => {});
    return next;
  }
}
