/** Links between the documents lead somewhere. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' })
  .split('\n')
  .filter((page) => page !== '' && existsSync(page));

/** The anchor that a heading gets, as GitHub writes it. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchors = (page: string): ReadonlySet<string> =>
  new Set([...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading)));

describe.each(pages)('%s', (page) => {
  it('has no broken link', () => {
    const broken = [...readFileSync(page, 'utf8').matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .map(([link, target, fragment]) => ({ link, file: target === '' ? page : join(dirname(page), target), fragment }))
      .filter(
        ({ file, fragment }) =>
          !existsSync(file) || (fragment !== undefined && file.endsWith('.md') && !anchors(file).has(fragment)),
      );
    expect(broken.map(({ link }) => link)).toEqual([]);
  });
});

it('the pages name scripts of the package, and files of the repository', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const places =
    /(?<![\w/.-])((?:src|scripts|test|bench|deploy|examples|docs|openapi)\/[\w./-]*\w\.(?:ts|json|sh|md|ndjson|sql))/g;
  const missing = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) => {
      const text = readFileSync(page, 'utf8');
      const commands = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].filter(([, name]) => !(name in scripts));
      const files = [...text.matchAll(places)].filter(
        ([, file]) => !existsSync(file) && !existsSync(join(dirname(page), file)),
      );
      return [...commands, ...files].map(([found]) => `${page}: ${found}`);
    });
  expect(missing).toEqual([]);
});

it('docs/README.md leads to every page', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const documents = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
  expect(documents.filter((page) => !index.includes(`](${page.slice('docs/'.length)})`))).toEqual([]);
});
