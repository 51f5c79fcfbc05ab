/** How a large solve is cut into parts (see Part in budget.ts). */
import type { Budget, Hands, Part } from './budget.ts';

/**
 * Where to cut pages into runs of about as many items, one for each hand: the first is 0, the last the number of pages.
 * @param offsets the items of page i are those from offsets[i] to before offsets[i + 1]
 * @param least fewer items are not worth a hand
 */
export function evenCuts(offsets: Uint32Array | Int32Array, hands: Hands | undefined, least: number): number[] {
  const pages = offsets.length - 1;
  const items = offsets[pages];
  const runs = Math.max(1, Math.min(1 + (hands?.others ?? 0), Math.floor(items / least)));
  const cuts = [0];
  for (let k = 1, page = 0; k < runs; k++) {
    while (offsets[page] < (k * items) / runs) page++;
    cuts.push(page);
  }
  cuts.push(pages);
  return cuts;
}

/** The same of runs of as many pages, no fewer than `least`, each of whole blocks but for the last. */
export function evenRuns(pages: number, hands: Hands | undefined, least: number, block = 1): number[] {
  const runs = Math.max(1, Math.min(1 + (hands?.others ?? 0), Math.floor(pages / least)));
  const blocks = Math.ceil(pages / block);
  return Array.from({ length: runs + 1 }, (_, k) => Math.min(pages, block * Math.floor((k * blocks) / runs)));
}

/** Does a part of each run of pages, the first of them here, and gives what they made in the order of the pages. */
export function doneInRuns<Input, Output>(
  part: Part<Input, Output>,
  cuts: readonly number[],
  inputOf: (from: number, to: number) => Input,
  budget: Budget,
): Output[] {
  const { hands } = budget;
  const others = cuts.slice(1, -1).map((from, k) => hands?.start(part, inputOf(from, cuts[k + 2]), budget));
  const own = part.run(inputOf(0, cuts[1]), budget);
  return [own, ...others.flatMap((made) => (made === undefined ? [] : [made()]))];
}

/** Begins a part where it is worth another hand and one is free; else does it at once. */
export function begunElsewhere<Input, Output>(
  part: Part<Input, Output>,
  input: Input,
  budget: Budget,
  isLarge: boolean,
): () => Output {
  if (isLarge && budget.hands !== undefined) return budget.hands.start(part, input, budget);
  const made = part.run(input, budget);
  return () => made;
}

/** Lists of runs of pages as one, in memory that threads share where there are several. */
export function joined(lists: readonly Float64Array[]): Float64Array {
  if (lists.length === 1) return lists[0];
  const length = lists.reduce((sum, list) => sum + list.length, 0);
  // what was made by several is likely to be shared again
  const whole = new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
  let at = 0;
  for (const list of lists) {
    whole.set(list, at);
    at += list.length;
  }
  return whole;
}

type Numbers = Float64Array | Int32Array | Uint8Array;

/** A copy in memory that threads share. */
export function sharedCopy<List extends Numbers>(list: List, kind: new (memory: SharedArrayBuffer) => List): List {
  const copy = new kind(new SharedArrayBuffer(list.byteLength));
  copy.set(list);
  return copy;
}

/** Room in memory that threads share. */
const sharedRoom = (list: Numbers, from: number, to: number): SharedArrayBuffer =>
  new SharedArrayBuffer((to - from) * list.BYTES_PER_ELEMENT);

function filled<List extends Numbers>(copy: List, list: List, from: number, to: number): List {
  copy.set(list.subarray(from, to));
  return copy;
}

/** A stretch of a list, which goes to another thread without being copied again. The first is for the solver's own. */
export const sharedNumbers = (list: Float64Array, from: number, to: number): Float64Array =>
  from === 0 || list.buffer instanceof SharedArrayBuffer
    ? list.subarray(from, to)
    : filled(new Float64Array(sharedRoom(list, from, to)), list, from, to);

/** The same of whole numbers. */
export const sharedWholes = (list: Int32Array, from: number, to: number): Int32Array =>
  from === 0 || list.buffer instanceof SharedArrayBuffer
    ? list.subarray(from, to)
    : filled(new Int32Array(sharedRoom(list, from, to)), list, from, to);

/** The same of bytes. */
export const sharedBytes = (list: Uint8Array, from: number, to: number): Uint8Array =>
  from === 0 || list.buffer instanceof SharedArrayBuffer
    ? list.subarray(from, to)
    : filled(new Uint8Array(sharedRoom(list, from, to)), list, from, to);
