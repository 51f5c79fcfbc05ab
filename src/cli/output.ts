/** Answers on stdout: JSON, the first list as CSV, or a table for a terminal. A partial write is an error. */
import { once } from 'node:events';
import { fstatSync, writeSync } from 'node:fs';
import * as z from 'zod';
import type { Operation } from '../operations/operation.ts';
import { isRecord } from '../schemas/contract/strict-object.ts';
import { csvCell } from '../schemas/words/csv-cell.ts';
import { duration, figure, gapText, share } from '../schemas/words/numbers.ts';
import { day } from '../solvers/day.ts';
import { escapeControls } from './escape-controls.ts';
import { OutputError } from './failures.ts';

const stdout = 1;

/** Whether stdout is a file or device; Node's stream would drop the rest of a partial write to it. */
function writesAtOnce(): boolean {
  const kind = fstatSync(stdout);
  return kind.isFile() || (kind.isCharacterDevice() && process.stdout.isTTY !== true);
}

/**
 * Writes a line, or several, and waits until they are written.
 *
 * @throws OutputError where the disk is full
 */
export async function writeStdout(text: string): Promise<void> {
  const line = `${process.stdout.isTTY === true ? escapeControls(text) : text}\n`;
  if (!writesAtOnce()) {
    if (!process.stdout.write(line)) await once(process.stdout, 'drain');
    return;
  }
  const bytes = Buffer.from(line);
  for (let bytesWritten = 0; bytesWritten < bytes.length; ) {
    try {
      bytesWritten += writeSync(stdout, bytes, bytesWritten);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OutputError(`the answer is cut: ${bytesWritten} of ${bytes.length} bytes were written (${reason})`);
    }
  }
}

/** Columns of the terminal; 100 if stdout is no terminal, or one that reports 0. */
export const terminalWidth = (): number => process.stdout.columns || 100;

/** Writes a line on stderr, for people. */
export const writeStderr = (text: string): boolean => process.stderr.write(`${escapeControls(text)}\n`);

type Cell = string | number | boolean | null;

interface List {
  readonly name: string;
  readonly columns: readonly string[];
  readonly length: number;
  readonly cell: (row: number, column: string) => unknown;
}

const isCell = (value: unknown): value is Cell => value === null || typeof value !== 'object';

/** A list of rows, or of columns of one length; undefined for anything else. */
function listOf(name: string, value: unknown): List | undefined {
  if (Array.isArray(value) && isRecord(value[0])) {
    const columns = [...new Set(value.slice(0, 100).flatMap((row: unknown) => Object.keys(Object(row))))];
    return { name, columns, length: value.length, cell: (row, column) => Reflect.get(Object(value[row]), column) };
  }
  if (!isRecord(value)) return undefined;
  const cells = Object.values(value);
  if (cells.length === 0 || !cells.every(Array.isArray)) return undefined;
  const length = Math.max(...cells.map((each) => (Array.isArray(each) ? each.length : 0)));
  const cell = (row: number, column: string): unknown => Reflect.get(Object(value[column]), row);
  return { name, columns: Object.keys(value), length, cell };
}

/** The figures of an object, those inside others by their path; lists left out. */
function figuresOf(value: unknown, path = '', depth = 2): [string, Cell][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, Cell][] => {
    const innerPath = path === '' ? name : `${path}.${name}`;
    if (isCell(inner)) return [[innerPath, inner]];
    return depth > 0 && listOf(name, inner) === undefined ? figuresOf(inner, innerPath, depth - 1) : [];
  });
}

/** The lists of an answer, those of its solution first. */
const listsOf = (answer: unknown): List[] =>
  isRecord(answer)
    ? [answer.solution, { ...answer, solution: undefined, warnings: undefined }].flatMap((value) =>
        isRecord(value) ? Object.entries(value).flatMap(([name, inner]) => listOf(name, inner) ?? []) : [],
      )
    : [];

/** The first list of the answer as CSV (RFC 4180) with all rows; its figures in one line if it has no list. */
export function answerCsv(answer: unknown): string {
  const [list] = listsOf(answer);
  const figures = figuresOf(isRecord(answer) ? (answer.solution ?? answer) : answer);
  const rows =
    list === undefined
      ? [figures.map(([, value]) => value)]
      : Array.from({ length: list.length }, (_, row) => list.columns.map((column) => list.cell(row, column)));
  const head = list?.columns ?? figures.map(([name]) => name);
  return [head, ...rows].map((row) => row.map(csvCell).join(',')).join('\n');
}

type Schema = Readonly<Record<string, unknown>>;

/** The units of an answer's numbers by the schema of its operation: `pages.nextFetch`, of a figure `.throughput`. */
function unitsOf({ answerSchema, timeUnit }: Operation): ReadonlyMap<string, string> {
  const units = new Map<string, string>();
  const { $defs = {}, ...root }: Schema = z.toJSONSchema(answerSchema, { io: 'output', unrepresentable: 'any' });
  const part = ({ $ref }: Schema): Schema => Object($defs)[String($ref).replace('#/$defs/', '')];
  const forms = (schema: Schema): Schema[] =>
    '$ref' in schema ? [part(schema)] : [schema.anyOf, schema.oneOf, schema.allOf].flat().filter(isRecord);
  const isList = (schema: Schema): boolean =>
    (schema.type === 'array' && isRecord(schema.items) && 'properties' in (forms(schema.items)[0] ?? schema.items)) ||
    forms(schema).some(isList);
  const inSeconds = (unit: string): string =>
    timeUnit === undefined ? unit : unit.replace(/^time$/, timeUnit).replace(/^1\/time$/, '1/second');
  const collect = (schema: Schema, list: string): void => {
    for (const form of [...forms(schema), schema.items].filter(isRecord)) collect(form, list);
    for (const [name, property] of Object.entries(Object(schema.properties))) {
      if (!isRecord(property)) continue;
      if (typeof property['x-unit'] === 'string') units.set(`${list}.${name}`, inSeconds(property['x-unit']));
      collect(property, isList(property) ? name : list);
    }
  };
  collect(root, '');
  return units;
}

function shortText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') {
    // Counts are shown whole.
    return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(Number(value.toPrecision(5)));
  }
  if (Array.isArray(value)) {
    return value.length > 3 ? `[${value.length}]` : `[${value.map((item: unknown) => shortText(item)).join(', ')}]`;
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `2026-06-11 08:00:00Z`; far beyond the year 9999 there is no such date. */
const momentText = (value: number): string =>
  value < 1e11 ? `${new Date(1000 * value).toISOString().slice(0, 19).replace('T', ' ')}Z` : shortText(value);

/** Lowest rate that is written per second; lower ones are written per day. Events per second. */
const minRatePerSecond = 0.1;

const unitTexts: Readonly<Record<string, (value: number) => string>> = {
  'epoch seconds': momentText,
  seconds: duration,
  '1/second': (value) => (value < minRatePerSecond ? `${figure(value * day, 3)}/d` : `${figure(value, 3)}/s`),
  'of the time': (value) => share(value, 3),
};

/** A number in a readable form of its unit; also for lists of up to three. */
function textOfUnit(unit: string | undefined, value: unknown): string {
  const text = unitTexts[unit ?? ''];
  if (text === undefined) return shortText(value);
  if (Array.isArray(value) && value.length < 4) return `[${value.map((each) => textOfUnit(unit, each)).join(', ')}]`;
  return typeof value === 'number' ? text(value) : shortText(value);
}

const maxRows = 15;
const maxCellLength = 40;
const gutter = 2;

/** The list as a table of the columns that fit the width: times as dates, pages by their ids. */
function listLines(list: List, width: number, pageIds: readonly string[], units: ReadonlyMap<string, string>) {
  const rows = Math.min(maxRows, list.length);
  const columns: { name: string; cells: string[]; size: number; isNumeric: boolean }[] = [];
  let usedWidth = gutter;
  for (const name of list.columns) {
    const values = Array.from({ length: rows }, (_, row) => list.cell(row, name));
    const unit = units.get(`${list.name}.${name}`);
    const cells = values.map((value) => {
      const id = name === 'page' && typeof value === 'number' ? pageIds[value] : undefined;
      const text = id || textOfUnit(unit, value);
      return text.length > maxCellLength ? `…${text.slice(1 - maxCellLength)}` : text;
    });
    const size = Math.max(name.length, ...cells.map((cell) => cell.length));
    if (usedWidth + size > width && columns.length > 0) continue;
    usedWidth += size + gutter;
    columns.push({ name, cells, size, isNumeric: values.some((value) => typeof value === 'number') });
  }
  const line = (textOf: (column: (typeof columns)[number]) => string): string =>
    `  ${columns.map((each) => (each.isNumeric ? textOf(each).padStart(each.size) : textOf(each).padEnd(each.size))).join('  ')}`.trimEnd();
  const hiddenColumns = list.columns.length - columns.length;
  const omissions = [
    ...(list.length > rows ? [`${list.length - rows} more rows`] : []),
    ...(hiddenColumns > 0 ? [`${hiddenColumns} more ${hiddenColumns === 1 ? 'column' : 'columns'}`] : []),
  ];
  return [
    `${list.name} (${list.length})`,
    line(({ name }) => name),
    ...Array.from({ length: rows }, (_, row) => line(({ cells }) => cells[row])),
    ...(omissions.length > 0 ? [`  … ${omissions.join(', ')}: --format csv or json has all`] : []),
  ];
}

/** The answer on a terminal of this width: its sentence, its figures, its first list. */
export function answerTable(answer: unknown, width: number, operation: Operation): string {
  if (!isRecord(answer)) return String(answer);
  const units = unitsOf(operation);
  const { status, summary, objective, solution, conflict } = answer;
  const head = typeof status === 'string' ? [status] : [];
  if (isRecord(objective)) {
    head.push(`objective ${shortText(objective.value)}`);
    if (typeof objective.bound === 'number') head.push(`bound ${shortText(objective.bound)}`);
    if (typeof objective.gap === 'number') head.push(`gap ${gapText(objective.gap)}`);
  }
  const clash = isRecord(conflict) && typeof conflict.detail === 'string' ? conflict.detail : undefined;
  const sentence = typeof summary === 'string' ? summary : clash && `There is no solution: ${clash}`;
  const figures = figuresOf(solution ?? (status === undefined ? answer : {}));
  const longest = Math.max(0, ...figures.map(([name]) => name.length));
  const unitOfFigure = (path: string): string | undefined => units.get(`.${path.slice(path.lastIndexOf('.') + 1)}`);
  const [first, ...otherLists] = listsOf(answer);
  const pages = [first, ...otherLists].find((list) => list?.name === 'pages' && list.columns.includes('id'));
  const pageIds = Array.from({ length: pages?.length ?? 0 }, (_, row) => String(pages?.cell(row, 'id') ?? ''));
  return [
    head.join('   '),
    ...(sentence ? [sentence] : []),
    ...figures.map(([path, value]) => `  ${path.padEnd(longest)}  ${textOfUnit(unitOfFigure(path), value)}`),
    ...(first === undefined ? [] : ['', ...listLines(first, width, pageIds, units)]),
    ...(otherLists.length === 0
      ? []
      : [
          '',
          `  also ${otherLists.map(({ name, length }) => `${name} (${length})`).join(', ')}: --format json has all`,
        ]),
  ].join('\n');
}
