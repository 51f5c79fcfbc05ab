/** The last touches on the generated document: named components, examples, other bodies, and shared refusals. */

import type { Example, Operation } from '../../operations/operation.ts';
import { exampleAnswer, exampleRequest } from '../../package.ts';
import { columnLists } from '../../workers/column-lists.ts';
import { arrowType, jsonType } from '../media-types.ts';
import { Components, componentPrefix, isJson, type Json } from './components.ts';

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, step) => (isJson(inner) ? inner[step] : undefined), value);

/** The document with its components, its examples and its refusals. */
export function tidyDocument<Document extends object>(document: Document, operations: readonly Operation[]): Document {
  const components = new Components();
  for (const { path, content, part } of contents(document)) {
    if (!isJson(content.schema)) continue;
    const prefix = componentPrefix(path.replace(/^\/(v1\/)?/, '') || 'entry-points');
    content.schema = components.root(tidySchema(content.schema), prefix, part);
  }
  const shared: Shared = { parameters: {}, responses: {} };
  for (const operation of operations) {
    addExamples(at(document, 'paths', `/v1/${operation.name}`, 'post'), operation);
  }
  for (const methods of Object.values(at(document, 'paths') ?? {})) {
    for (const method of Object.values(isJson(methods) ? methods : {})) share(method, shared);
  }
  const schemas = { ...components.schemas, ArrowColumns: arrowColumns };
  return { ...document, components: { schemas, ...shared } };
}

/** The body of a request whose list comes as an Arrow stream. */
const arrowColumns = {
  type: 'string',
  format: 'binary',
  description:
    'The columns of the list as an Arrow IPC stream; the other properties as JSON text in the metadata of its schema, ' +
    'under `request`',
};

/** Longest answers shown, in characters; longer ones are files in examples/. */
const longestFirst = 4200;
const longestOther = 700;

function addExamples(post: unknown, operation: Operation): void {
  const content = at(post, 'requestBody', 'content');
  const body = at(content, jsonType);
  const answer = at(post, 'responses', '200', 'content', jsonType);
  if (!isJson(content) || !isJson(body) || !isJson(answer)) return;
  const exampleValues = (read: (example: Example) => unknown, isShown = (_text: string, _i: number) => true): Json => {
    const values = operation.examples.map((example) => ({ example, value: read(example) }));
    const short = values.filter(({ value }, i) => isShown(JSON.stringify(value), i));
    return Object.fromEntries(short.map(({ example: { name, summary }, value }) => [name, { summary, value }]));
  };
  body.examples = exampleValues(exampleRequest);
  answer.examples = exampleValues(exampleAnswer, ({ length }, i) => length <= (i === 0 ? longestFirst : longestOther));
  if (columnLists(operation).request === null) return;
  content[arrowType] = { schema: { $ref: '#/components/schemas/ArrowColumns' } };
}

/** Every body of the document that has a schema, as JSON. */
function contents(document: object) {
  const entries: { readonly path: string; readonly content: Json; readonly part: 'Request' | 'Answer' }[] = [];
  for (const [path, methods] of Object.entries(at(document, 'paths') ?? {})) {
    for (const method of Object.values(isJson(methods) ? methods : {})) {
      const body = at(method, 'requestBody', 'content', 'application/json');
      if (isJson(body)) entries.push({ path, content: body, part: 'Request' });
      for (const response of Object.values(at(method, 'responses') ?? {})) {
        for (const content of Object.values(at(response, 'content') ?? {})) {
          if (isJson(content) && at(content, 'schema', 'type') === 'object')
            entries.push({ path, content, part: 'Answer' });
        }
      }
    }
  }
  return entries;
}

const int32 = 2 ** 31 - 1;

/**
 * The schema without bounds that say nothing more than "an integer", and with sizes of arrays as they are. Integers get
 * the width that a generated client needs.
 */
function tidySchema(schema: Json): Json {
  const tidy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(tidy);
    if (!isJson(value)) return value;
    const { minimum, maximum, enum: words, ...rest } = value;
    const one = Array.isArray(words) && words.length === 1;
    const bounds = {
      ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
      ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    };
    const wide = value.type === 'integer' && !(typeof maximum === 'number' && maximum <= int32);
    return {
      ...Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, tidy(inner)])),
      ...(words !== undefined && (one ? { const: words[0] } : { enum: words })),
      ...(wide && { format: 'int64' }),
      ...bounds,
    };
  };
  const result = tidy(schema);
  return isJson(result) ? result : schema;
}

interface Shared {
  readonly parameters: Json;
  readonly responses: Json;
}

/** Refers a method's refusals and parameters to the document's, which are the same for all. */
function share(method: unknown, shared: Shared): void {
  const responses = at(method, 'responses');
  for (const [status, response] of Object.entries(isJson(responses) ? responses : {})) {
    if (!isJson(responses) || status === '200') continue;
    shared.responses[`Refusal${status}`] ??= response;
    responses[status] = { $ref: `#/components/responses/Refusal${status}` };
  }
  if (!isJson(method) || !Array.isArray(method.parameters)) return;
  method.parameters = method.parameters.map(({ name, ...parameter }) => {
    shared.parameters[name] ??= { name, ...parameter };
    return { $ref: `#/components/parameters/${name}` };
  });
}
