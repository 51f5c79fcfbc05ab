/**
 * By how much a page's text changed, from 64 bits of it: `matters` of a check, a share from 0 to 1.
 *
 * Each word has a hash; bit b of the fingerprint is 1 where more words have a 1 there than a 0. Two texts whose word
 * counts have the cosine c differ in 64·arccos(c)/π bits in the mean, so 1 − cos(π·d/64) of the text has changed.
 * Source: M. Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002.
 */
import { createHash } from 'node:crypto';

const bits = 64;

/** Sixteen hexadecimal digits of a page's words, its tags, scripts and styles left out. */
export function fingerprintOf(body: string | Uint8Array): string {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  const shown = text.replace(/<(script|style)\b.*?<\/\1\s*>/gis, ' ').replace(/<[^>]*>/g, ' ');
  const votes = new Int32Array(bits);
  for (const word of shown.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const hash = createHash('md5').update(word).digest();
    for (let b = 0; b < bits; b++) votes[b] += (hash[b >> 3] >> (7 - (b & 7))) & 1 ? 1 : -1;
  }
  const bytes = new Uint8Array(bits / 8);
  for (let b = 0; b < bits; b++) if (votes[b] > 0) bytes[b >> 3] |= 1 << (7 - (b & 7));
  return Buffer.from(bytes).toString('hex');
}

/** The share of the text that changed between two fingerprints. */
export function changedShare(before: string, after: string): number {
  const [a, b] = [Buffer.from(before, 'hex'), Buffer.from(after, 'hex')];
  let distance = 0;
  for (let k = 0; k < bits / 8; k++) for (let x = a[k] ^ b[k]; x > 0; x &= x - 1) distance++;
  return Number(Math.min(1, 1 - Math.cos((Math.PI * distance) / bits)).toFixed(4));
}
