/**
 * Writes one number as bytes of JSON, as JSON.stringify writes it, to the letter. Of the decimals that round to the
 * double it takes the shortest, and of these the nearest.
 *
 * For |v| from 10⁻⁶ to 10¹⁵, v·10^k of 17 digits before the point is exactly the sum of two doubles (Dekker 1971). So
 * is half the distance to the next double times 10^k, which lies between .55 and 11.2. So the shortest is the nearest
 * multiple of 100, of 10 or of 1 that lies no further away. A multiple of 100 is the only one, and with zeros at its
 * end it is that of 1000 and so on. Where a distance is too near a bound, and for every other number, the engine
 * writes.
 */
import { minus, point, zero } from '../lifted/json-bytes.ts';
import { powersOfTen, productError } from '../lifted/number.ts';

/** Room that a number takes at most. */
export const longestWritten = 25;

const least = 1e-6;
const below = 1e15;
/** Digits before the point, and of the last part of them. */
const scaledDigits = 17;
const tailDigits = 8;
const tailUnit = 10 ** tailDigits;
/** v·(1 + this) is rounded to the double above v (Rump 2006). */
const above = 2 ** -53 * (1 + 2 ** -52);
/** Distances are known far better than this. */
const doubt = 1e-6;
const inDoubt = 1000;
/** Whole numbers up to nine digits are written as they are. */
const mostWhole = 1e9;

/** @returns where it ends */
export function writeNumber(value: number, target: Uint8Array, at: number): number {
  if (value === 0) {
    target[at] = zero;
    return at + 1;
  }
  const size = Math.abs(value);
  let i = at;
  if (value < 0) target[i++] = minus;
  const end =
    size < mostWhole && Math.floor(size) === size ? writeWhole(size, target, i) : writeShortest(size, target, i);
  return end < 0 ? writeByEngine(value, target, at) : end;
}

function writeByEngine(value: number, target: Uint8Array, at: number): number {
  const text = String(value);
  for (let k = 0; k < text.length; k++) target[at + k] = text.charCodeAt(k);
  return at + text.length;
}

function writeWhole(value: number, target: Uint8Array, at: number): number {
  let digits = 1;
  while (digits < 9 && value >= powersOfTen[digits]) digits++;
  writeDigits(value, digits, target, at);
  return at + digits;
}

/** 00 to 99. */
const pairsOfDigits = Uint8Array.from(
  { length: 200 },
  (_, k) => zero + (k % 2 === 0 ? Math.floor(k / 20) : (k >> 1) % 10),
);

/** So many digits of a whole number of 32 bits. */
function writeDigits(value: number, digits: number, target: Uint8Array, at: number): void {
  let rest = value | 0;
  let i = at + digits;
  while (i - at >= 2) {
    const next = (rest / 100) | 0;
    const pair = 2 * (rest - Math.imul(next, 100));
    target[--i] = pairsOfDigits[pair + 1];
    target[--i] = pairsOfDigits[pair];
    rest = next;
  }
  if (i > at) target[at] = zero + rest;
}

/** −1 where the engine has to. */
function writeShortest(v: number, target: Uint8Array, at: number): number {
  if (!(v >= least && v < below)) return -1;
  // 10^exponent ≤ v, or nearly
  let exponent = 0;
  if (v >= 1) while (v >= powersOfTen[exponent + 1]) exponent++;
  else for (exponent = -1; v * powersOfTen[-exponent] < 1; ) exponent--;
  const power = powersOfTen[scaledDigits - 1 - exponent];
  const scaled = v * power;
  if (!(scaled > 1e16 && scaled < 1e17)) return -1;
  const error = productError(v, power, scaled);
  const gap = v + v * above - v;
  // the doubles below a power of two are nearer
  if (v - (v - v * above) !== gap) return -1;
  const reach = gap * 0.5 * power;
  let head = (scaled / tailUnit) | 0;
  let tail = (scaled - head * tailUnit) | 0;
  const move = moved(tail % 100, error, reach);
  if (move === inDoubt) return -1;
  tail += move;
  if (tail < 0) {
    head--;
    tail += tailUnit;
  } else if (tail >= tailUnit) {
    head++;
    tail -= tailUnit;
  }
  return head >= powersOfTen[scaledDigits - tailDigits] ? -1 : writePlaced(head, tail, exponent, target, at);
}

/**
 * How far to move the last two digits, to the multiple of 100, 10 or 1 nearest to `hundred` + `error`. It takes the
 * first that is no further than `reach`, and is `inDoubt` where that cannot be told.
 */
function moved(hundred: number, error: number, reach: number): number {
  let over = hundred + error;
  let near = over < 50 ? 0 : 100;
  let distance = Math.abs(over - near);
  if (Math.abs(distance - reach) < doubt) return inDoubt;
  if (distance < reach) return near - hundred;
  const ten = hundred % 10;
  over = ten + error;
  near = over < 5 ? (over < -5 ? -10 : 0) : over < 15 ? 10 : 20;
  distance = Math.abs(over - near);
  if (Math.abs(distance - reach) < doubt || distance > 5 - doubt) return inDoubt;
  if (distance < reach) return near - ten;
  near = Math.round(error) | 0;
  return Math.abs(error - near) > 0.5 - doubt ? inDoubt : near;
}

/** head·10⁸ + tail, of 17 digits, as digits with the point where the exponent puts it. */
function writePlaced(head: number, tail: number, exponent: number, target: Uint8Array, at: number): number {
  let i = at;
  if (exponent < 0) {
    target[i++] = zero;
    target[i++] = point;
    for (let k = -1; k > exponent; k--) target[i++] = zero;
  }
  writeDigits(head, scaledDigits - tailDigits, target, i);
  writeDigits(tail, tailDigits, target, i + scaledDigits - tailDigits);
  let end = i + scaledDigits;
  const whole = exponent < 0 ? i : i + exponent + 1;
  while (end > whole && target[end - 1] === zero) end--;
  if (exponent < 0 || end === whole) return end;
  target.copyWithin(whole + 1, whole, end);
  target[whole] = point;
  return end + 1;
}
