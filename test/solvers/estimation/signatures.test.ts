import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { areComparable, signatureOf } from '../../../src/solvers/estimation/changes/signatures.ts';
import { signatureNumber } from '../../../src/solvers/estimation/index.ts';

const same = (one: string, other: string): boolean => signatureNumber(one) === signatureNumber(other);

describe('signatures', () => {
  it.each(['', ' ', '-', '\\N', 'NULL', 'null', 'None', 'nan', 'NaN', 'N/A', 'n/a', 'NA', '""', 'undefined', '(null)'])(
    'are none where they are written %j',
    (text) => {
      expect(signatureOf(text)).toBeNull();
      expect(signatureNumber(text)).toBeNaN();
    },
  );

  it.each([
    ['"33a64df5"', 'W/"33a64df5"'],
    ['"33a64df5"', 'w/"33a64df5"'],
    ['"33a64df5"', '33a64df5'],
    ['"33a64df5"', '\\"33a64df5\\"'],
    ['"x-y"', '"x-y-gzip"'],
    ['"x-y"', 'W/"x-y;gzip"'],
    ['"x-y"', '"x-y--br"'],
    ['x-y', 'x-y:zstd'],
  ])('of an entity tag %s are those of %s', (one, other) => {
    expect(same(one, other)).toBe(true);
  });

  it.each([
    ['"a"', '"b"'],
    ['"a"', '"A"'],
    ['W/"a1"', 'W/"a2"'],
    ['"x-gzip"', '"y-gzip"'],
    ['Welcome', 'W/elcome'],
  ])('of %s and %s differ, and can be compared', (one, other) => {
    expect(same(one, other)).toBe(false);
    expect(areComparable(signatureNumber(one), signatureNumber(other))).toBe(true);
  });

  it.each(['md5', 'sha1', 'sha256', 'sha512'])(
    'of %s are the same in every base, case and with every prefix',
    (name) => {
      for (let n = 0; n < 200; n++) {
        const digest = createHash(name).update(`${n}`).digest();
        const hex = digest.toString('hex');
        const base64 = digest.toString('base64');
        const spelled = [hex, hex.toUpperCase(), `${name}:${hex}`, `${name.toUpperCase()}=${hex}`, `${name}:${base64}`];
        // of a bare text without padding nothing tells that it is base64
        if (base64.endsWith('=')) spelled.push(base64);
        if (name === 'sha1')
          spelled.push(base32(digest), `sha1:${base32(digest)}`, `SHA-1:${base32(digest).toLowerCase()}`);
        for (const text of spelled) expect(signatureOf(text), text).toEqual({ kind: name, value: hex });
      }
    },
  );

  it('of two algorithms cannot be compared', () => {
    const [one, other] = ['sha1', 'md5'].map((name) => signatureNumber(createHash(name).update('a').digest('hex')));
    expect(areComparable(one, other)).toBe(false);
    expect(areComparable(one, signatureNumber('version 1'))).toBe(false);
    expect(areComparable(one, Number.NaN)).toBe(false);
  });

  it('are whole numbers below 2^53, and no two of a hundred thousand are alike', () => {
    const numbers = Array.from({ length: 1e5 }, (_, n) => signatureNumber(`version-${n}`));
    expect(numbers.every((each) => Number.isSafeInteger(each))).toBe(true);
    expect(new Set(numbers).size).toBe(1e5);
  });
});

/** RFC 4648, section 6, bit by bit. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}
