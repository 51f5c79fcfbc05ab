/** A 64-bit digest of a text (32-bit FNV-1a forwards and backwards), to detect changes. */
export function digestOf(text: string): string {
  let one = 0x811c9dc5;
  let two = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) {
    one = Math.imul(one ^ text.charCodeAt(k), 0x01000193);
    two = Math.imul(two ^ text.charCodeAt(text.length - 1 - k), 0x01000193);
  }
  return [one, two].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}
