/** One list of codes: nothing else is used, nothing in it is unused, and the page made from it is the committed one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorsFile, errorsPage } from '../../scripts/errors.ts';
import { conditionCodes, fieldCodes, isFieldCode } from '../../src/schemas/contract/codes.ts';

const source = new URL('../../src/', import.meta.url).pathname;
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('console') && !file.endsWith('contract/codes.ts'))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }));

/** The text of the arguments of a call, split at the commas between them. */
function argumentsAt(text: string, from: number): string[] {
  const found: string[] = [''];
  let depth = 0;
  let quote = '';
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (quote !== '') {
      if (c === quote) quote = '';
    } else if (c === "'" || c === '`' || c === '"') quote = c;
    else if (c === '(' || c === '[' || c === '{') depth++;
    else if (c === ')' || c === ']' || c === '}') {
      if (depth === 0) return found;
      depth--;
    } else if (c === ',' && depth === 0) {
      found.push('');
      continue;
    }
    found[found.length - 1] += c;
  }
  return found;
}

/** The words a solver throws: the second argument of every ConditionNotMet, a literal or a choice of literals. */
const thrown = files.flatMap(({ file, text }) =>
  [...text.matchAll(/new ConditionNotMet\(/g)].map((match) => {
    const code = argumentsAt(text, match.index + match[0].length)[1] ?? '';
    return { file, code: code.trim(), words: [...code.matchAll(/'([^']*)'/g)].map(([, word]) => word) };
  }),
);

describe('field codes', () => {
  it('are kebab-case where they name a condition, with a meaning in a sentence', () => {
    for (const [code, meaning] of Object.entries(conditionCodes)) {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(meaning).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('are the only ones that solvers throw', () => {
    expect(thrown.length).toBeGreaterThan(30);
    for (const { file, code, words } of thrown) {
      expect(words.length, `${file}: ${code} is no literal`).toBeGreaterThan(0);
      for (const word of words) expect(isFieldCode(word), `${file}: ${word} is not listed`).toBe(true);
    }
  });

  it('are all in use', () => {
    const everything = files.map(({ text }) => text).join('\n');
    const unused = Object.keys(fieldCodes).filter((code) => !everything.includes(`'${code}'`));
    // zod's own words stand in zod, not here
    expect(unused.filter((code) => code in conditionCodes)).toEqual([]);
  });

  it('are written in docs/errors.md', () => {
    expect(readFileSync(errorsFile, 'utf8')).toBe(errorsPage());
  });
});
