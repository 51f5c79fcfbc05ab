/** An answer for people: its figures and its list as a table, or its list as CSV. */
import { isRecord } from '../../schemas/table/table-reading.ts';
import { day } from '../../solvers/day.ts';
import { csvCell } from '../../words/csv-cell.ts';
import { duration, figure, gapText, share } from '../../words/numbers.ts';
import type { UnitOf } from './answer-units.ts';

type Cell = string | number | boolean | null;

interface List {
  readonly name: string;
  readonly heads: readonly string[];
  readonly length: number;
  readonly cell: (row: number, head: string) => unknown;
}

const isCell = (value: unknown): value is Cell => value === null || typeof value !== 'object';

/** A list of rows, or of columns of one length; undefined for anything else. */
function listOf(name: string, value: unknown): List | undefined {
  if (Array.isArray(value) && isRecord(value[0])) {
    const heads = [...new Set(value.slice(0, 100).flatMap((row: unknown) => Object.keys(Object(row))))];
    return { name, heads, length: value.length, cell: (row, head) => Reflect.get(Object(value[row]), head) };
  }
  if (!isRecord(value)) return undefined;
  const columns = Object.entries(value);
  const [first] = columns;
  if (first === undefined || !columns.every(([, cells]) => Array.isArray(cells))) return undefined;
  const length = Math.max(...columns.map(([, cells]) => (Array.isArray(cells) ? cells.length : 0)));
  const cell = (row: number, head: string): unknown => Reflect.get(Object(value[head]), row);
  return { name, heads: columns.map(([head]) => head), length, cell };
}

/** The figures of an object, those inside others by their path; lists left out. */
function figuresOf(value: unknown, path: string, depth: number): [string, Cell][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, Cell][] => {
    const own = path === '' ? name : `${path}.${name}`;
    if (isCell(inner)) return [[own, inner]];
    return depth > 0 && listOf(name, inner) === undefined ? figuresOf(inner, own, depth - 1) : [];
  });
}

const listsOf = (value: unknown): List[] =>
  isRecord(value) ? Object.entries(value).flatMap(([name, inner]) => listOf(name, inner) ?? []) : [];

/** The lists of an answer, those of its solution first. */
const listsOfAnswer = (answer: unknown): List[] =>
  isRecord(answer) ? [...listsOf(answer.solution), ...listsOf({ ...answer, warnings: undefined })] : [];

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

/** The first list of the answer by RFC 4180, whole; its figures in one line where it has no list. */
export function answerCsv(answer: unknown): string {
  const [list] = listsOfAnswer(answer);
  if (list === undefined) {
    const figures = figuresOf(isRecord(answer) ? (answer.solution ?? answer) : answer, '', 2);
    return [figures.map(([name]) => csvCell(name)), figures.map(([, value]) => csvCell(value))]
      .map((line) => line.join(','))
      .join('\n');
  }
  const lines = Array.from({ length: list.length }, (_, row) =>
    list.heads.map((head) => csvCell(list.cell(row, head))).join(','),
  );
  return [list.heads.map(csvCell).join(','), ...lines].join('\n');
}

/** Columns that are epoch seconds where their numbers are as large as such seconds are. */
const momentColumns: readonly string[] = ['time', 'nextFetch'];
const leastMoment = 1e9;
const mostMoment = 1e11;

/** `2026-06-11 08:00:00Z`. */
const momentText = (seconds: number): string =>
  `${new Date(1000 * seconds).toISOString().slice(0, 19).replace('T', ' ')}Z`;

/** Rates from here on are told a second, below a day. */
const leastOften = 0.1;

/** How a number of a unit is said; undefined where it stands as it is. */
const said: Readonly<Record<string, (value: number) => string>> = {
  'epoch seconds': (value) => (value >= leastMoment && value < mostMoment ? momentText(value) : shortText(value)),
  seconds: duration,
  '1/second': (value) => (value < leastOften ? `${figure(value * day, 3)}/d` : `${figure(value, 3)}/s`),
  'of the time': (value) => share(value, 3),
};

/** Numbers as people say them in their unit, pairs of them too. */
function inUnit(unit: string): ((cell: unknown) => string) | undefined {
  const text = said[unit];
  if (text === undefined) return undefined;
  const read = (cell: unknown): string => {
    if (typeof cell === 'number') return text(cell);
    return Array.isArray(cell) && cell.length < 4 ? `[${cell.map(read).join(', ')}]` : shortText(cell);
  };
  return read;
}

/** How the cells of a column are read: by their unit, moments as dates, pages by their ids, all else as it is. */
function cellReader(
  head: string,
  unit: string,
  values: readonly unknown[],
  pageNames: readonly string[],
): (cell: unknown) => string {
  const byUnit = inUnit(unit);
  if (byUnit !== undefined) return byUnit;
  const isMoment = (cell: unknown): boolean => typeof cell === 'number' && cell >= leastMoment && cell < mostMoment;
  if (momentColumns.includes(head) && values.every((cell) => cell === null || isMoment(cell))) {
    return (cell) => (typeof cell === 'number' ? momentText(cell) : shortText(cell));
  }
  if (head === 'page') return (cell) => (typeof cell === 'number' && pageNames[cell]) || shortText(cell);
  return shortText;
}

/** The ids of the answer's pages, by position; empty where they have none. */
function namesOfPages(lists: readonly List[]): string[] {
  const pages = lists.find(({ name, heads }) => name === 'pages' && heads.includes('id'));
  if (pages === undefined) return [];
  return Array.from({ length: pages.length }, (_, row) => String(pages.cell(row, 'id') ?? ''));
}

const shownRows = 15;
const longestCell = 40;
const gutter = 2;

function listLines(list: List, width: number, pageNames: readonly string[], unitOf: UnitOf): string[] {
  const rows = Math.min(shownRows, list.length);
  const columns: { head: string; cells: string[]; size: number; right: boolean }[] = [];
  let used = gutter;
  for (const head of list.heads) {
    const values = Array.from({ length: rows }, (_, row) => list.cell(row, head));
    const read = cellReader(head, unitOf(list.name, head), values, pageNames);
    const cells = values.map((value) => {
      const text = read(value);
      return text.length > longestCell ? `…${text.slice(1 - longestCell)}` : text;
    });
    const size = Math.max(head.length, ...cells.map((cell) => cell.length));
    if (used + size > width && columns.length > 0) continue;
    used += size + gutter;
    columns.push({ head, cells, size, right: values.some((value) => typeof value === 'number') });
  }
  const line = (cellOf: (column: (typeof columns)[number]) => string): string =>
    `  ${columns.map((column) => (column.right ? cellOf(column).padStart(column.size) : cellOf(column).padEnd(column.size))).join('  ')}`.trimEnd();
  const hidden = list.heads.length - columns.length;
  const more = [
    ...(list.length > rows ? [`${list.length - rows} more rows`] : []),
    ...(hidden > 0 ? [`${hidden} more ${hidden === 1 ? 'column' : 'columns'}`] : []),
  ];
  return [
    `${list.name} (${list.length})`,
    line(({ head }) => head),
    ...Array.from({ length: rows }, (_, row) => line(({ cells }) => cells[row])),
    ...(more.length > 0 ? [`  … ${more.join(', ')}: --format csv or json has all`] : []),
  ];
}

const figureText = (path: string, value: Cell, unitOf: UnitOf): string =>
  (inUnit(unitOf('', path.slice(path.lastIndexOf('.') + 1))) ?? shortText)(value);

/** The lists that are not shown, by their names. */
const others = (lists: readonly List[]): string[] =>
  lists.length > 0
    ? ['', `  also ${lists.map(({ name, length }) => `${name} (${length})`).join(', ')}: --format json has all`]
    : [];

/** The answer on a terminal of this width: its sentence, its figures, its first list. */
export function answerTable(answer: unknown, width: number, unitOf: UnitOf): string {
  if (!isRecord(answer)) return String(answer);
  const { status, summary, objective, solution, conflict } = answer;
  const head = [...(typeof status === 'string' ? [status] : [])];
  if (isRecord(objective)) {
    head.push(`objective ${shortText(objective.value)}`);
    if (typeof objective.bound === 'number') head.push(`bound ${shortText(objective.bound)}`);
    if (typeof objective.gap === 'number') head.push(`gap ${gapText(objective.gap)}`);
  }
  const sentence = typeof summary === 'string' ? [summary] : [];
  const clash =
    isRecord(conflict) && typeof conflict.detail === 'string' ? `There is no solution: ${conflict.detail}` : '';
  const figures = figuresOf(solution ?? (status === undefined ? answer : {}), '', 2);
  const longest = Math.max(0, ...figures.map(([name]) => name.length));
  const lists = listsOfAnswer(answer);
  const pageNames = namesOfPages(lists);
  return [
    head.join('   '),
    ...(sentence.length > 0 || clash === '' ? sentence : [clash]),
    ...figures.map(([name, value]) => `  ${name.padEnd(longest)}  ${figureText(name, value, unitOf)}`),
    ...lists.slice(0, 1).flatMap((list) => ['', ...listLines(list, width, pageNames, unitOf)]),
    ...others(lists.slice(1)),
  ].join('\n');
}
