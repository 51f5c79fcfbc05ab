/** Recognises a dropped file or a pasted text: a request, a log, or neither. */

import { detectFormat } from '../../logs/formats/log-formats.ts';
import { isJsonObject, isRecord, isShallow, type JsonObject, type Schema } from '../api/json.ts';

type Recognition =
  | { readonly kind: 'request'; readonly operation: string; readonly request: JsonObject }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** The part of an operation that recognising its requests needs. */
interface OperationSchema {
  readonly name: string;
  readonly schema: Schema;
}

/** How well an object fits an operation: whether all required properties are there, and the number of unknown ones. */
function matchOf(
  { schema }: OperationSchema,
  value: JsonObject,
): { complete: boolean; knownFields: number; unknownFields: number } {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const requiredNames = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(value);
  const knownCount = names.filter((name) => name in properties).length;
  return {
    complete: requiredNames.every((name) => String(name) in value),
    knownFields: knownCount,
    unknownFields: names.length - knownCount,
  };
}

/** The operation that a request fits best; on a tie the one in view. */
function operationOf(value: JsonObject, operations: readonly OperationSchema[], present: string): string | undefined {
  const candidates = operations
    .map((operation) => ({ name: operation.name, ...matchOf(operation, value) }))
    .filter(({ knownFields, complete, unknownFields }) => knownFields > 0 && (complete || unknownFields === 0))
    .map((each) => ({
      ...each,
      rank: (each.complete ? 0 : 1000) + 10 * each.unknownFields + (each.name === present ? 0 : 1),
    }))
    .sort((a, b) => a.rank - b.rank || b.knownFields - a.knownFields);
  return candidates[0]?.name;
}

/** Recognises a text; `present` is the operation in view. */
export function recogniseText(text: string, operations: readonly OperationSchema[], present: string): Recognition {
  const trimmedText = text.trim();
  if (trimmedText === '') return { kind: 'refused', reason: 'There is nothing in it.' };
  let value: unknown;
  let fault = '';
  try {
    value = JSON.parse(trimmedText);
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
    if (detectFormat(trimmedText) !== undefined) return { kind: 'log', text: trimmedText };
  }
  if (fault !== '') {
    const reason = /^[[{]/.test(trimmedText)
      ? `It begins like JSON, but: ${fault}.`
      : 'It is neither JSON nor a log of lines.';
    return { kind: 'refused', reason: `${reason} A request or a crawl log can be opened.` };
  }
  if (Array.isArray(value) && detectFormat(trimmedText) !== undefined) return { kind: 'log', text: trimmedText };
  if (!isShallow(value)) return { kind: 'refused', reason: 'Its lists are nested deeper than any request’s.' };
  if (!isJsonObject(value))
    return { kind: 'refused', reason: 'It is JSON, but neither a request nor a list of fetches.' };
  const operation = operationOf(value, operations, present);
  // A single JSON object may be a log of one fetch.
  if (operation === undefined && detectFormat(trimmedText) !== undefined) return { kind: 'log', text: trimmedText };
  if (operation !== undefined) return { kind: 'request', operation, request: value };
  const names = Object.keys(value).slice(0, 5).join(', ');
  return { kind: 'refused', reason: `No operation takes an object with ${names === '' ? 'no properties' : names}.` };
}
