/**
 * An Arrow stream → a request. The stream's columns become those of the operation's list; the rest of the request is
 * JSON in the schema's metadata, under `request`.
 */
import type { Operation } from '../../operations/operation.ts';
import { conditionNotMet, problem } from '../../schemas/contract/problem.ts';
import { isRecord } from '../../schemas/contract/strict-object.ts';
import { type ParsedBody, parse, type Refusal, refuse } from '../pipeline.ts';
import { ArrowFault, ArrowStream, typeFault } from './stream.ts';

/** The request of a stream, or the problem to answer with. */
export function readArrow(operation: Operation, body: Uint8Array): ParsedBody | Refusal {
  const { request: list } = operation.lists;
  if (list === null) {
    const detail = `${operation.name} has no list that comes as columns; send application/json`;
    return refuse(problem('unsupported-media-type', detail));
  }
  try {
    return requestOf(operation, list, new ArrowStream(body));
  } catch (error) {
    if (error instanceof ArrowFault) return refuse(problem('not-arrow', error.message));
    if (!(error instanceof RangeError)) throw error;
    const detail = 'the Arrow stream is truncated or damaged: a part lies outside the bytes sent';
    return refuse(problem('not-arrow', detail));
  }
}

function requestOf(operation: Operation, list: string, stream: ArrowStream): ParsedBody | Refusal {
  const { fields, metadata, rows } = stream;
  const parsed = parse(metadata.get('request') ?? '{}');
  const request = parsed.kind === 'parsed' ? parsed.value : undefined;
  if (!isRecord(request)) {
    const reason = parsed.kind === 'problem' ? `: ${parsed.problem.detail}` : '';
    throw new ArrowFault(`the metadata under "request" must be one JSON object${reason}`);
  }
  const constants = request[list] ?? {};
  if (!isRecord(constants)) {
    const detail = 'must be an object of values that stand for all rows, or be left out: the columns are the stream’s';
    return refuse(conditionNotMet([list], 'invalid_type', detail));
  }
  const names = new Set(Object.keys(constants));
  for (const field of fields) {
    const path = [list, field.name.slice(0, 80)];
    if (names.has(field.name)) return refuse(conditionNotMet(path, 'duplicate', 'is there twice; give it once'));
    names.add(field.name);
    const fault = typeFault(field);
    if (fault !== null) return refuse(conditionNotMet(path, 'invalid_type', fault));
  }
  const maxRows = operation.limits[list] ?? Number.POSITIVE_INFINITY;
  if (rows > maxRows)
    return refuse(conditionNotMet([list], 'too_big', `must have at most ${maxRows} rows; got ${rows}`));
  const columns = stream.readColumns().map((cells, i) => [fields[i].name, cells] as const);
  return { kind: 'parsed', value: { ...request, [list]: { ...constants, ...Object.fromEntries(columns) } } };
}
