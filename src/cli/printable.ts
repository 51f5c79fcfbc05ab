/**
 * A text as a terminal may show it. Characters that move its cursor, change its title or the order of its letters are
 * spelt out as `\u{1b}`; lines and tabs stay.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
