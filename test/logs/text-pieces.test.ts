import { describe, expect, it } from 'vitest';
import { textPieces } from '../../src/logs/text-pieces.ts';

describe('the bytes of a log', () => {
  it.each(['é', '☃', '😀'])('are decoded in pieces, wherever these cut %s', (character) => {
    const text = `a${character.repeat(2 ** 19)}`;
    const pieces = [...textPieces(Buffer.from(text))];
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(text);
  });

  it('are UTF-16 by their byte order mark, and of a WARC one character each', () => {
    const text = 'url,time,hash\nhttps://x.example/ü,2026-05-01,a';
    expect([...textPieces(Buffer.from(`\ufeff${text}`, 'utf16le'))].join('')).toBe(text);
    expect([...textPieces(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())].join('')).toBe(text);
    expect([...textPieces(Buffer.from('WARC/1.0 ü'))].join('')).toHaveLength(11);
  });
});
