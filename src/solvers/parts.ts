/** How a large solve is cut into parts (see Part in budget.ts). */
import type { Hands } from './budget.ts';

/**
 * Where to cut pages into runs of about as many items, one for each hand: the first is 0, the last the number of pages.
 * @param offsets the items of page i are those from offsets[i] to before offsets[i + 1]
 * @param least fewer items are not worth a hand
 */
export function evenCuts(offsets: Uint32Array, hands: Hands | undefined, least: number): number[] {
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

/** A stretch of a list, in memory that threads share: it goes to another without being copied again. */
export function sharedNumbers(list: Float64Array, from: number, to: number): Float64Array {
  const shared = new Float64Array(new SharedArrayBuffer((to - from) * Float64Array.BYTES_PER_ELEMENT));
  shared.set(list.subarray(from, to));
  return shared;
}

/** The same of bytes. */
export function sharedBytes(list: Uint8Array, from: number, to: number): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(to - from));
  shared.set(list.subarray(from, to));
  return shared;
}
