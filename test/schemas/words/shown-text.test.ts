import { describe, expect, it } from 'vitest';
import { escapeControls } from '../../../src/cli/escape-controls.ts';
import { csvCell } from '../../../src/schemas/words/csv-cell.ts';

describe('a cell of CSV', () => {
  it('is quoted if it contains a separator', () => {
    expect(['a,b', 'a"b', 'a\nb', 'a\rb', 'a b'].map(csvCell)).toEqual(['"a,b"', '"a""b"', '"a\nb"', '"a\rb"', 'a b']);
  });

  it('never begins like a formula where it is a text, and stays a number where it is one', () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'];
    for (const text of texts) expect(csvCell(text)).toMatch(/^"?'/);
    expect([-1, 1e-9, true, null, undefined, { a: -1 }].map(csvCell)).toEqual([
      '-1',
      '1e-9',
      'true',
      '',
      '',
      '"{""a"":-1}"',
    ]);
  });
});

describe('a text on a terminal', () => {
  it('escapes characters that move the cursor or turn the text, and keeps line breaks', () => {
    expect(escapeControls('\u001b]0;pwned\u0007')).toBe('\\u{1b}]0;pwned\\u{7}');
    expect(escapeControls('a\u202eb\u009bc\rd\u2028')).toBe('a\\u{202e}b\\u{9b}c\\u{d}d\\u{2028}');
    expect(escapeControls('ü 漢 😀\n\tnext')).toBe('ü 漢 😀\n\tnext');
  });
});
