/**
 * An Arrow stream → the request it is. Its columns become those of the operation's list; the rest of the request is
 * JSON in the schema's metadata, under `request`.
 */
import type * as z from 'zod';
import type { Operation } from '../../operations/operation.ts';
import { conditionNotMet, invalidRequest, problem } from '../../schemas/contract/problem.ts';
import { isRecord, unknownProperty } from '../../schemas/contract/strict-object.ts';
import { type ColumnList, columnLists } from '../column-lists.ts';
import { type ParsedBody, parse, type Refusal, refuse } from '../pipeline.ts';
import { ArrowFault, type ArrowField, ArrowStream } from './stream.ts';
import { typeFault } from './types.ts';

/** The request of a stream, or the problem to answer with. */
export function readArrow(operation: Operation, body: Uint8Array): ParsedBody | Refusal {
  const { request: list } = columnLists(operation);
  if (list === null) {
    const detail = `${operation.name} has no list that comes as columns; send application/json`;
    return refuse(problem('unsupported-media-type', detail));
  }
  try {
    const stream = new ArrowStream(body);
    const { fields, metadata, rows } = stream;
    const faults = faultsOf(fields, list);
    if (faults.length > 0) return refuse(invalidRequest(faults));
    const maxRows = operation.limits[list.name] ?? Number.POSITIVE_INFINITY;
    if (rows > maxRows) {
      return refuse(conditionNotMet([list.name], 'too_big', `must have at most ${maxRows} rows; got ${rows}`));
    }
    const rest = restOf(metadata.get('request') ?? '{}', fields, list.name);
    if (rest.kind === 'problem') return rest;
    const columns = stream.readColumns().map((cells, i) => [fields[i].name, cells] as const);
    const value = { ...rest.request, [list.name]: { ...rest.columns, ...Object.fromEntries(columns) } };
    return { kind: 'parsed', value };
  } catch (error) {
    if (error instanceof ArrowFault) return refuse(problem('not-arrow', error.message));
    if (error instanceof RangeError) {
      const detail = 'the Arrow stream is truncated or damaged: a part lies outside the bytes sent';
      return refuse(problem('not-arrow', detail));
    }
    throw error;
  }
}

/** The columns that the list has not, has twice, or takes in another type. */
function faultsOf(fields: readonly ArrowField[], list: ColumnList): z.core.$ZodIssue[] {
  const faults: z.core.$ZodIssue[] = [];
  const columnNames = new Set<string>();
  for (const field of fields) {
    const { name } = field;
    const path = [list.name, name.slice(0, 80)];
    const fault = (code: string, message: string): void => {
      faults.push({ code: 'custom', path, message, input: undefined, params: { code } });
    };
    const kind = list.columns.get(name);
    if (kind === undefined) {
      fault('unrecognized_key', unknownProperty(name, [...list.columns.keys()]));
      continue;
    }
    if (columnNames.has(name)) fault('duplicate', 'the column is there twice');
    columnNames.add(name);
    const message = typeFault(field, kind);
    if (message !== null) fault('invalid_type', message);
  }
  return faults;
}

type Members = Readonly<Record<string, unknown>>;

type Rest = { readonly kind: 'rest'; readonly request: Members; readonly columns: Members } | Refusal;

/** The request without its columns; values that stand for all rows may be in its list. */
function restOf(request: string, fields: readonly ArrowField[], list: string): Rest {
  const parsed = parse(request);
  const value = parsed.kind === 'parsed' ? parsed.value : undefined;
  if (!isRecord(value)) {
    const reason = parsed.kind === 'problem' ? `: ${parsed.problem.detail}` : '';
    throw new ArrowFault(`the metadata under "request" must be one JSON object${reason}`);
  }
  const columns = value[list] ?? {};
  if (!isRecord(columns)) {
    const detail = 'must be an object of values that stand for all rows, or be left out: the columns are the stream’s';
    return refuse(conditionNotMet([list], 'invalid_type', detail));
  }
  const duplicate = fields.find(({ name }) => Object.hasOwn(columns, name));
  if (duplicate !== undefined) {
    const detail = 'stands in the metadata and among the columns; give one of the two';
    return refuse(conditionNotMet([list, duplicate.name], 'duplicate', detail));
  }
  return { kind: 'rest', request: value, columns };
}
