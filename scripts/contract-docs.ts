/**
 * Writes what the documentation says of fields from the schemas: the tables "What to send" and "What comes back" of
 * each operation's page, docs/parts.md (what several operations share), and the tables of operations in README.md and
 * docs/README.md. Between the marks `<!-- contract:… -->` and `<!-- /contract -->` nothing is
 * written by hand. With --check, fails when a page differs from what is committed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { answerJsonSchema, isSchema, type JsonSchema, requestJsonSchema } from '../src/cli/json-schema.ts';
import { type Field, type Fields, fieldsOf, fieldsOfPart } from '../src/cli/schema-fields.ts';
import { operations } from '../src/operations/index.ts';
import type { Operation } from '../src/operations/operation.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What every answer has around its own fields; docs/contract.md tells of it. */
const common = ['status', 'summary', 'objective', 'warnings', 'statistics', 'conflict'];

/** What lies deeper than a request's lists and a solution's stands in the OpenAPI document and in `--help`. */
const deepest = { request: 1, solution: 2, beside: 0 };

/** The pages as they must be, by path. */
export function contractPages(): Map<string, string> {
  const pages = new Map<string, string>();
  const parts = new Map<string, JsonSchema>();
  for (const operation of operations) {
    const path = `docs/${operation.name}.md`;
    if (!existsSync(root + path)) continue;
    const up = '../'.repeat(operation.name.split('/').length - 1);
    const sent = fieldsOf(requestJsonSchema(operation.requestSchema), operation.timeUnit, deepest.request);
    const answered = answeredFields(operation);
    for (const { parts: named } of [sent, answered]) for (const [name, part] of named) parts.set(name, part);
    const tables = { request: table(sent, up, 'required'), answer: table(answered, up, 'sent') };
    pages.set(path, filled(path, tables));
  }
  pages.set('docs/parts.md', partsPage(parts));
  pages.set('README.md', filled('README.md', { operations: questions('docs/') }));
  pages.set('docs/README.md', filled('docs/README.md', { operations: questions('') }));
  return pages;
}

/** The answer's own fields: the solution, and what stands beside it. */
function ownAnswer(operation: Operation): JsonSchema {
  const { properties } = answerJsonSchema(operation.answerSchema);
  const own = Object.entries(isSchema(properties) ? properties : {}).filter(([name]) => !common.includes(name));
  return { properties: Object.fromEntries(own) };
}

/** A solution is told in full, what stands beside it in short; every answer has `solution`, every row its id. */
function answeredFields(operation: Operation): Fields {
  const { fields, parts } = fieldsOf(ownAnswer(operation), operation.timeUnit, deepest.solution);
  const told = fields.filter(
    ({ path, depth }) => !/^solution$|\.id$/.test(path) && (path.startsWith('solution') || depth <= deepest.beside),
  );
  return { fields: told, parts };
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

const lines = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** A type without the limits that only guard the service; the OpenAPI document has them all. */
const unguarded = (type: string): string =>
  type.replaceAll(/,? ≤ (?:\d{6,}|\d(?:\.\d+)?e\d+)|(?: ≥| >) (?:-1e\d+|1e-\d{2,})/g, '');

/** `Law` with a link to the page of shared parts. */
function linked(type: string, { parts }: Fields, up: string): string {
  const words = type.split(/(\W+)/);
  const known = (word: string): boolean => parts.has(word) || word === 'Law';
  return words.map((word) => (known(word) ? `[${word}](${up}parts.md#${word.toLowerCase()})` : word)).join('');
}

/** A table of fields: of each its type with its unit and what it is when left out, and what it is. */
function table(all: Fields, up: string, kind: 'required' | 'sent'): string {
  const row = ({ path, type, unit, required, fallback, description: said }: Field): string[] => {
    const description = all.parts.get(type)?.description === said ? '' : said;
    const start = fallback === '' ? (required && kind === 'required' ? '*required*' : '') : `default \`${fallback}\``;
    const typed = [linked(unguarded(type), all, up), type === unit ? '' : unit, start].filter((part) => part !== '');
    return [`\`${path}\``, typed.join(', '), description];
  };
  return lines(['Field', 'Type', 'What it is'], all.fields.map(row));
}

/** The page of what several operations share. */
function partsPage(found: ReadonlyMap<string, JsonSchema>): string {
  const parts = new Map(found);
  const sections: string[] = [];
  for (const [name, schema] of parts) {
    const all = fieldsOfPart(schema);
    for (const [other, part] of all.parts) if (!parts.has(other)) parts.set(other, part);
    const { description } = schema;
    const said = typeof description === 'string' ? [`${description}.`.replace(/\.\.$/, '.'), ''] : [];
    sections.push([`## ${name}`, '', ...said, table(all, '', 'required'), ''].join('\n'));
  }
  return [
    '# Shared parts',
    '',
    'What requests and answers of several operations have in common. Generated by `npm run contract-docs` from',
    '`src/schemas`.',
    '',
    ...sections.sort(),
  ].join('\n');
}

/** The operations as questions, with a link to the page of each. */
const questions = (folder: string): string =>
  lines(
    ['Question', 'Ask'],
    operations.map(({ name, summary }) => [summary, `[\`${name}\`](${folder}${name}.md)`]),
  );

/** The page with what belongs between its marks. */
function filled(path: string, contents: Readonly<Record<string, string>>): string {
  let page = readFileSync(root + path, 'utf8');
  for (const [name, content] of Object.entries(contents)) {
    const marks = new RegExp(`(<!-- contract:${name} -->\n)[^]*?(<!-- /contract -->)`);
    page = page.replace(marks, (_, before: string, after: string) => `${before}\n${content}\n\n${after}`);
  }
  return page;
}

if (import.meta.main) {
  const check = process.argv.includes('--check');
  for (const [path, page] of contractPages()) {
    const before = existsSync(root + path) ? readFileSync(root + path, 'utf8') : '';
    if (before === page) continue;
    if (!check) writeFileSync(root + path, page);
    else {
      process.stderr.write(`${path} differs from the schemas: npm run contract-docs\n`);
      process.exitCode = 1;
    }
  }
}
