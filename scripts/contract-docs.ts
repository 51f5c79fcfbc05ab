/**
 * Writes what the documentation says of fields from the schemas. These are the tables "What to send" and "What comes
 * back" of each operation's page, docs/parts.md (what several operations share) and docs/errors.md. The tables of operations in
 * README.md and docs/README.md, of variables in docs/configuration.md, and of options of the command line come from it
 * too. Between the marks `<!-- contract:… -->` and `<!-- /contract -->` nothing is written by hand. With --check, fails when a page differs from what is committed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importHelp, planHelp } from '../src/cli/commands/plan.ts';
import { type Options, optionRows } from '../src/cli/options.ts';
import { describeConfiguration } from '../src/config.ts';
import { operations } from '../src/operations/index.ts';
import type { Operation } from '../src/operations/operation.ts';
import { tablesHelp } from '../src/tables/command.ts';
import { errorsPage } from './errors.ts';
import {
  answerJsonSchema,
  type Field,
  type Fields,
  fieldsOf,
  fieldsOfPart,
  isSchema,
  type JsonSchema,
  requestJsonSchema,
} from './schema-fields.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Fields of every answer, described in docs/contract.md. */
const common = ['status', 'summary', 'objective', 'warnings', 'statistics', 'conflict'];

/** Depth of the fields in the tables; deeper ones are in the OpenAPI document. */
const maxDepth = { request: 1, solution: 2, supplement: 0 };

/** Fields that docs/contract.md describes once for all operations: names of rows. */
const isOmitted = ({ path, description }: Field): boolean =>
  /^solution$|\]\.id$/.test(path) || (/^solution\b.*\]\.host$/.test(path) && description === 'The host');

interface PageFields {
  readonly request: Fields;
  readonly answer: Fields;
}

/** The pages as they must be, by path. */
function contractPages(): Map<string, string> {
  const fieldsByPage = new Map<string, PageFields>();
  for (const operation of operations) {
    const path = `docs/${operation.name}.md`;
    if (!existsSync(root + path)) continue;
    const request = fieldsOf(requestJsonSchema(operation.requestSchema), operation.timeUnit, maxDepth.request);
    fieldsByPage.set(path, { request, answer: answerFields(operation) });
  }
  const tables = [...fieldsByPage.values()].flatMap(({ request, answer }) => [request, answer]);
  const groups = groupsOf(tables.map(({ fields }) => fields));
  const pages = new Map<string, string>();
  for (const [path, { request, answer }] of fieldsByPage) {
    const up = '../'.repeat(path.split('/').length - 2);
    const contents = { request: table(request, up, groups), answer: table(answer, up, groups, plainAnswerType) };
    pages.set(path, fillMarks(path, contents));
  }
  const parts = new Map<string, JsonSchema>();
  for (const [name, schema] of tables.flatMap((table) => [...table.parts])) {
    // What a field says of its own use of a part is no description of the part.
    const { description, ...rest } = schema;
    const isSameDescription = parts.get(name)?.description === description || !parts.has(name);
    parts.set(name, isSameDescription ? schema : rest);
  }
  pages.set('docs/parts.md', markGenerated(partsPage(parts, groups)));
  pages.set('docs/errors.md', markGenerated(errorsPage()));
  const isMission = ({ name }: Operation): boolean => mission.includes(name);
  const [missionOperations, otherOperations] = [
    operations.filter(isMission),
    operations.filter((operation) => !isMission(operation)),
  ];
  pages.set(
    'README.md',
    fillMarks('README.md', { mission: questions(missionOperations), operations: questions(otherOperations) }),
  );
  const index = operations.map(({ name }) => `[${name}](${name}.md)`).join(',\n');
  pages.set('docs/README.md', fillMarks('docs/README.md', { operations: `${index}.` }));
  const variables = describeConfiguration().map(({ name, fallback, meaning }) => [
    `\`${name}\``,
    fallback === '' ? '' : `\`${fallback}\``,
    meaning,
  ]);
  const variableTable = lines(['Variable', 'Default', 'Meaning'], variables);
  pages.set('docs/configuration.md', fillMarks('docs/configuration.md', { variables: variableTable }));
  const planOptions = optionTable({ ...planHelp.options, ...importHelp.options });
  pages.set('docs/command-line.md', fillMarks('docs/command-line.md', { options: planOptions }));
  const tablesPage = 'docs/how-to/large-tables.md';
  pages.set(tablesPage, fillMarks(tablesPage, { options: optionTable(tablesHelp.options) }));
  return pages;
}

const optionTable = (options: Options): string =>
  lines(
    ['Option', 'Meaning'],
    optionRows(options).map(([name, meaning]) => [`\`${name}\``, meaning]),
  );

/** The answer's own fields: the solution, and what stands beside it. */
function ownAnswer(operation: Operation): JsonSchema {
  const { properties } = answerJsonSchema(operation.answerSchema);
  const own = Object.entries(isSchema(properties) ? properties : {}).filter(([name]) => !common.includes(name));
  return { properties: Object.fromEntries(own) };
}

/** A solution is told in full, what stands beside it in short; docs/contract.md tells of what several have. */
function answerFields(operation: Operation): Fields {
  const { fields, parts } = fieldsOf(ownAnswer(operation), operation.timeUnit, maxDepth.solution);
  const series = ['sweep', 'curve'];
  const shownFields = fields.filter(
    ({ path, depth }) => path.startsWith('solution') || (depth <= maxDepth.supplement && !series.includes(path)),
  );
  return { fields: shownFields.map((field) => ({ ...field, required: false })), parts };
}

/** The path of the object that holds a field, and the object's own name. */
const holderOf = (path: string): string => path.replace(/(?:\([^)]*\)|(?:\[\])?\.[^.(]*)$/, '');
const nameOf = (path: string): string => path.replace(/^.*\./, '');

/** Objects that several tables have, by name, each with the fields that are the same wherever they stand. */
type Groups = ReadonlyMap<string, ReadonlyMap<string, Field>>;

/** A table's own lists and its solution are told where they stand; a field counts as shared from the second table on. */
function groupsOf(tables: readonly (readonly Field[])[]): Groups {
  const fieldsByGroup = new Map<string, Map<string, Field[]>>();
  for (const fields of tables) {
    const own = new Set(fields.filter(({ type, path }) => /rows or columns/.test(type) || path === 'solution'));
    const ownPaths = new Set([...own].map(({ path }) => path));
    for (const field of fields) {
      const holder = holderOf(field.path);
      if (holder === field.path || ownPaths.has(holder) || isOmitted(field)) continue;
      const members = fieldsByGroup.get(nameOf(holder)) ?? new Map<string, Field[]>();
      fieldsByGroup.set(nameOf(holder), members.set(field.name, [...(members.get(field.name) ?? []), field]));
    }
  }
  const groups = new Map<string, Map<string, Field>>();
  for (const [name, members] of fieldsByGroup) {
    const sharedMembers = [...members].filter(
      ([, uses]) => uses.length > 1 && uses.every(({ description }) => description === uses[0].description),
    );
    if (sharedMembers.length > 1) groups.set(name, new Map(sharedMembers.map(([member, [first]]) => [member, first])));
  }
  return groups;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

const lines = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((row) => row.map(cell).join(' | ')).join('\n');

/** `seconds > 0`, `share`: a unit says that it counts numbers, and that none is negative. */
function typeText({ type, unit, description }: Field): string {
  // Limits that only guard the service stand in the OpenAPI document.
  const words = type
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
  if (unit === '' || type === unit || words.endsWith(unit)) return words;
  const number = /^number(?: ≥ 0(?![.\d]))?(?:, ≤ 1(?![.\d]))?/;
  if (number.test(words)) return words.replace(number, short);
  const plainType = words.replace(/ ≥ 0(?![.\d])/, '');
  return description.toLowerCase().includes(short) ? plainType : `${plainType}, ${short}`;
}

/** `Law` with a link to the page of shared parts. */
function linkParts(type: string, { parts }: Fields, up: string): string {
  const words = type.split(/(\W+)/);
  const isLinked = (word: string): boolean => (parts.has(word) && !omittedParts.has(word)) || word === 'Law';
  return words.map((word) => (isLinked(word) ? `[${word}](${up}parts.md#${word.toLowerCase()})` : word)).join('');
}

/** What docs/contract.md says of every table of an answer. */
const inRequestOrder = /^The \w+, in the order and form of the request$/;

/** Types that need not be said: a name, a switch, what shows in the rows below; of answers also numbers and counts. */
const plainRequestType = /^(?:string|boolean|object|list of (?!number|integer|string)[\w ]+)$/;
const plainAnswerType = /^(?!.*(?:time|second|cost|weight))[a-z[\], ]*$/;

/** A table of fields: of each its type with its unit and what it is when left out, and what it is. */
function table(contents: Fields, up: string, groups: Groups, plain = plainRequestType): string {
  const isElsewhere = (field: Field): boolean =>
    isOmitted(field) || isShared(groups, field) || /^options(?:\.(?:timeLimitMs|seed))?$/.test(field.path);
  const typeOf = (field: Field): string => {
    const children = contents.fields.filter((one) => holderOf(one.path) === field.path && one !== field);
    const sharedNames = children.filter((one) => isShared(groups, one)).map(({ name }) => name);
    const page = `(${up}parts.md#${nameOf(field.path).toLowerCase()})`;
    const isWholeGroup = sharedNames.length === groups.get(nameOf(field.path))?.size;
    const members = isWholeGroup ? `\`${nameOf(field.path)}\`` : `{${sharedNames.join(', ')}}`;
    if (sharedNames.length > 0) return `[${/^"/.test(field.type) ? typeText(field) : members}]${page}`;
    return linkParts(typeText(field), contents, up);
  };
  const row = (field: Field): string[] => {
    const { path, type, required, fallback, description } = field;
    const summary = contents.parts.get(type)?.description === description ? '' : description;
    // docs/contract.md says that a switch is off.
    const start = fallback === '' || fallback === 'false' ? '' : `default \`${fallback}\``;
    const kind = plain.test(typeOf(field)) ? '' : typeOf(field);
    // Where null can come, the description says what it means.
    const nonNullKind = description.includes('null') ? kind.replace(/ or null$/, '') : kind;
    const shownKind = description.includes('[low, high]')
      ? nonNullKind.replace(/^(?:\[.*\]|list of number)(?:, |$)/, '')
      : nonNullKind;
    const detail = [shownKind, start].filter((part) => part !== '').join(', ');
    const name = required ? `**\`${path}\`**` : `\`${path}\``;
    return [name, summary === '' || detail === '' ? summary + detail : `${summary} (${detail})`];
  };
  const own = contents.fields.filter((field) => !isElsewhere(field) && !inRequestOrder.test(field.description));
  return lines(['Field', 'What it is'], own.map(row));
}

/** Whether the page of shared parts tells of the field. */
const isShared = (groups: Groups, { path, name }: Field): boolean =>
  holderOf(path) !== path && (groups.get(nameOf(holderOf(path)))?.has(name) ?? false);

/** Parts of every answer, which docs/contract.md tells of, and those that the fields say whole where they are used. */
const omittedParts = new Set(['Check', 'Objective', 'SignalledCheck', 'Status']);

/** One row a variant, where all there is are variants: its type and its parameters. */
function variants({ fields }: Fields): string | undefined {
  const heads = fields.filter(({ depth, type }) => depth === 0 && type === '');
  if (heads.length === 0 || fields.some((field) => field.depth === 0 && field.type !== '')) return undefined;
  const parametersOf = (head: Field): string =>
    fields
      .filter(({ path }) => path.startsWith(`${head.path}.`))
      .map(
        (field) =>
          `\`${field.name}\`${typeText(field).replace(/^(?:(?:list|matrix) of )*(?:number|time|1\/time|integer)|,.*$/g, '')}`,
      )
      .join(', ');
  const rows = heads.map((head) => [`\`${head.name}\``, parametersOf(head), head.description]);
  return lines(['Type', 'Parameters', 'What it is'], rows);
}

/** The page of what several operations share. */
function partsPage(partSchemas: ReadonlyMap<string, JsonSchema>, groups: Groups): string {
  const parts = new Map([...partSchemas].filter(([name]) => !omittedParts.has(name)));
  const sections: string[] = [];
  for (const [name, schema] of parts) {
    const contents = fieldsOfPart(schema);
    for (const [partName, part] of contents.parts) if (!parts.has(partName)) parts.set(partName, part);
    const { description } = schema;
    const kinds = variants(contents);
    // A choice says in its rows what it is; what it is for is said where it is used.
    const own = typeof description === 'string' && kinds === undefined ? description : '';
    const intro = own === '' ? [] : [`${own}.`.replace(/\.\.$/, '.'), ''];
    sections.push([`## ${name}`, '', ...intro, kinds ?? table(contents, '', new Map()), ''].join('\n'));
  }
  for (const [name, members] of groups) {
    const fields = [...members.values()].map((field) => ({ ...field, path: field.name }));
    sections.push([`## ${name}`, '', table({ fields, parts }, '', new Map()), ''].join('\n'));
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

/** A page of which nothing is written by hand. */
const markGenerated = (page: string): string => `<!-- contract:page -->\n\n${page}\n<!-- /contract -->\n`;

/** The page with what belongs between its marks. */
function fillMarks(path: string, contents: Readonly<Record<string, string>>): string {
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
    const committed = existsSync(root + path) ? readFileSync(root + path, 'utf8') : '';
    if (committed === page) continue;
    if (!check) writeFileSync(root + path, page);
    else {
      process.stderr.write(`${path} differs from the schemas: npm run contract-docs\n`);
      process.exitCode = 1;
    }
  }
}
