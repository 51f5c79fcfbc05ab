/**
 * One shape of JSON read straight from its bytes: a list of pairs `[[number, flag], …]`, as the checks of pages are.
 * The flag is 0, 1, true or false. Anything else is left to the parser. This reads what JSON.parse would have read, to
 * the bit; it takes no text that JSON.parse refuses.
 */
import type { PairStore } from '../../schemas/table/pair-cells.ts';
import {
  afterBlanks,
  closeArray,
  comma,
  falseBytes,
  openArray,
  startsWith,
  trueBytes,
  wordsOf,
  zero,
} from './json-bytes.ts';
import { readNumber } from './number.ts';

/** So many digits are a whole number that a double holds. */
const exactDigits = 15;

/**
 * Reads a list of at least one pair into the store.
 * @param at where its bracket stands
 * @param mostSize numbers beyond this, in size, are left to the parser
 * @returns where the list ends; −1 where it is anything else, and the store is as it was
 */
export function readPairs(bytes: Uint8Array, at: number, store: PairStore, mostSize: number): number {
  const before = store.used;
  let i = afterBlanks(bytes, at + 1);
  while (bytes[i] === openArray) {
    const plainEnd = readPlainPair(bytes, i + 1, store, mostSize);
    i = plainEnd < 0 ? readPair(bytes, i + 1, store, mostSize) : plainEnd;
    if (i < 0) break;
    i = afterBlanks(bytes, i);
    if (bytes[i] === closeArray) return i + 1;
    if (bytes[i] !== comma) break;
    i = afterBlanks(bytes, i + 1);
  }
  store.used = before;
  return -1;
}

/** Reads `digits,0]` or `digits,1]`, as nearly all pairs are written; where it ends, or −1 for any other. */
function readPlainPair(bytes: Uint8Array, at: number, store: PairStore, mostSize: number): number {
  let i = at;
  let digits = 0;
  let byte = bytes[i];
  while (byte >= zero && byte <= zero + 9) {
    digits = 10 * digits + (byte - zero);
    byte = bytes[++i];
  }
  const count = i - at;
  if (byte !== comma || count === 0 || count > exactDigits || (count > 1 && bytes[at] === zero)) return -1;
  const flag = bytes[i + 1] - zero;
  if ((flag !== 0 && flag !== 1) || bytes[i + 2] !== closeArray || digits > mostSize) return -1;
  store.push(digits, flag);
  return i + 3;
}

/** Reads `number, flag]`; where it ends, or −1. */
function readPair(bytes: Uint8Array, at: number, store: PairStore, mostSize: number): number {
  store.grow();
  let i = readNumber(bytes, afterBlanks(bytes, at), store.numbers, store.used, wordsOf(bytes));
  const value = store.numbers[store.used];
  if (i < 0 || !(Math.abs(value) <= mostSize)) return -1;
  i = afterBlanks(bytes, i);
  if (bytes[i] !== comma) return -1;
  return readFlag(bytes, afterBlanks(bytes, i + 1), value, store);
}

/** Reads `flag]` and stores the pair; where it ends, or −1. */
function readFlag(bytes: Uint8Array, at: number, value: number, store: PairStore): number {
  let i = at;
  let flag = bytes[i] - zero;
  if (flag === 0 || flag === 1) i++;
  else if (startsWith(bytes, i, trueBytes)) {
    flag = 1;
    i += trueBytes.length;
  } else if (startsWith(bytes, i, falseBytes)) {
    flag = 0;
    i += falseBytes.length;
  } else return -1;
  i = afterBlanks(bytes, i);
  if (bytes[i] !== closeArray) return -1;
  store.push(value, flag);
  return i + 1;
}
