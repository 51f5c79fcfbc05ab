/**
 * One number of JSON read from its bytes, as the double that JSON.parse would give, to the bit.
 *
 * Its digits are two whole numbers of nine digits each, head·10^m + tail. With at most 15 digits over a power of ten up
 * to 10²² the number is one division of exact doubles, rounded once. With more it is (w + w')/t, for the sum of two
 * doubles w + w'. That is q + (w − q·t + w')/t with q the rounded w/t; its second part is known to 2⁻⁵⁰ of itself.
 * Where that leaves two doubles, and for exponents and longer texts, the engine reads the text.
 */
import { minus, plus, point, zero } from './json-bytes.ts';

/** So many digits are a whole number of 32 bits. */
const wordDigits = 9;
/** So many digits are a whole number that a double holds. */
const exactDigits = 15;
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

/**
 * Reads the number at `at` into `target[position]`.
 * @returns where it ends; −1 where there is none, or it is left to the parser
 */
export function readNumber(bytes: Uint8Array, at: number, target: Float64Array, position: number): number {
  let i = at;
  const negative = bytes[i] === minus;
  if (negative) i++;
  const first = i;
  let head = 0;
  let tail = 0;
  let digit = bytes[i] - zero;
  if (digit === 0) digit = bytes[++i] - zero;
  else {
    const end = first + wordDigits;
    while (digit >= 0 && digit <= 9 && i < end) {
      head = (Math.imul(head, 10) + digit) | 0;
      digit = bytes[++i] - zero;
    }
    if (i === first) return -1;
  }
  let headDigits = head === 0 ? 0 : i - first;
  let tailDigits = 0;
  let decimals = 0;
  if (head > 0 && digit >= 0 && digit <= 9) {
    // seconds since 1970 have ten digits
    const middle = i;
    let last = middle + wordDigits;
    while (digit >= 0 && digit <= 9 && i < last) {
      tail = (Math.imul(tail, 10) + digit) | 0;
      digit = bytes[++i] - zero;
    }
    tailDigits = i - middle;
    if (bytes[i] === point) {
      const from = ++i;
      last = from + wordDigits - tailDigits;
      digit = bytes[i] - zero;
      while (digit >= 0 && digit <= 9 && i < last) {
        tail = (Math.imul(tail, 10) + digit) | 0;
        digit = bytes[++i] - zero;
      }
      decimals = i - from;
      tailDigits += decimals;
      if (decimals === 0 && !(digit >= 0 && digit <= 9)) return -1;
    }
  } else if (bytes[i] === point) {
    const from = ++i;
    if (head === 0) while (bytes[i] === zero) i++;
    const start = i;
    const end = start + wordDigits - headDigits;
    digit = bytes[i] - zero;
    while (digit >= 0 && digit <= 9 && i < end) {
      head = (Math.imul(head, 10) + digit) | 0;
      digit = bytes[++i] - zero;
    }
    headDigits += i - start;
    const middle = i;
    const last = middle + wordDigits;
    while (digit >= 0 && digit <= 9 && i < last) {
      tail = (Math.imul(tail, 10) + digit) | 0;
      digit = bytes[++i] - zero;
    }
    tailDigits = i - middle;
    decimals = i - from;
    if (decimals === 0) return -1;
  }
  // an exponent, or more digits
  const goesOn = (digit >= 0 && digit <= 9) || bytes[i] === lowerE || bytes[i] === upperE;
  if (goesOn || decimals > mostDecimals) return readText(bytes, at, target, position);
  const divisor = powersOfTen[decimals];
  const shift = powersOfTen[tailDigits];
  const value =
    headDigits + tailDigits <= exactDigits ? (head * shift + tail) / divisor : quotient(head, tail, shift, divisor);
  if (Number.isNaN(value)) return readText(bytes, at, target, position);
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
