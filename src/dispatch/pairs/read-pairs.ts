/**
 * One shape of JSON read straight from its bytes: a list of pairs `[[number, flag], …]`, the flag 0, 1, true or false,
 * as the checks of pages are. Anything else is left to the parser: what is read here is what JSON.parse would have
 * read, to the bit, and no text that JSON.parse refuses is taken.
 */
import type { PairStore } from '../../schemas/table/pair-cells.ts';

const zero = 0x30;
const comma = 0x2c;
const minus = 0x2d;
const plus = 0x2b;
const point = 0x2e;
const openArray = 0x5b;
const closeArray = 0x5d;
const lowerE = 0x65;
const upperE = 0x45;
/** So many digits are a whole number that a double holds, and so is the power of ten they are divided by. */
const exactDigits = 15;
const powersOfTen = Float64Array.from({ length: exactDigits + 1 }, (_, k) => 10 ** k);
/** Longer texts of numbers are left to the parser. */
const longestNumber = 64;

const trueBytes = Uint8Array.of(0x74, 0x72, 0x75, 0x65);
const falseBytes = Uint8Array.of(0x66, 0x61, 0x6c, 0x73, 0x65);

/** Where the white space of JSON ends. */
export function afterBlanks(bytes: Uint8Array, at: number): number {
  let i = at;
  while (bytes[i] <= 0x20 && (bytes[i] === 0x20 || bytes[i] === 0x0a || bytes[i] === 0x0d || bytes[i] === 0x09)) i++;
  return i;
}

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
  let i = afterBlanks(bytes, at);
  const start = i;
  if (bytes[i] === minus) i++;
  const first = i;
  let digits = 0;
  let byte = bytes[i];
  while (byte >= zero && byte <= zero + 9) {
    digits = 10 * digits + (byte - zero);
    byte = bytes[++i];
  }
  let count = i - first;
  if (count === 0 || (count > 1 && bytes[first] === zero)) return -1;
  let decimals = 0;
  if (byte === point) {
    byte = bytes[++i];
    const from = i;
    while (byte >= zero && byte <= zero + 9) {
      digits = 10 * digits + (byte - zero);
      byte = bytes[++i];
    }
    decimals = i - from;
    if (decimals === 0) return -1;
    count += decimals;
  }
  let value = decimals === 0 ? digits : digits / powersOfTen[decimals];
  if (first > start) value = -value;
  if (count > exactDigits || byte === lowerE || byte === upperE) {
    i = afterExponent(bytes, i);
    if (i < 0 || i - start > longestNumber) return -1;
    value = Number(String.fromCharCode(...bytes.subarray(start, i)));
  }
  if (!(Math.abs(value) <= mostSize)) return -1;
  i = afterBlanks(bytes, i);
  if (bytes[i] !== comma) return -1;
  return readFlag(bytes, afterBlanks(bytes, i + 1), value, store);
}

/** Where the exponent at `at` ends, `at` where there is none, −1 where it has no digits. */
function afterExponent(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== lowerE && bytes[at] !== upperE) return at;
  let i = at + 1;
  if (bytes[i] === plus || bytes[i] === minus) i++;
  const from = i;
  while (bytes[i] >= zero && bytes[i] <= zero + 9) i++;
  return i > from ? i : -1;
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

/** Whether these bytes stand there. */
export function startsWith(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let k = 0; k < expected.length; k++) if (bytes[at + k] !== expected[k]) return false;
  return true;
}
