import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeChunks } from '../../src/logs/decode-chunks.ts';
import { inflatePieces } from '../../src/workers/inflate.ts';

const cutInto = (bytes: Buffer, length: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, k) => bytes.subarray(k * length, (k + 1) * length));

async function textOf(bytes: Parameters<typeof decodeChunks>[0], isCut?: () => boolean): Promise<string> {
  let text = '';
  for await (const piece of decodeChunks(bytes, isCut)) text += piece;
  return text;
}

describe('the bytes of a log', () => {
  it.each(['é', '☃', '😀'])('are decoded in pieces, wherever these cut %s', async (character) => {
    const text = `a${character.repeat(2 ** 19)}`;
    expect(await textOf([Buffer.from(text)])).toBe(text);
    expect(await textOf(cutInto(Buffer.from(text.slice(0, 501)), 3))).toBe(text.slice(0, 501));
  });

  it('are UTF-16 by their byte order mark, and of a WARC one character each, however they arrive', async () => {
    const text = 'url,time,hash\nhttps://x.example/ü,2026-05-01,a';
    const read = (bytes: Buffer): Promise<string> => textOf(cutInto(bytes, 1));
    expect(await read(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(text);
    expect(await read(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())).toBe(text);
    expect(await read(Buffer.from('WARC/1.0 ü'))).toHaveLength(11);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ] as const)('that are cut in %s are read up to their last whole line', async (encoding, pack) => {
    const lines = Array.from({ length: 20_000 }, (_, k) => `${Math.sin(k)},${Math.cos(k)}\n`);
    const whole = pack(lines.join(''));
    const read = async (bytes: Buffer): Promise<[text: string, isCut: boolean]> => {
      let isCut = false;
      const inflated = inflatePieces(cutInto(bytes, 1000), encoding, () => {
        isCut = true;
      });
      return [await textOf(inflated, () => isCut), isCut];
    };
    expect(await read(whole)).toEqual([lines.join(''), false]);
    const [text, isCut] = await read(whole.subarray(0, whole.length / 2));
    expect(isCut).toBe(true);
    expect(text.endsWith('\n')).toBe(true);
    expect(lines.join('').startsWith(text)).toBe(true);
    expect(text.length).toBeGreaterThan(1000);
    await expect(read(whole.fill(7, 20))).rejects.toThrow();
  });
});
