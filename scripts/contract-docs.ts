/**
 * Generates the tables of the documentation: "What to send" and "What comes back" of each operation's page, docs/parts.md
 * (schemas that several operations share), docs/errors.md, the operations in README.md and docs/README.md, the variables
 * in docs/configuration.md, and the options of the command line. Text between the marks `<!-- contract:… -->` and
 * `<!-- /contract -->` is generated. With --check it fails if a page is not up to date.
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

/** Whether docs/contract.md describes the field for all operations, as the ids of rows. */
const isOmitted = ({ path, description }: Field): boolean =>
  /^solution$|\]\.id$/.test(path) || (/^solution\b.*\]\.host$/.test(path) && description === 'The host');

interface PageFields {
  readonly request: Fields;
  readonly answer: Fields;
}

/** The up-to-date text of each page, by path. */
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
    // A field's description tells the use of a part there, and does not describe the part.
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

/** The fields of an operation's answer that are not common to all: the solution and its supplements. */
function ownAnswer(operation: Operation): JsonSchema {
  const { properties } = answerJsonSchema(operation.answerSchema);
  const own = Object.entries(isSchema(properties) ? properties : {}).filter(([name]) => !common.includes(name));
  return { properties: Object.fromEntries(own) };
}

/** Fields of an answer for its page: the solution in full depth, its supplements without their inner fields. */
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

/** Objects that occur in several tables, by name, each with the fields that are equal in all of them. */
type Groups = ReadonlyMap<string, ReadonlyMap<string, Field>>;

/** Finds the shared objects: those with at least two fields that several tables describe alike, outside lists. */
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

/** The type in a table, with the unit in place of `number` or `number ≥ 0`: `seconds`, `seconds > 0`, `share`. */
function typeText({ type, unit, description }: Field): string {
  // Upper limits that only protect the service are left to the OpenAPI document.
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

/** The type with a link to docs/parts.md for each shared part in it, such as `Law`. */
function linkParts(type: string, { parts }: Fields, up: string): string {
  const words = type.split(/(\W+)/);
  const isLinked = (word: string): boolean => (parts.has(word) && !omittedParts.has(word)) || word === 'Law';
  return words.map((word) => (isLinked(word) ? `[${word}](${up}parts.md#${word.toLowerCase()})` : word)).join('');
}

/** A description that docs/contract.md already gives for every table of an answer. */
const requestOrderDescription = /^The \w+, in the order and form of the request$/;

/** Types that tables leave out: strings, switches, objects with rows of their own; in answers also numbers and counts. */
const plainRequestType = /^(?:string|boolean|object|list of (?!number|integer|string)[\w ]+)$/;
const plainAnswerType = /^(?!.*(?:time|second|cost|weight))[a-z[\], ]*$/;

/** A table of fields: name, type with unit and default, and description. */
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
    // docs/contract.md says that switches default to off.
    const start = fallback === '' || fallback === 'false' ? '' : `default \`${fallback}\``;
    const kind = plain.test(typeOf(field)) ? '' : typeOf(field);
    // The description says what null means.
    const nonNullKind = description.includes('null') ? kind.replace(/ or null$/, '') : kind;
    const shownKind = description.includes('[low, high]')
      ? nonNullKind.replace(/^(?:\[.*\]|list of number)(?:, |$)/, '')
      : nonNullKind;
    const detail = [shownKind, start].filter((part) => part !== '').join(', ');
    const name = required ? `**\`${path}\`**` : `\`${path}\``;
    return [name, summary === '' || detail === '' ? summary + detail : `${summary} (${detail})`];
  };
  const own = contents.fields.filter(
    (field) => !isElsewhere(field) && !requestOrderDescription.test(field.description),
  );
  return lines(['Field', 'What it is'], own.map(row));
}

/** Whether docs/parts.md describes the field. */
const isShared = (groups: Groups, { path, name }: Field): boolean =>
  holderOf(path) !== path && (groups.get(nameOf(holderOf(path)))?.has(name) ?? false);

/** Parts not in docs/parts.md: docs/contract.md or the fields that use them describe them. */
const omittedParts = new Set(['Check', 'Objective', 'SignalledCheck', 'Status']);

/** One row for each variant of a part: its type and its parameters; undefined for a part with other fields. */
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

/** The text of docs/parts.md. */
function partsPage(partSchemas: ReadonlyMap<string, JsonSchema>, groups: Groups): string {
  const parts = new Map([...partSchemas].filter(([name]) => !omittedParts.has(name)));
  const sections: string[] = [];
  for (const [name, schema] of parts) {
    const contents = fieldsOfPart(schema);
    for (const [partName, part] of contents.parts) if (!parts.has(partName)) parts.set(partName, part);
    const { description } = schema;
    const kinds = variants(contents);
    // The rows of a choice describe it, and the fields that use it say what for.
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

/** The main operations, in the order of README.md. */
const mission = [
  'crawl-plan',
  'crawler-count',
  'threshold-policy',
  'activation-policy',
  'access-frequencies',
  'crawl-allocation',
  'slot-assignment',
];

/** A table of operations: the question of each, with a link to its page. */
const questions = (of: readonly Operation[]): string =>
  lines(
    ['Question', 'Ask'],
    of.map(({ name, summary }) => [summary, `[\`${name}\`](docs/${name}.md)`]),
  );

/** A page that is generated whole. */
const markGenerated = (page: string): string => `<!-- contract:page -->\n\n${page}\n<!-- /contract -->\n`;

/** The page at a path, with the generated texts between its marks. */
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
