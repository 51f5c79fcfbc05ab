/** The bytes of JSON that readers of large bodies look for. */

export const quote = 0x22;
export const plus = 0x2b;
export const comma = 0x2c;
export const minus = 0x2d;
export const point = 0x2e;
export const zero = 0x30;
export const openArray = 0x5b;
export const backslash = 0x5c;
export const closeArray = 0x5d;
export const lowerN = 0x6e;
export const nullBytes = Uint8Array.of(0x6e, 0x75, 0x6c, 0x6c);
export const trueBytes = Uint8Array.of(0x74, 0x72, 0x75, 0x65);
export const falseBytes = Uint8Array.of(0x66, 0x61, 0x6c, 0x73, 0x65);

/** Where the white space of JSON ends. */
export function afterBlanks(bytes: Uint8Array, at: number): number {
  let i = at;
  while (bytes[i] <= 0x20 && (bytes[i] === 0x20 || bytes[i] === 0x0a || bytes[i] === 0x0d || bytes[i] === 0x09)) i++;
  return i;
}

/** The bytes as words of any size. */
export const wordsOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Where `null` ends that begins there; −1 where it does not. */
export function afterNull(bytes: Uint8Array, at: number): number {
  return bytes[at] === lowerN && bytes[at + 1] === 0x75 && bytes[at + 2] === 0x6c && bytes[at + 3] === 0x6c
    ? at + nullBytes.length
    : -1;
}

/** Whether these bytes stand there. */
export function startsWith(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let k = 0; k < expected.length; k++) if (bytes[at + k] !== expected[k]) return false;
  return true;
}
