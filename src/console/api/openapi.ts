/** What the console knows of the operations: their entries in the service's own OpenAPI document. */
import { isJsonObject, isRecord, type JsonObject, type Schema } from './json.ts';
import { serviceUrl } from './service-url.ts';

export interface Question {
  /** As in the path below /v1, e.g. `crawler-count`. */
  readonly name: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: Schema;
  /** The names an answer may have in `solution` and beside it; worked out when they are first asked for. */
  readonly answerNames: () => AnswerNames;
  readonly examples: readonly { readonly name: string; readonly summary: string; readonly request: JsonObject }[];
}

export interface AnswerNames {
  readonly solution: readonly string[];
  readonly beside: readonly string[];
}

/** `estimates/change-rates` → `Change rates`, `simulations/queue` → `Queue simulation`. */
export const titleOf = ({ name }: Pick<Question, 'name'>): string => {
  const words = name.replace(/^.*\//, '').replaceAll('-', ' ');
  const whole = name.startsWith('simulations/') ? `${words.replace(/s$/, '')} simulation` : words;
  return whole[0].toUpperCase() + whole.slice(1);
};

/** The groups of the menu in the order people meet them; what is not named here comes after. */
const groupOrder = ['plans', 'pages', 'crawlers', 'schedules', 'estimates', 'simulations'];

export interface Catalogue {
  readonly version: string;
  readonly groups: readonly { readonly tag: string; readonly title: string; readonly questions: readonly Question[] }[];
}

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, step) => (isRecord(inner) ? inner[step] : undefined), value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Replaces references into the document's components by what they refer to. */
function resolved(schema: unknown, document: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => resolved(item, document));
  if (!isRecord(schema)) return schema;
  const { $ref } = schema;
  if (typeof $ref === 'string') return resolved(at(document, ...$ref.replace(/^#\//, '').split('/')), document);
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, resolved(value, document)]));
}

function answerNames(post: unknown, document: unknown): AnswerNames {
  const schema = resolved(at(post, 'responses', '200', 'content', 'application/json', 'schema'), document);
  const names = (value: unknown): string[] => Object.keys(isRecord(value) ? value : {});
  const solution = at(schema, 'properties', 'solution');
  const forms = [solution, ...list(at(solution, 'anyOf')), ...list(at(solution, 'oneOf'))];
  return {
    solution: forms.flatMap((form) => names(at(form, 'properties'))),
    beside: names(at(schema, 'properties')),
  };
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function question(path: string, post: unknown, document: unknown): Question | undefined {
  const body = at(post, 'requestBody', 'content', 'application/json');
  const schema = resolved(at(body, 'schema'), document);
  const tags = at(post, 'tags');
  if (!isRecord(schema)) return undefined;
  const examples = Object.entries(isRecord(at(body, 'examples')) ? Object(at(body, 'examples')) : {}).flatMap(
    ([name, example]) => {
      const request = at(example, 'value');
      return isJsonObject(request) ? [{ name, summary: text(at(example, 'summary')), request }] : [];
    },
  );
  return {
    name: path.replace(/^\/v1\//, ''),
    tag: Array.isArray(tags) ? text(tags[0]) : '',
    summary: text(at(post, 'summary')),
    description: text(at(post, 'description')),
    schema,
    answerNames: () => answerNames(post, document),
    examples,
  };
}

/** Fetches the document and lists its operations by group, in the document's order. */
export async function loadCatalogue(): Promise<Catalogue> {
  const response = await fetch(serviceUrl('openapi.json'));
  if (!response.ok) throw new Error(`GET /openapi.json answered ${response.status}`);
  const document: unknown = await response.json();
  const paths = at(document, 'paths');
  const questions = Object.entries(isRecord(paths) ? paths : {}).flatMap(([path, entry]) => {
    const post = at(entry, 'post');
    const found = path.startsWith('/v1/') && post !== undefined ? question(path, post, document) : undefined;
    return found ? [found] : [];
  });
  const tags = at(document, 'tags');
  const groups = (Array.isArray(tags) ? tags : []).flatMap((tag) => {
    const name = text(at(tag, 'name'));
    const own = questions.filter((each) => each.tag === name);
    return own.length > 0 ? [{ tag: name, title: name[0].toUpperCase() + name.slice(1), questions: own }] : [];
  });
  const place = (tag: string): number => (groupOrder.includes(tag) ? groupOrder.indexOf(tag) : groupOrder.length);
  groups.sort((a, b) => place(a.tag) - place(b.tag));
  return { version: text(at(document, 'info', 'version')), groups };
}
