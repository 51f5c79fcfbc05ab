/** The console is made from the contract: outside of pictures/ it names no operation and no field of one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isRecord } from '../../src/console/api/json.ts';
import { quantities } from '../../src/schemas/contract/field.ts';
import { questions } from './questions-of-contract.ts';

/** What every request or answer has, quantities, and words that the console uses in a sense of its own. */
const envelope = [
  ...Object.keys(quantities),
  ...['status', 'summary', 'objective', 'value', 'bound', 'gap', 'measure', 'unit', 'solution', 'conflict', 'detail'],
  ...['warnings', 'code', 'pointer', 'statistics', 'solver', 'version', 'solveMs', 'queueMs', 'options', 'timeLimitMs'],
  ...['type', 'from', 'to', 'limit', 'size', 'name', 'read', 'page'],
  ...['table', 'values', 'log', 'timeZone'],
];

/** The names of all properties below a schema. */
function namesBelow(schema: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(schema)) for (const each of schema) namesBelow(each, found);
  if (!isRecord(schema)) return found;
  for (const [keyword, inner] of Object.entries(schema)) {
    if (keyword === 'properties' && isRecord(inner)) for (const name of Object.keys(inner)) found.add(name);
    namesBelow(inner, found);
  }
  return found;
}

/** The names, and their groups: `simulations/`. */
const operations = new Set(
  questions.flatMap(({ name }) => [name, name.replace(/[^/]*$/, '')]).filter((name) => name !== ''),
);
const fields = new Set(
  questions
    .flatMap(({ schema, answer }) => [...namesBelow(schema), ...namesBelow(answer())])
    .filter((name) => !envelope.includes(name)),
);

const folder = 'src/console';
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.startsWith('pictures/'),
);

/** The words in quotes of a file, and the members with a capital inside that it reads: what can name a field. */
function named(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replaceAll(/^(import|export) .* from '.*';$/gm, '');
  const quoted = [...code.matchAll(/'([^'\n]*)'|`\/?([\w-]+)`/g)].map(([, single, back]) => single ?? back);
  const members = [...code.matchAll(/\??\.([a-z]+[A-Z]\w*)\b(?!\()/g)].map(([, member]) => member);
  return [...quoted, ...members];
}

it('the contract has operations and fields to name', () => {
  expect(operations.size).toBeGreaterThanOrEqual(15);
  expect(fields.size).toBeGreaterThan(200);
  expect(files.length).toBeGreaterThan(25);
});

it('names its title in words that people use', () => {
  const titles = new Map(questions.map(({ name, title }) => [name, title]));
  expect(titles.get('estimates/change-rates')).toBe('Change rates');
  expect(titles.get('crawl-plan')).toBe('Crawl plan');
});

it.each(files)('%s names none of them', (file) => {
  const found = named(readFileSync(join(folder, file), 'utf8')).filter(
    (word) => operations.has(word) || (fields.has(word) && !envelope.includes(word)),
  );
  expect(found).toEqual([]);
});
