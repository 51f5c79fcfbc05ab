/** The operations, as read from the service's OpenAPI document. */
import { isJsonObject, isRecord, type JsonObject, type Schema } from '../api/json.ts';
import { listAt, textAt, valueAt } from '../api/read.ts';

export interface Question {
  /** As in the path below /v1, e.g. `crawler-count`. */
  readonly name: string;
  /** For people: `Crawler count`, `Queue simulation`. */
  readonly title: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: Schema;
  /** The schema of its answers; worked out when it is first asked for. */
  readonly answer: () => Schema;
  readonly examples: readonly { readonly name: string; readonly summary: string; readonly request: JsonObject }[];
}

/** `#/components/schemas/QueueSimulationRequest` → `Queue simulation`; the path's words where there is no such name. */
function titleOf(reference: unknown, name: string): string {
  const own = /(\w+)Request$/.exec(textAt(reference))?.[1] ?? name.replace(/^.*\//, '').replaceAll('-', ' ');
  const words = own.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
}

export interface Catalogue {
  readonly version: string;
  readonly groups: readonly {
    readonly tag: string;
    readonly title: string;
    readonly description: string;
    readonly questions: readonly Question[];
  }[];
}

/** A unit with the operation's own unit of time in place of the caller's, where it has one. */
const inTimeUnit = (unit: string, timeUnit: string): string =>
  timeUnit === '' ? unit : unit.replace(/(?<!the )\btime\b/, unit === 'time' ? timeUnit : timeUnit.replace(/s$/, ''));

/**
 * Replaces references into the document's components by what they refer to, and the units of time; keywords beside a
 * reference override the component's.
 */
function resolveSchema(schema: unknown, document: unknown, timeUnit: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => resolveSchema(item, document, timeUnit));
  if (!isRecord(schema)) return schema;
  const { $ref, ...overrides } = schema;
  const component = typeof $ref === 'string' ? valueAt(document, ...$ref.replace(/^#\//, '').split('/')) : {};
  const members = Object.entries(overrides).map(([name, value]) => [
    name,
    name === 'x-unit' && typeof value === 'string'
      ? inTimeUnit(value, timeUnit)
      : resolveSchema(value, document, timeUnit),
  ]);
  const own = Object.fromEntries(members);
  return $ref === undefined ? own : { ...Object(resolveSchema(component, document, timeUnit)), ...own };
}

function question(path: string, post: unknown, document: unknown): Question | undefined {
  const body = valueAt(post, 'requestBody', 'content', 'application/json');
  const timeUnit = textAt(post, 'x-time-unit');
  const whole = (schema: unknown): Schema => {
    const own = resolveSchema(schema, document, timeUnit);
    return isRecord(own) ? own : {};
  };
  const schema = whole(valueAt(body, 'schema'));
  const examples = Object.entries(Object(valueAt(body, 'examples'))).flatMap(([name, example]) => {
    const request = valueAt(example, 'value');
    return isJsonObject(request) ? [{ name, summary: textAt(example, 'summary'), request }] : [];
  });
  let answerSchema: Schema | undefined;
  const name = path.replace(/^\/v1\//, '');
  return {
    name,
    title: titleOf(valueAt(body, 'schema', '$ref'), name),
    tag: textAt(post, 'tags', 0),
    summary: textAt(post, 'summary'),
    description: textAt(post, 'description'),
    schema,
    answer: () => {
      answerSchema ??= whole(valueAt(post, 'responses', '200', 'content', 'application/json', 'schema'));
      return answerSchema;
    },
    examples,
  };
}

/** The operations of a document by group, in the document's order. */
export function catalogueFromOpenApi(document: unknown): Catalogue {
  const questions = Object.entries(Object(valueAt(document, 'paths'))).flatMap(([path, entry]) => {
    const post = valueAt(entry, 'post');
    const entryQuestion = path.startsWith('/v1/') && post !== undefined ? question(path, post, document) : undefined;
    return entryQuestion ? [entryQuestion] : [];
  });
  const groups = listAt(document, 'tags').flatMap((tag) => {
    const name = textAt(tag, 'name');
    const own = questions.filter((each) => each.tag === name);
    return own.length > 0
      ? [
          {
            tag: name,
            title: name[0].toUpperCase() + name.slice(1),
            description: textAt(tag, 'description'),
            questions: own,
          },
        ]
      : [];
  });
  return { version: textAt(document, 'info', 'version'), groups };
}
