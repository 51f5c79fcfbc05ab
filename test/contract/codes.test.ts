/**
 * One list of codes: nothing in it is unused, and the page made from it is the committed one. That nothing else is used
 * the compiler holds.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conditionCodes, fieldCodes } from '../../src/schemas/contract/codes.ts';

const source = new URL('../../src/', import.meta.url).pathname;
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(
    (file) =>
      file.endsWith('.ts') && !file.startsWith('console') && !/contract\/codes\.ts$|condition-codes\.ts$/.test(file),
  )
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }));

describe('field codes', () => {
  it('are all in use', () => {
    const everything = files.map(({ text }) => text).join('\n');
    const unusedCodes = Object.keys(fieldCodes).filter((code) => !everything.includes(`'${code}'`));
    // codes of zod's own are not written in src
    expect(unusedCodes.filter((code) => code in conditionCodes)).toEqual([]);
  });
});
