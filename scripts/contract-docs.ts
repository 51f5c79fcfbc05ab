/**
 * Writes what the documentation says of fields from the schemas. These are the tables "What to send" and "What comes
 * back" of each operation's page and docs/parts.md (what several operations share). The tables of operations in
 * README.md and docs/README.md, and of variables in docs/configuration.md, come from it too. Between the marks `<!-- contract:… -->` and `<!-- /contract -->`
 * nothing is written by hand. With --check, fails when a page differs from what is committed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeConfiguration } from '../src/config.ts';
import { operations } from '../src/operations/index.ts';
import type { Operation } from '../src/operations/operation.ts';
import { answerJsonSchema, isSchema, type JsonSchema, requestJsonSchema } from './json-schema.ts';
import { type Field, type Fields, fieldsOf, fieldsOfPart } from './schema-fields.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What every answer has around its own fields; docs/contract.md tells of it. */
const common = ['status', 'summary', 'objective', 'warnings', 'statistics', 'conflict'];

/** What lies deeper than a request's lists and a solution's stands in the OpenAPI document and in `--help`. */
const deepest = { request: 1, solution: 2, beside: 0 };

/** Names of rows, which docs/contract.md tells of once. */
const untold = ({ path, description }: Field): boolean =>
  /^solution$|\]\.id$/.test(path) || (/^solution\b.*\]\.host$/.test(path) && description === 'The host');

interface Told {
  readonly request: Fields;
  readonly answer: Fields;
}

/** The pages as they must be, by path. */
export function contractPages(): Map<string, string> {
  const told = new Map<string, Told>();
  for (const operation of operations) {
    const path = `docs/${operation.name}.md`;
    if (!existsSync(root + path)) continue;
    const request = fieldsOf(requestJsonSchema(operation.requestSchema), operation.timeUnit, deepest.request);
    told.set(path, { request, answer: answeredFields(operation) });
  }
  const tables = [...told.values()].flatMap(({ request, answer }) => [request, answer]);
  const groups = groupsOf(tables.map(({ fields }) => fields));
  const pages = new Map<string, string>();
  for (const [path, { request, answer }] of told) {
    const up = '../'.repeat(path.split('/').length - 2);
    const contents = { request: table(request, up, groups), answer: table(answer, up, groups, plainlyAnswered) };
    pages.set(path, filled(path, contents));
  }
  const parts = new Map<string, JsonSchema>();
  for (const [name, schema] of tables.flatMap((table) => [...table.parts])) {
    // What a field says of its own use of a part is no description of the part.
    const { description, ...other } = schema;
    const same = parts.get(name)?.description === description || !parts.has(name);
    parts.set(name, same ? schema : other);
  }
  pages.set('docs/parts.md', partsPage(parts, groups));
  const isMission = ({ name }: Operation): boolean => mission.includes(name);
  const [own, others] = [operations.filter(isMission), operations.filter((operation) => !isMission(operation))];
  pages.set('README.md', filled('README.md', { mission: questions(own), operations: questions(others) }));
  const index = operations.map(({ name }) => `[${name}](${name}.md)`).join(',\n');
  pages.set('docs/README.md', filled('docs/README.md', { operations: `${index}.` }));
  const variables = describeConfiguration().map(({ name, fallback, meaning }) => [
    `\`${name}\``,
    fallback === '' ? '' : `\`${fallback}\``,
    meaning,
  ]);
  const inTable = lines(['Variable', 'Default', 'Meaning'], variables);
  pages.set('docs/configuration.md', filled('docs/configuration.md', { variables: inTable }));
  return pages;
}

/** The answer's own fields: the solution, and what stands beside it. */
function ownAnswer(operation: Operation): JsonSchema {
  const { properties } = answerJsonSchema(operation.answerSchema);
  const own = Object.entries(isSchema(properties) ? properties : {}).filter(([name]) => !common.includes(name));
  return { properties: Object.fromEntries(own) };
}

/** A solution is told in full, what stands beside it in short; docs/contract.md tells of what several have. */
function answeredFields(operation: Operation): Fields {
  const { fields, parts } = fieldsOf(ownAnswer(operation), operation.timeUnit, deepest.solution);
  const series = ['sweep', 'front', 'curve'];
  const told = fields.filter(
    ({ path, depth }) => path.startsWith('solution') || (depth <= deepest.beside && !series.includes(path)),
  );
  return { fields: told.map((field) => ({ ...field, required: false })), parts };
}

/** The path of the object that holds a field, and the object's own name. */
const holderOf = (path: string): string => path.replace(/(?:\([^)]*\)|(?:\[\])?\.[^.(]*)$/, '');
const nameOf = (path: string): string => path.replace(/^.*\./, '');

/** Objects that several tables have, by name, each with the fields that are the same wherever they stand. */
type Groups = ReadonlyMap<string, ReadonlyMap<string, Field>>;

/** A table's own lists and its solution are told where they stand; a field counts as shared from the second table on. */
function groupsOf(tables: readonly (readonly Field[])[]): Groups {
  const seen = new Map<string, Map<string, Field[]>>();
  for (const fields of tables) {
    const own = new Set(fields.filter(({ type, path }) => /rows or columns/.test(type) || path === 'solution'));
    const apart = new Set([...own].map(({ path }) => path));
    for (const field of fields) {
      const holder = holderOf(field.path);
      if (holder === field.path || apart.has(holder) || untold(field) || field.name === '…') continue;
      const members = seen.get(nameOf(holder)) ?? new Map<string, Field[]>();
      seen.set(nameOf(holder), members.set(field.name, [...(members.get(field.name) ?? []), field]));
    }
  }
  const groups = new Map<string, Map<string, Field>>();
  for (const [name, members] of seen) {
    const shared = [...members].filter(
      ([, all]) => all.length > 1 && all.every(({ description }) => description === all[0].description),
    );
    if (shared.length > 1) groups.set(name, new Map(shared.map(([member, [first]]) => [member, first])));
  }
  return groups;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

const lines = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((row) => row.map(cell).join(' | ')).join('\n');

/** `seconds > 0`, `share`: a unit says that it counts numbers, and that none is negative. */
function typed({ type, unit, description }: Field): string {
  // Limits that only guard the service stand in the OpenAPI document.
  const kept = type
    .replaceAll(/,? ≤ (?:\d{6,}|\d(?:\.\d+)?e\d+)|(?: ≥| >) (?:-?\d(?:\.\d+)?e\d+|1e-\d{2,})/g, '')
    .replaceAll('" | "', '", "')
    .replaceAll(' | ', ' or ')
    .replaceAll('list of list of', 'matrix of')
    .replace(/^list of .*, as rows or columns$/, 'table')
    .replace(/\binteger(?: ≥ 0)?$/, unit === 'position' ? unit : '$&');
  const short = unit
    .replace(/time units?/, 'time')
    .replace(/(\w*) ?\bper /, (_, of) => `${of === '' ? 1 : of}/`)
    .replace(/^of the .*/, 'share');
  if (unit === '' || type === unit || kept.endsWith(unit)) return kept;
  const number = /^number(?: ≥ 0(?![.\d]))?(?:, ≤ 1(?![.\d]))?/;
  if (number.test(kept)) return kept.replace(number, short);
  const bare = kept.replace(/ ≥ 0(?![.\d])/, '');
  return description.toLowerCase().includes(short) ? bare : `${bare}, ${short}`;
}

/** `Law` with a link to the page of shared parts. */
function linked(type: string, { parts }: Fields, up: string): string {
  const words = type.split(/(\W+)/);
  const known = (word: string): boolean => (parts.has(word) && !told.has(word)) || word === 'Law';
  return words.map((word) => (known(word) ? `[${word}](${up}parts.md#${word.toLowerCase()})` : word)).join('');
}

/** What docs/contract.md says of every table of an answer. */
const inForm = /^The \w+, in the order and form of the request$/;

/** Types that need not be said: a name, a switch, what shows in the rows below; of answers also numbers and counts. */
const plainlySent = /^(?:string|boolean|object|list of (?!number|integer|string)[\w ]+)$/;
const plainlyAnswered = /^(?!.*(?:time|second|cost|weight))[a-z[\], ]*$/;

/** A table of fields: of each its type with its unit and what it is when left out, and what it is. */
function table(all: Fields, up: string, groups: Groups, plain = plainlySent): string {
  const isTold = (field: Field): boolean =>
    untold(field) || sharedAs(groups, field) || /^options(?:\.(?:timeLimitMs|seed))?$/.test(field.path);
  const typeOf = (field: Field): string => {
    const below = all.fields.filter((one) => holderOf(one.path) === field.path && one !== field);
    const again = below.find(({ name }) => name === '…')?.description.replace(/^As in (.*)/, 'as `$1`');
    const shared = below.filter((one) => sharedAs(groups, one)).map(({ name }) => name);
    const page = `(${up}parts.md#${nameOf(field.path).toLowerCase()})`;
    const whole = shared.length === groups.get(nameOf(field.path))?.size;
    const members = whole ? `\`${nameOf(field.path)}\`` : `{${shared.join(', ')}}`;
    if (shared.length > 0) return `[${/^"/.test(field.type) ? typed(field) : members}]${page}`;
    return again ?? linked(typed(field), all, up);
  };
  const row = (field: Field): string[] => {
    const { path, type, required, fallback, description } = field;
    const said = all.parts.get(type)?.description === description ? '' : description;
    // docs/contract.md says that a switch is off.
    const start = fallback === '' || fallback === 'false' ? '' : `default \`${fallback}\``;
    const kind = plain.test(typeOf(field)) ? '' : typeOf(field);
    // Where null can come, the description says what it means.
    const known = description.includes('null') ? kind.replace(/ or null$/, '') : kind;
    const sent = description.includes('[low, high]') ? known.replace(/^(?:\[.*\]|list of number)(?:, |$)/, '') : known;
    const detail = [sent, start].filter((part) => part !== '').join(', ');
    const name = required ? `**\`${path}\`**` : `\`${path}\``;
    return [name, said === '' || detail === '' ? said + detail : `${said} (${detail})`];
  };
  const own = all.fields.filter((field) => field.name !== '…' && !isTold(field) && !inForm.test(field.description));
  return lines(['Field', 'What it is'], own.map(row));
}

/** Whether the page of shared parts tells of the field. */
const sharedAs = (groups: Groups, { path, name }: Field): boolean =>
  holderOf(path) !== path && (groups.get(nameOf(holderOf(path)))?.has(name) ?? false);

/** Parts of every answer, which docs/contract.md tells of, and those that the fields say whole where they are used. */
const told = new Set(['Check', 'Objective', 'SignalledCheck', 'Status']);

/** One row a variant, where all there is are variants: its type and its parameters. */
function variants({ fields }: Fields): string | undefined {
  const heads = fields.filter(({ depth, type }) => depth === 0 && type === '');
  if (heads.length === 0 || fields.some((field) => field.depth === 0 && field.type !== '')) return undefined;
  const parametersOf = (head: Field): string =>
    fields
      .filter(({ path }) => path.startsWith(`${head.path}.`))
      .map(
        (field) =>
          `\`${field.name}\`${typed(field).replace(/^(?:(?:list|matrix) of )*(?:number|time|1\/time|integer)|,.*$/g, '')}`,
      )
      .join(', ');
  const rows = heads.map((head) => [`\`${head.name}\``, parametersOf(head), head.description]);
  return lines(['Type', 'Parameters', 'What it is'], rows);
}

const sameField = (one: Field, other: Field): boolean =>
  one.name === other.name && one.description === other.description;

/** A table of fields, without those that the part Target tells of in the same words: they are named after it. */
function apartFromTarget({ fields, parts }: Fields, targets: readonly Field[]): string[] {
  const again = fields.filter((field) => targets.some((target) => sameField(field, target)));
  const shared = again.length > 1;
  const rest = shared ? fields.filter((field) => !again.includes(field)) : fields;
  const named = `Measures of [Target](#target): ${again.map(({ name }) => `\`${name}\``).join(', ')}.`;
  return [
    ...(rest.length > 0 ? [table({ fields: rest, parts }, '', new Map()), ''] : []),
    ...(shared ? [named, ''] : []),
  ];
}

/** The page of what several operations share. */
function partsPage(found: ReadonlyMap<string, JsonSchema>, groups: Groups): string {
  const parts = new Map([...found].filter(([name]) => !told.has(name)));
  const sections: string[] = [];
  const target = parts.get('Target');
  const targets = target === undefined ? [] : fieldsOfPart(target).fields;
  for (const [name, schema] of parts) {
    const all = fieldsOfPart(schema);
    for (const [other, part] of all.parts) if (!parts.has(other)) parts.set(other, part);
    const { description } = schema;
    const kinds = variants(all);
    const rows = kinds === undefined ? apartFromTarget(all, schema === target ? [] : targets) : [kinds, ''];
    // A choice says in its rows what it is; what it is for is said where it is used.
    const again = schema !== target && description === target?.description;
    const own = typeof description === 'string' && kinds === undefined && !again ? description : '';
    const said = own === '' ? [] : [`${own}.`.replace(/\.\.$/, '.'), ''];
    sections.push([`## ${name}`, '', ...said, ...rows].join('\n'));
  }
  for (const [name, members] of groups) {
    const fields = [...members.values()].map((field) => ({ ...field, path: field.name }));
    sections.push([`## ${name}`, '', ...apartFromTarget({ fields, parts }, targets)].join('\n'));
  }
  return [
    '# Shared parts',
    '',
    'What several operations have in common, generated by `npm run contract-docs`. Required fields are bold.',
    '',
    ...sections.sort((a, b) => a.localeCompare(b)),
  ].join('\n');
}

/** What the service is for; the other operations go with these. */
const mission = [
  'crawl-plan',
  'crawler-count',
  'threshold-policy',
  'activation-policy',
  'access-frequencies',
  'crawl-allocation',
  'slot-assignment',
];

/** Operations as questions, with a link to the page of each. */
const questions = (of: readonly Operation[]): string =>
  lines(
    ['Question', 'Ask'],
    of.map(({ name, summary }) => [summary, `[\`${name}\`](docs/${name}.md)`]),
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
