/** SECURITY.md names a test for every threat: each of them exists. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const text = readFileSync(new URL('SECURITY.md', root), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Who '))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** The texts of a file, by which its tests are named: what a comment says is none. */
function textsIn(file: string): string[] {
  const code = readFileSync(new URL(file, root), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [...code.matchAll(/(['"`])((?:(?!\1|\n).)+)\1/g)].map(([, , text]) => text);
}

describe('the threat model', () => {
  it('has a test for every threat', () => {
    expect(rows.length).toBeGreaterThanOrEqual(15);
    for (const [, , threat, , test] of rows) expect(test, threat).toMatch(/^`test\/[\w/-]+\.test\.ts`: .+/);
  });

  it.each(rows.map(([, , threat, , test]) => [threat, test] as const))('%s: its test exists', (_, test) => {
    for (const named of test.split('; ')) {
      const [, file, name] = /^`([^`]+)`: (.+)$/.exec(named) ?? [];
      expect(
        textsIn(file).filter((text) => text.includes(name)),
        named,
      ).not.toEqual([]);
    }
  });
});
