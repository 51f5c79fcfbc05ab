/** The last touches on the generated document: named components, examples, other bodies, and shared refusals. */

import type { FastifySchema } from 'fastify';
import * as z from 'zod';
import type { Example, Operation } from '../../operations/operation.ts';
import { exampleAnswer, exampleRequest } from '../../package.ts';
import { columnLists } from '../../workers/column-lists.ts';
import { arrowType, jsonType } from '../media-types.ts';
import { type Components, componentPrefix, isJson, type Json } from './components.ts';

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, step) => (isJson(inner) ? inner[step] : undefined), value);

/** Integers get the width that a generated client needs, and no bounds that say nothing more than "an integer". */
function tidySchema({ jsonSchema: schema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.type === 'integer' && !(Number(schema.maximum) <= int32)) schema.format = 'int64';
  if (schema.enum?.length !== 1) return;
  [schema.const] = schema.enum;
  delete schema.enum;
}
const int32 = 2 ** 31 - 1;

/** The zod schemas of a route as JSON schemas, objects as references to components. */
export function tidyRoute(schema: FastifySchema, url: string, components: Components): FastifySchema {
  const prefix = componentPrefix(url.replace(/^\/(v1\/)?/, ''));
  const convert = (value: unknown, part?: 'Request' | 'Answer'): unknown => {
    if (!(value instanceof z.ZodType)) {
      if (!isJson(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convert(inner, part)]));
    }
    const io = part === 'Answer' ? 'output' : 'input';
    const { $schema: _, ...json } = z.toJSONSchema(value, { io, unrepresentable: 'any', override: tidySchema });
    return part === undefined || json.type !== 'object' ? json : components.root(json, prefix, part);
  };
  const { querystring, body, response, ...rest } = schema;
  return {
    ...rest,
    ...(querystring !== undefined && { querystring: convert(querystring) }),
    ...(body !== undefined && { body: convert(body, 'Request') }),
    response: convert(response, 'Answer'),
  };
}

/** The document with its components, its examples and its refusals. */
export function tidyDocument<Document extends object>(
  document: Document,
  operations: readonly Operation[],
  components: Components,
): Document {
  const shared: SharedComponents = { parameters: {}, responses: {} };
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

interface SharedComponents {
  readonly parameters: Json;
  readonly responses: Json;
}

/** Refers a method's refusals and parameters to the document's, which are the same for all. */
function share(method: unknown, shared: SharedComponents): void {
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
