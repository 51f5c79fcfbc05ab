/**
 * Makes a text safe to print on a terminal: control and bidirectional characters are escaped as `\u{1b}`, except line
 * breaks and tabs.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(
    /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
