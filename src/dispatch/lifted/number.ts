/**
 * One number of JSON read from its bytes, as the double that JSON.parse would give, to the bit.
 *
 * Its digits are two whole numbers of at most 15 and 11 digits, head·10^m + tail. Up to 2⁵³ over a power of ten up to
 * 10²² the number is one division of exact doubles, rounded once. Beyond it is (w + w')/t, for the sum of two
 * doubles w + w'. That is q + (w − q·t + w')/t with q the rounded w/t; its second part is known to 2⁻⁵⁰ of itself.
 * Where that leaves two doubles, and for exponents and longer texts, the engine reads the text.
 */
import { minus, plus, point, zero } from './json-bytes.ts';

/** So many digits are a whole number that a double holds, and so many with eight decimals more. */
const mostWhole = 15;
const fewWhole = 7;
/** Zeros that are passed over after the point. */
const mostZeros = 8;
/** What is read at once of a number takes no more: 15 digits or such zeros, the point, 16 decimals and a word. */
const longestRead = 36;
/** Of four bytes: the digit 0; what takes a byte above 9 beyond 127; and that. */
const zeros = 0x30303030;
const beyondNine = 0x76767676;
const lowBits = 0x01010101;
/** The largest power of ten that a double holds. */
const mostDecimals = 22;
export const powersOfTen = Float64Array.from({ length: mostDecimals + 1 }, (_, k) => Number(`1e${k}`));
const lowerE = 0x65;
const upperE = 0x45;
/** Longer texts of numbers are left to the parser. */
const longestNumber = 64;
/** 2²⁷ + 1: splits a double into two of 26 bits (Dekker 1971). */
const splitter = 134217729;
const quotientPrecision = 2 ** -50;

/** Four digits as a whole number, the first of them lowest in the word. */
function fourDigits(word: number): number {
  const pairs = (Math.imul(word, 10) + (word >>> 8)) | 0;
  return (Math.imul(pairs & 0xff, 100) + ((pairs >>> 16) & 0xff)) | 0;
}

/** A bit for each byte of the word that is no digit. */
const othersIn = (word: number): number => (((word + beyondNine) | 0 | word) >>> 7) & lowBits;

/**
 * Reads the number at `at` into `target[position]`, its decimals four bytes at a time.
 * @param words the same bytes
 * @returns where it ends; −1 where there is none, or it is left to the parser
 */
export function readNumber(
  bytes: Uint8Array,
  at: number,
  target: Float64Array,
  position: number,
  words: DataView,
): number {
  const negative = bytes[at] === minus;
  const first = negative ? at + 1 : at;
  if (first + longestRead > bytes.length) return readText(bytes, at, target, position);
  let i = first;
  let head = 0;
  let digit = bytes[i] - zero;
  while (digit >= 0 && digit <= 9) {
    head = 10 * head + digit;
    digit = bytes[++i] - zero;
  }
  const digits = i - first;
  if (digits !== 1 && (digits === 0 || digits > mostWhole || bytes[first] === zero))
    return readText(bytes, at, target, position);
  let value = head;
  if (bytes[i] === point) {
    const from = ++i;
    if (head === 0) while (bytes[i] === zero && i < from + mostZeros) i++;
    let word = words.getInt32(i, true) ^ zeros;
    let others = othersIn(word);
    if (others === 0 && digits <= fewWhole) {
      const four = fourDigits(word);
      i += 4;
      word = words.getInt32(i, true) ^ zeros;
      others = othersIn(word);
      if (others === 0) {
        head = head * 1e8 + (Math.imul(four, 10000) + fourDigits(word));
        i += 4;
        word = words.getInt32(i, true) ^ zeros;
        others = othersIn(word);
      } else head = head * 1e4 + four;
    }
    let tail = 0;
    let tailDigits = 0;
    while (others === 0 && tailDigits < 8) {
      tail = (Math.imul(tail, 10000) + fourDigits(word)) | 0;
      tailDigits += 4;
      i += 4;
      word = words.getInt32(i, true) ^ zeros;
      others = othersIn(word);
    }
    if (others === 0) return readText(bytes, at, target, position);
    // what is left before the first other byte, as the last of four digits
    const left = (31 - Math.clz32(others & -others)) >> 3;
    i += left;
    if (i === from) return -1;
    tail = tail * powersOfTen[left] + fourDigits((word << 8) << (24 - 8 * left));
    const shift = powersOfTen[tailDigits + left];
    const divisor = powersOfTen[i - from];
    const whole = head * shift + tail;
    value = whole <= Number.MAX_SAFE_INTEGER ? whole / divisor : quotient(head, tail, shift, divisor);
  }
  if (bytes[i] === lowerE || bytes[i] === upperE || Number.isNaN(value)) return readText(bytes, at, target, position);
  target[position] = negative ? -value : value;
  return i;
}

/** (head·shift + tail)/divisor rounded once; NaN where two doubles are left. All are whole numbers. */
function quotient(head: number, tail: number, shift: number, divisor: number): number {
  const product = head * shift;
  const rest = productError(head, shift, product) + tail;
  const w = product + rest;
  const below = rest - (w - product);
  const q = w / divisor;
  const scaled = q * divisor;
  const correction = (w - scaled - productError(q, divisor, scaled) + below) / divisor;
  const doubt = Math.abs(correction) * quotientPrecision;
  const value = q + (correction - doubt);
  return value === q + (correction + doubt) ? value : Number.NaN;
}

/** a·b − the double next to it, exactly (Dekker 1971). */
export function productError(a: number, b: number, product: number): number {
  const aLarge = splitter * a;
  const aHigh = aLarge - (aLarge - a);
  const aLow = a - aHigh;
  const bLarge = splitter * b;
  const bHigh = bLarge - (bLarge - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** Any number of JSON, by the engine. */
function readText(bytes: Uint8Array, at: number, target: Float64Array, position: number): number {
  let i = bytes[at] === minus ? at + 1 : at;
  const first = i;
  i = afterDigits(bytes, i);
  if (i === first || (i - first > 1 && bytes[first] === zero)) return -1;
  if (bytes[i] === point) {
    const from = i + 1;
    i = afterDigits(bytes, from);
    if (i === from) return -1;
  }
  if (bytes[i] === lowerE || bytes[i] === upperE) {
    i++;
    if (bytes[i] === plus || bytes[i] === minus) i++;
    const from = i;
    i = afterDigits(bytes, from);
    if (i === from) return -1;
  }
  if (i - at > longestNumber) return -1;
  target[position] = Number(String.fromCharCode(...bytes.subarray(at, i)));
  return i;
}

function afterDigits(bytes: Uint8Array, at: number): number {
  let i = at;
  while (bytes[i] >= zero && bytes[i] <= zero + 9) i++;
  return i;
}
