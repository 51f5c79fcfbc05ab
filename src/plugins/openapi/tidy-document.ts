/**
 * The last touches on the generated document: a name for each schema (name-components.ts), examples where readers look
 * for them, and shared responses for refusals. It also adds each operation's units.
 */
import type { Measure } from '../../operations/operation.ts';
import { Components, componentPrefix, isJson, type Json } from './components.ts';

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
    content.schema = components.root(tidied(schema), prefix, part);
  }
  const responses: Json = {};
  for (const operation of operations) shareRefusals(at(document, 'paths', `/v1/${operation.name}`, 'post'), responses);
  return { ...document, components: { schemas: components.schemas, responses } };
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

/** Refers an operation's refusals to the document's, which are the same for all. */
function shareRefusals(post: unknown, shared: Json): void {
  const responses = at(post, 'responses');
  if (!isJson(responses)) return;
  for (const [status, name] of Object.entries(refusalNames)) {
    if (responses[status] === undefined) continue;
    shared[name] ??= responses[status];
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
}
