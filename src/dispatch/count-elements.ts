/**
 * What a JSON text would allocate, counted over its bytes before it is parsed. A parser makes forty bytes of two (`[]`)
 * and cannot be stopped. A body within the size limit can ask for gigabytes, and only then be refused. This pass
 * allocates nothing that grows with the text and takes a tenth to a half of the parser's time.
 *
 * It counts, it does not check: a text that is not JSON gets some counts and is refused by the parser.
 */

import { Arriving, atOnce, type Steps } from './lifted/arriving.ts';
import type { Lifter } from './lifted/lifter.ts';

/** Longest arrays taken, from the sizes an operation publishes. */
export interface ElementBounds {
  /** Most items of an array that is the value of this property of the request, or a column of it. */
  most(property: string): number;
  /** Most items of any other array. */
  readonly largest: number;
}

/** An array, or an object, with more items than it may have. */
export interface Excess {
  /** Where it stands: names and positions. */
  readonly path: readonly (string | number)[];
  readonly kind: 'array' | 'object';
  readonly items: number;
  readonly most: number;
}

export interface ElementCount {
  /** Arrays and objects. */
  readonly containers: number;
  /** Values of all kinds, containers included. */
  readonly values: number;
  /** Texts that are values, not names, and their bytes. */
  readonly texts: number;
  readonly textBytes: number;
  /** Different names of properties, up to a little above the most taken. */
  readonly names: number;
  /** How deep arrays and objects lie in each other. */
  readonly depth: number;
  /** The first array or object that is too long; counting ends with it. */
  readonly excess: Excess | null;
}

/** Deeper than any request the operations take. */
export const maxDepth = 32;
/** More properties than any object of a request has. */
export const maxMembers = 1000;
/** More names than all requests together use. */
export const maxNames = 1000;

const slots = 4096;
/** FNV-1a. */
const hashStart = 0x811c9dc5;
const hashFactor = 0x01000193;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const lowerA = 0x61;
const lowerZ = 0x7a;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Heap a parsed text takes at most, from measurements of Node 24: slots, boxed numbers, headers, characters. */
export function parsedBytes({ containers, values, texts, textBytes }: ElementCount): number {
  return 56 * containers + 24 * values + 24 * texts + 2 * textBytes;
}

/** Where the scan is: one entry a level, in arrays of fixed size. */
class Levels {
  /** Commas seen. */
  readonly commas = new Float64Array(maxDepth + 2);
  readonly most = new Float64Array(maxDepth + 2);
  readonly isObject = new Uint8Array(maxDepth + 2);
  /** Where the last text of the level starts and ends. */
  readonly from = new Int32Array(maxDepth + 2);
  readonly to = new Int32Array(maxDepth + 2);

  /** The path to the container at `depth`. */
  path(bytes: Uint8Array, depth: number): (string | number)[] {
    const path: (string | number)[] = [];
    for (let level = 1; level < depth; level++) {
      path.push(this.isObject[level] === 1 ? this.name(bytes, level) : this.commas[level]);
    }
    return path;
  }

  /** Whether the last name may be that of a column of the list, or of a row's list of pairs. */
  mayLift(bytes: Uint8Array, depth: number, lifter: Lifter): boolean {
    const { isObject, from, to } = this;
    if ((depth !== 2 && depth !== 3) || isObject[1] === 0 || isObject[depth] === 0) return false;
    if ((depth === 3 && isObject[2] === 1) || !lifter.isList(bytes, from[1], to[1])) return false;
    return depth === 2 || lifter.isPairs(bytes, from[3], to[3]);
  }

  name(bytes: Uint8Array, level: number): string {
    const raw = new TextDecoder().decode(
      bytes.subarray(this.from[level], Math.min(this.to[level], this.from[level] + 200)),
    );
    if (!raw.includes('\\')) return raw;
    try {
      return String(JSON.parse(`"${raw}"`));
    } catch {
      return raw;
    }
  }
}

/**
 * Counts what is in a JSON text (UTF-8). Ends at the first array or object longer than it may be, with its whole
 * length. Ends also where the text lies deeper than `maxDepth` or uses more names than `maxNames`.
 * @param lifter takes columns and lists of pairs as they are met; they count as what the parser would have made of them
 */
export function countElements(bytes: Uint8Array, bounds: ElementBounds, lifter: Lifter | null = null): ElementCount {
  return atOnce(countArriving(bytes, bounds, lifter, new Arriving(bytes.length)));
}

/** The same while the bytes still arrive. */
export function* countArriving(
  bytes: Uint8Array,
  bounds: ElementBounds,
  lifter: Lifter | null,
  arriving: Arriving,
): Steps<ElementCount> {
  let { available } = arriving;
  const levels = new Levels();
  const { commas, most, isObject, from, to } = levels;
  /** Hashes of the names seen; at most a quarter full. */
  const seen = new Int32Array(slots);
  const end = bytes.length;
  let depth = 0;
  let deepest = 0;
  let containers = 0;
  let commasInAll = 0;
  let filled = 0;
  let texts = 0;
  let textBytes = 0;
  let names = 0;
  let lastHash = 0;
  let lastLength = 0;
  /** The level of the container that is too long, or 0. */
  let excessive = 0;
  let empty = false;
  let afterColon = false;
  let excess: Excess | null = null;
  let i = 0;

  while (i < end) {
    if (i >= available) ({ available } = yield* arriving.around(i));
    const byte = bytes[i++];
    if (byte <= space) continue;
    if (byte > comma && byte < colon) {
      // a number, the rest of which says nothing more
      empty = false;
      while (i < available && bytes[i] > comma && bytes[i] < colon) i++;
    } else if (byte === quote) {
      const start = i;
      if (isObject[depth] === 1 && !afterColon) {
        let hash = hashStart;
        while (i < available) {
          const character = bytes[i++];
          if (character === quote) break;
          if (character === backslash) {
            lifter?.abandon();
            i++;
          }
          hash = Math.imul(hash ^ character, hashFactor);
        }
        lastHash = hash;
      } else {
        while (i < available) {
          const character = bytes[i++];
          if (character === quote) break;
          if (character === backslash) i++;
        }
      }
      if (i >= available && available < end) {
        ({ available } = yield* arriving.beyond(start));
        i = start - 1;
        continue;
      }
      const length = Math.max(0, i - 1 - start);
      from[depth] = start;
      to[depth] = start + length;
      lastLength = length;
      texts++;
      textBytes += length;
      empty = false;
    } else if (byte === comma) {
      commasInAll++;
      afterColon = false;
      if (++commas[depth] >= most[depth] && excessive === 0) excessive = depth;
    } else if (byte === openArray || byte === openObject) {
      if (depth >= maxDepth) {
        deepest = maxDepth + 1;
        break;
      }
      containers++;
      afterColon = false;
      depth++;
      if (depth > deepest) deepest = depth;
      commas[depth] = 0;
      isObject[depth] = byte === openObject ? 1 : 0;
      if (byte === openObject) most[depth] = maxMembers;
      else if (isObject[1] === 1 && (depth === 2 || (depth === 3 && isObject[2] === 1))) {
        most[depth] = bounds.most(levels.name(bytes, 1));
      } else most[depth] = bounds.largest;
      filled++;
      empty = true;
    } else if (byte === closeArray || byte === closeObject) {
      if (empty) filled--;
      empty = false;
      if (depth > 0 && depth === excessive) {
        excess = excessAt(levels, bytes, depth);
        break;
      }
      if (depth > 0) depth--;
    } else if (byte === colon) {
      // the text before it was a name
      afterColon = true;
      texts--;
      textBytes -= lastLength;
      const key = lastHash | 1;
      let slot = (key ^ (key >>> 12)) & (slots - 1);
      while (seen[slot] !== 0 && seen[slot] !== key) slot = (slot + 1) & (slots - 1);
      if (seen[slot] === 0) {
        seen[slot] = key;
        if (++names > maxNames) break;
      }
      if (lifter !== null && excessive === 0) {
        let next = i;
        if (levels.mayLift(bytes, depth, lifter)) {
          if (depth === 2) next = yield* lifter.takeColumn(bytes, i, { from: from[2], to: to[2] }, arriving);
          else {
            next = lifter.takeList(bytes, i, available);
            while (next < 0) next = lifter.takeList(bytes, i, (yield* arriving.beyond(i)).available);
          }
          available = arriving.available;
        }
        if (next > i) {
          const { count } = lifter;
          i = next;
          containers += count.containers;
          commasInAll += count.commas;
          filled += count.filled;
          texts += count.texts;
          textBytes += count.textBytes;
          deepest = Math.max(deepest, depth + 1 + count.levels);
          afterColon = false;
          empty = false;
        }
      }
    } else {
      // null, true or false
      empty = false;
      while (i < available && bytes[i] >= lowerA && bytes[i] <= lowerZ) i++;
    }
  }
  if (excess === null && excessive > 0) excess = excessAt(levels, bytes, excessive);
  const values = commasInAll + filled + 1;
  return { containers, values, texts, textBytes, names, depth: deepest, excess };
}

function excessAt(levels: Levels, bytes: Uint8Array, depth: number): Excess {
  return {
    path: levels.path(bytes, depth),
    kind: levels.isObject[depth] === 1 ? 'object' : 'array',
    items: levels.commas[depth] + 1,
    most: levels.most[depth],
  };
}
