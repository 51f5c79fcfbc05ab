/**
 * Finds the value of `options` at the top of a JSON text without parsing the rest. It finds, it does not check: a text
 * that is not JSON gives some value or none, and its worker refuses it.
 */

import { backslash } from '../lifted/json-bytes.ts';

/** Longer values are not options. */
export const maxOptionsBytes = 4096;

/** With quotes; and where every letter is an escape of six. */
export const name = '"options"';
const longestName = 2 + 6 * (name.length - 2);

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

export class OptionsSearch {
  readonly #bytes: Uint8Array;
  readonly #latin1: Buffer;
  #at = 0;
  #depth = 0;
  #inText = false;
  /** Where the last text at the top level began. */
  #textFrom = 0;
  #textTo = 0;
  /** Where the value of `options` begins; -1 outside of it. */
  #valueFrom = -1;
  #options: unknown;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The value, once the search has ended: the last one, as a parser would have it. */
  get options(): unknown {
    return this.#options;
  }

  /** Searches so many bytes more. @returns whether the search has ended */
  advance(count: number): boolean {
    const bytes = this.#bytes;
    const end = Math.min(bytes.length, this.#at + count);
    let at = this.#at;
    while (at < end) {
      const byte = bytes[at++];
      if (this.#inText) {
        if (byte === backslash) at++;
        else if (byte === quote) {
          this.#inText = false;
          if (this.#depth === 1) this.#textTo = at;
        }
      } else if (byte === quote) {
        this.#inText = true;
        if (this.#depth === 1) this.#textFrom = at - 1;
      } else if (byte === openObject || byte === openArray) this.#depth++;
      else if (byte === closeObject || byte === closeArray) {
        this.#depth--;
        if (this.#depth === 0) this.#endValue(at - 1);
      } else if (this.#depth === 1) {
        if (byte === colon) {
          if (this.#isOptions()) this.#valueFrom = at;
          // One colon takes the name: of thousands in a row each would read it again.
          this.#textTo = this.#textFrom;
        } else if (byte === comma) this.#endValue(at - 1);
      }
    }
    this.#at = at;
    return at >= bytes.length;
  }

  #isOptions(): boolean {
    const length = this.#textTo - this.#textFrom;
    if (length < name.length || length > longestName) return false;
    const text = this.#latin1.toString('latin1', this.#textFrom, this.#textTo);
    return text === name || (text.includes('\\') && this.#parsed(this.#textFrom, this.#textTo) === 'options');
  }

  #endValue(to: number): void {
    if (this.#valueFrom >= 0) this.#options = this.#parsed(this.#valueFrom, to);
    this.#valueFrom = -1;
  }

  #parsed(from: number, to: number): unknown {
    if (to - from > maxOptionsBytes) return undefined;
    try {
      return JSON.parse(new TextDecoder().decode(this.#bytes.subarray(from, to)));
    } catch {
      return undefined;
    }
  }
}
