/** A large body of JSON, read before it is parsed: what is in it is counted, and its columns are lifted out of it. */
import type { Operation } from '../../operations/operation.ts';
import { columnLists } from '../column-lists.ts';
import { countArriving, type ElementCount } from '../count-elements.ts';
import { Arriving, type Steps } from '../lifted/arriving.ts';
import { Lifter } from '../lifted/lifter.ts';
import { elementBounds } from '../refuse-unparsed.ts';

export class Begun {
  /** Has taken the columns of the list; null where the operation's requests have none. */
  readonly lifter: Lifter | null;
  readonly #arriving: Arriving;
  readonly #steps: Steps<ElementCount>;
  #count: ElementCount | null = null;

  /** @param arriving what has come of the bytes; left out: all */
  constructor(operation: Operation, bytes: Uint8Array, arriving = new Arriving(bytes.length)) {
    this.lifter = lifterFor(operation);
    this.#arriving = arriving;
    this.#steps = countArriving(bytes, elementBounds(operation.limits), this.lifter, arriving);
  }

  /** Reads on: so many bytes are there. */
  read(available: number): void {
    this.#arriving.available = available;
    if (this.#count === null) this.#count = this.#steps.next().value ?? null;
  }

  /** What is in the body, all of which is there. */
  count(): ElementCount {
    this.read(this.#arriving.length);
    if (this.#count === null) throw new Error('a body that is whole was not read to its end');
    return this.#count;
  }
}

/** Takes the columns of an operation's requests; null where they have none. */
function lifterFor(operation: Operation): Lifter | null {
  const { pairs, limits } = operation;
  const { request: list } = columnLists(operation);
  if (list === null) return null;
  const bounds = elementBounds(limits);
  return new Lifter({ list, ...(pairs && { pairs }) }, { rows: bounds.most(list.name), items: bounds.largest });
}
