/** What the documents name is there: files, headings, scripts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { objectiveNames } from '../../src/solvers/pages/objectives/index.ts';

const folders = ['docs', 'clients', 'examples', 'integrations', 'test'];
const documents = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !/node_modules|target/.test(name))
      .map((name) => join(folder, name)),
  ),
].map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** The name that a heading is linked by. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-');

function anchors(file: string): string[] {
  const prose = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));
}

/** What a pattern's first group finds in every document, where `missing` says so. */
const found = (pattern: RegExp, missing: (name: string, file: string) => boolean): string[] =>
  documents.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].filter(([, name]) => missing(name, file)).map(([, name]) => `${file}: ${name}`),
  );

describe('the documents', () => {
  it('are all looked at', () => {
    expect(documents.length).toBeGreaterThan(30);
    expect(anchors('docs/maintainers/architecture.md')).toContain('how-a-request-runs');
  });

  it('link to files and headings that there are', () => {
    const missing = (target: string, file: string): boolean => {
      const [path, anchor] = target.split('#');
      const full = path === '' ? file : normalize(join(dirname(file), path));
      return !existsSync(full) || (anchor !== undefined && full.endsWith('.md') && !anchors(full).includes(anchor));
    };
    expect(found(/\]\((?![a-z]+:)([^)\s]+)\)/g, missing)).toEqual([]);
  });

  it('name scripts of the package, and files of the repository', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(found(/npm run (?:-s )?([\w:-]+)/g, (name) => !(name in scripts))).toEqual([]);
    const inRepository =
      /(?<![\w/.-])((?:src|scripts|test|bench|deploy|examples|docs|openapi)\/[\w./-]*\w\.(?:ts|json|sh|md|ndjson|sql))/g;
    expect(found(inRepository, (name, file) => !existsSync(name) && !existsSync(join(dirname(file), name)))).toEqual(
      [],
    );
  });

  it('say how an operation, a law and an objective are added in one page, whose files each of them has', () => {
    for (const what of ['an operation', 'a law of times', 'an objective']) {
      const telling = documents.filter(({ text }) => text.includes(`## Adding ${what}`));
      expect(telling.map(({ file }) => file)).toEqual(['CONTRIBUTING.md']);
    }
    const guide = readFileSync('CONTRIBUTING.md', 'utf8');
    const named: Readonly<Record<string, readonly string[]>> = {
      operation: operations.map(({ name }) => name).filter((name) => !name.includes('/')),
      objective: objectiveNames,
      law: ['lomax', 'pareto', 'weibull'],
      name: ['crawl-plan'],
    };
    const places = [...guide.matchAll(/`([\w/-]+\/<(\w+)>[\w./-]*)`/g)].flatMap(([, place, kind]) =>
      named[kind].map((name) => place.replace(`<${kind}>`, name)),
    );
    expect(places.length).toBeGreaterThan(60);
    const there = (place: string): boolean => existsSync(place) || existsSync(place.replace(/\.ts$/, '/index.ts'));
    expect(places.filter((place) => !there(place))).toEqual([]);
  });
});
