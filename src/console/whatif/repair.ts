/** What makes an infeasible request feasible: the changes that its conflict names, applied to the request. */

import { figure } from '../../words/numbers.ts';
import type { Answered } from '../api/answered.ts';
import { isJsonObject, isRecord, type Json, type JsonObject } from '../api/json.ts';
import { list, text } from '../api/read.ts';
import { withValue } from '../request/pointer.ts';

export interface Repair {
  readonly label: string;
  readonly request: JsonObject;
}

/** One change that a conflict names: a pointer, and the value or the factor there, or that it goes. */
type Change = Readonly<Record<string, unknown>>;

/** Any row of a list, or any cell of a column. */
const everyRow = '*';

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

type Step = (value: Json | undefined) => Json | undefined;

/** A column of a list with every cell changed, or the one value that stands for all. */
const everyCell = (column: Json | undefined, change: Step): Json | undefined =>
  Array.isArray(column) ? column.map((cell: Json) => change(cell) ?? null) : change(column);

/** The document with every value at the path changed; `*` stands for the rows, which may also come as columns. */
function changed(document: Json | undefined, [step, ...rest]: readonly string[], change: Step): Json | undefined {
  if (step === undefined) return change(document);
  if (Array.isArray(document)) {
    return document.map((row: Json, i) =>
      step === everyRow || step === String(i) ? (changed(row, rest, change) ?? null) : row,
    );
  }
  if (!isJsonObject(document)) return document;
  if (step === everyRow) return changed(document, rest, (column) => everyCell(column, change));
  return withValue(document, [step], changed(document[step], rest, change));
}

/** Whole numbers stay whole: seconds, slots. */
const times = (value: number, factor: number): number =>
  Number.isInteger(value) ? Math.ceil(value * factor) : value * factor;

export function applied(request: JsonObject, { pointer, remove, factor, value }: Change): JsonObject {
  const next = changed(request, stepsOf(String(pointer)), (before) => {
    if (remove === true) return undefined;
    if (typeof factor === 'number') return typeof before === 'number' ? times(before, factor) : before;
    return JSON.parse(JSON.stringify(value ?? null));
  });
  return isJsonObject(next) ? next : request;
}

/** `/crawls` and 12 → `crawls 12`. */
function inWords({ pointer, value, factor }: Change): string {
  const place = String(pointer).slice(1).replaceAll('/', ' ').replace(' * ', ' ');
  return typeof factor === 'number'
    ? `${place} ${figure(factor, 4)} times as long`
    : `${place} ${figure(Number(value), 6)}`;
}

/** The repairs of an infeasible answer, each with all its changes; none for an answer that has a solution. */
export function repairsOf({ request, answer }: Answered): Repair[] {
  return list(answer.conflict, 'repairs').flatMap((repair): Repair[] => {
    const changes = list(repair, 'changes').filter(isRecord);
    if (changes.length === 0) return [];
    const label = text(repair, 'detail') || changes.map(inWords).join(' and ');
    return [{ label, request: changes.reduce<JsonObject>(applied, request) }];
  });
}
