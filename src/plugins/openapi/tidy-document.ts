/**
 * The last touches on the generated document: a name for each schema (name-components.ts), examples where readers look
 * for them, and shared responses for refusals. It also adds each operation's units.
 */
import type { Measure } from '../../operations/operation.ts';
import { Components, componentPrefix, isJson, type Json } from './name-components.ts';

/** A runnable request with its answer, as shown in the document. */
interface DocumentedExample {
  readonly name: string;
  readonly summary: string;
  readonly request: unknown;
  readonly answer: unknown;
}

/** What the document adds to an operation's schemas. */
export interface DocumentedOperation {
  readonly name: string;
  readonly examples: readonly DocumentedExample[];
  /** Bodies other than JSON, by media type. */
  readonly otherBodies: Readonly<Record<string, string>>;
  readonly timeUnit?: string | undefined;
  readonly measure?: Measure | undefined;
}

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, step) => (isJson(inner) ? inner[step] : undefined), value);

/** The document with its components, its examples and its refusals. */
export function tidyDocument<Document extends object>(
  document: Document,
  operations: readonly DocumentedOperation[],
): Document {
  for (const operation of operations) {
    const post = at(document, 'paths', `/v1/${operation.name}`, 'post');
    if (isJson(post)) tidyOperation(post, operation);
  }
  const components = new Components();
  for (const { path, content, part } of contents(document)) {
    const schema = content.schema;
    if (!isJson(schema) || typeof schema.$ref === 'string') continue;
    const prefix = componentPrefix(path.replace(/^\/(v1\/)?/, '') || 'entry-points');
    content.schema = components.root(tidied(schema), { operation: prefix, part });
  }
  const { schemas, rewrite } = components.named();
  const responses: Json = {};
  const paths = shareRefusals(rewrite(at(document, 'paths')), responses);
  return { ...document, components: { schemas, responses }, paths };
}

function tidyOperation(post: Json, { name, examples, otherBodies, timeUnit, measure }: DocumentedOperation): void {
  const content = at(post, 'requestBody', 'content');
  const body = at(content, 'application/json');
  const answer = at(post, 'responses', '200', 'content', 'application/json');
  if (isJson(body)) body.examples = named(examples, ({ request }) => request);
  // Long answers add nothing; all of them are files in examples/.
  const short = examples.filter((example, i) => i === 0 || JSON.stringify(example.answer).length <= longestAnswer);
  const shown = short.filter((example) => JSON.stringify(example.answer).length <= longestFirstAnswer);
  if (isJson(answer)) answer.examples = named(shown, (example) => example.answer);
  if (isJson(content)) {
    for (const [type, description] of Object.entries(otherBodies)) {
      content[type] = { schema: { type: 'string', format: 'binary', description } };
    }
  }
  post.externalDocs = { url: `console/#/${name}`, description: 'Ask this in the console' };
  if (timeUnit !== undefined) post['x-time-unit'] = timeUnit;
  if (measure !== undefined) post['x-objective'] = measure;
}

const longestAnswer = 700;
const longestFirstAnswer = 4200;

function named(list: readonly DocumentedExample[], value: (example: DocumentedExample) => unknown): Json {
  return Object.fromEntries(list.map((example) => [example.name, { summary: example.summary, value: value(example) }]));
}

/** Every body of the document that has a schema, as JSON. */
function contents(document: object) {
  const found: { readonly path: string; readonly content: Json; readonly part: 'Request' | 'Answer' }[] = [];
  for (const [path, methods] of Object.entries(at(document, 'paths') ?? {})) {
    for (const method of Object.values(isJson(methods) ? methods : {})) {
      const body = at(method, 'requestBody', 'content', 'application/json');
      if (isJson(body)) found.push({ path, content: body, part: 'Request' });
      for (const response of Object.values(at(method, 'responses') ?? {})) {
        for (const content of Object.values(at(response, 'content') ?? {})) {
          if (isJson(content) && at(content, 'schema', 'type') === 'object')
            found.push({ path, content, part: 'Answer' });
        }
      }
    }
  }
  return found;
}

const int32 = 2 ** 31 - 1;

/**
 * The schema without bounds that say nothing more than "an integer", and with sizes of arrays as they are. Integers get
 * the width that a generated client needs.
 */
function tidied(schema: Json): Json {
  const tidy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(tidy);
    if (!isJson(value)) return value;
    const { minimum, maximum, enum: words, ...rest } = withoutRepeats(value);
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

/** Description and extensions of a schema. */
const annotationsOf = (schema: Json): Json =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name === 'description' || name.startsWith('x-')));

const without = (schema: Json, annotations: Json): Json => {
  const equal = Object.entries(annotations).every(
    ([name, value]) => JSON.stringify(schema[name]) === JSON.stringify(value),
  );
  return equal ? Object.fromEntries(Object.entries(schema).filter(([name]) => !(name in annotations))) : schema;
};

/** A list does not say of its cells what it has annotations of itself, nor columns what their rows have annotations. */
function withoutRepeats(schema: Json): Json {
  const { items, anyOf } = schema;
  const annotations = annotationsOf(schema);
  if (isJson(items) && Object.keys(annotations).length > 0) {
    const { anyOf: cells } = items;
    if (!Array.isArray(cells)) return { ...schema, items: without(items, annotations) };
    return {
      ...schema,
      items: { ...items, anyOf: cells.map((cell) => (isJson(cell) ? without(cell, annotations) : cell)) },
    };
  }
  const forms = Array.isArray(anyOf) ? anyOf.filter(isJson) : [];
  const row = at(
    forms.find((form) => form.title === 'Rows'),
    'items',
    'properties',
  );
  if (!isJson(row)) return schema;
  return { ...schema, anyOf: forms.map((form) => (form.title === 'Columns' ? columnsOf(form, row) : form)) };
}

function columnsOf(columns: Json, row: Json): Json {
  const properties = Object.entries(isJson(columns.properties) ? columns.properties : {}).map(([name, column]) => {
    const cell = row[name];
    if (!isJson(column) || !isJson(cell)) return [name, column];
    return [name, without(withoutRepeats(column), annotationsOf(cell))];
  });
  return { ...columns, properties: Object.fromEntries(properties) };
}

/** Names for the refusals; an operation refers to them. */
const refusalNames: Readonly<Record<string, string>> = {
  400: 'MalformedInput',
  401: 'KeyRequired',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'Failed',
  503: 'Busy',
  504: 'TimeLimit',
};

/** Paths whose refusals refer to the document's shared responses. */
function shareRefusals(paths: unknown, shared: Json): unknown {
  const share = (responses: Json): Json =>
    Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const name = refusalNames[status];
        if (name === undefined) return [status, response];
        const before = shared[name] ?? response;
        if (JSON.stringify(before) !== JSON.stringify(response)) return [status, response];
        shared[name] = response;
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  const visit = (value: unknown): unknown => {
    if (!isJson(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === 'responses' && isJson(inner) ? share(inner) : name === 'examples' ? inner : visit(inner),
      ]),
    );
  };
  return visit(paths);
}
