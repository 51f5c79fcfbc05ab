/** Fields that the documents name are fields of the contract, or words of the sources: nothing is told of the past. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const below = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));

/** What may be named. */
const sources = ['openapi/openapi.json', ...below('src', /\.tsx?$/)].map(read);
const known = new Set(sources.join('\n').match(/[A-Za-z][A-Za-z\d]*/g));

const pages = [
  ...operations.map(({ name }) => `docs/${name}.md`),
  ...['contract', 'quick-start', 'glossary', 'bodies', 'library', 'command-line'].map((name) => `docs/${name}.md`),
  ...below('docs/how-to', /\.md$/).filter((file) => !file.endsWith('integrations.md')), // names what crawlers call it
];

/** The camelCase words in code within a line, generated tables left out. */
const namesIn = (markdown: string): string[] =>
  [
    ...markdown
      .replaceAll(/<!-- contract:[\s\S]*?<!-- \/contract -->/g, '')
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .matchAll(/`([^`\n]+)`/g),
  ].flatMap(([, code]) => code.match(/\b[a-z]+(?:[A-Z][a-z\d]*)+\b/g) ?? []);

describe('the documents', () => {
  it('name many fields', () => {
    expect(pages.flatMap((file) => namesIn(read(file))).length).toBeGreaterThan(60);
    expect(known.has('lastCrawl')).toBe(true);
    expect(known.has('starvationWieght')).toBe(false);
  });

  it.each(pages)('%s names only fields that there are', (file) => {
    expect(namesIn(read(file)).filter((name) => !known.has(name))).toEqual([]);
  });
});
