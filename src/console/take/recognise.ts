/** What a dropped file or a pasted text is: a request, an answer, a log, or nothing that is known here. */

import { recognised } from '../../logs/formats/recognised.ts';
import { type Answer, isAnswer } from '../api/answer.ts';
import { isJsonObject, isRecord, isShallow, type JsonObject, type Schema } from '../api/json.ts';
import { propertyOf } from '../contract/answer-fields.ts';
import { flattened, propertiesOf } from '../contract/schema.ts';

export type Taken =
  | { readonly kind: 'request'; readonly operation: string; readonly request: JsonObject }
  | { readonly kind: 'answer'; readonly operation: string; readonly answer: Answer }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string };

/** An operation as far as requests are told apart. */
export interface Known {
  readonly name: string;
  readonly schema: Schema;
  readonly answer: () => Schema;
}

/** How well an object fits: everything required is there, and how much of it is not known. */
function matchOf({ schema }: Known, value: JsonObject): { complete: boolean; known: number; unknown: number } {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(value);
  const known = names.filter((name) => name in properties).length;
  return { complete: required.every((name) => String(name) in value), known, unknown: names.length - known };
}

/** The operation whose request this is: the present one where it fits as well as any other. */
function operationOf(value: JsonObject, operations: readonly Known[], present: string): string | undefined {
  const ranked = operations
    .map((operation) => ({ name: operation.name, ...matchOf(operation, value) }))
    .filter(({ known, complete, unknown }) => known > 0 && (complete || unknown === 0))
    .map((each) => ({
      ...each,
      rank: (each.complete ? 0 : 1000) + 10 * each.unknown + (each.name === present ? 0 : 1),
    }))
    .sort((a, b) => a.rank - b.rank || b.known - a.known);
  return ranked[0]?.name;
}

const namesIn = (schema: Schema): string[] =>
  flattened(schema).flatMap((form) => propertiesOf(form).map(({ name }) => name));

/** The operation whose answer this is, by the names in it; the present one where it fits as well as any other. */
function operationAnswering(answer: Answer, operations: readonly Known[], present: string): string | undefined {
  const inside = Object.keys(answer.solution ?? {});
  const beside = Object.keys(answer);
  const ranked = operations
    .map(({ name, answer: own }) => {
      const known = { beside: namesIn(own()), solution: namesIn(propertyOf(own(), 'solution') ?? {}) };
      const strange =
        inside.filter((each) => !known.solution.includes(each)).length +
        beside.filter((each) => !known.beside.includes(each)).length;
      return { name, strange, missing: known.solution.filter((each) => !inside.includes(each)).length };
    })
    .filter(({ strange }) => strange === 0)
    .sort((a, b) => a.missing - b.missing || Number(b.name === present) - Number(a.name === present));
  // Without a solution every operation fits: it belongs where it was dropped.
  return inside.length === 0 ? ranked.find(({ name }) => name === present)?.name : ranked[0]?.name;
}

/** Looks at a text; `present` is the operation in view. */
export function recognise(text: string, operations: readonly Known[], present: string): Taken {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'refused', why: 'There is nothing in it.' };
  let value: unknown;
  let fault = '';
  try {
    value = JSON.parse(trimmed);
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
    if (recognised(trimmed) !== undefined) return { kind: 'log', text: trimmed };
  }
  if (fault !== '') {
    const why = /^[[{]/.test(trimmed)
      ? `It begins like JSON, but: ${fault}.`
      : 'It is neither JSON nor a log of lines.';
    return { kind: 'refused', why: `${why} A request or a crawl log can be opened.` };
  }
  if (Array.isArray(value) && recognised(trimmed) !== undefined) return { kind: 'log', text: trimmed };
  if (!isShallow(value)) return { kind: 'refused', why: 'Its lists are nested deeper than any request’s.' };
  if (!isJsonObject(value)) return { kind: 'refused', why: 'It is JSON, but neither a request nor a list of fetches.' };
  if (isAnswer(value)) {
    const answering = operationAnswering(value, operations, present);
    if (answering !== undefined) return { kind: 'answer', operation: answering, answer: value };
    return { kind: 'refused', why: 'It is an answer, but of no operation that is known here.' };
  }
  const operation = operationOf(value, operations, present);
  // One fetch alone is a log too.
  if (operation === undefined && recognised(trimmed) !== undefined) return { kind: 'log', text: trimmed };
  if (operation !== undefined) return { kind: 'request', operation, request: value };
  const names = Object.keys(value).slice(0, 5).join(', ');
  return { kind: 'refused', why: `No operation takes an object with ${names === '' ? 'no properties' : names}.` };
}
