/** The last touches on the generated document: examples where readers look for them, no component without a use. */

type Json = Record<string, unknown>;

/** A runnable request with its answer, as shown in the document. */
export interface DocumentedExample {
  readonly name: string;
  readonly summary: string;
  readonly request: unknown;
  readonly answer: unknown;
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, step) => (isJson(inner) ? inner[step] : undefined), value);

/** What else than JSON a body may be, by its media type. */
export type OtherBodies = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** The document with its examples, and with each schema that is used under the one name it needs. */
export function tidyDocument<Document extends object>(
  document: Document,
  examples: ReadonlyMap<string, readonly DocumentedExample[]>,
  otherBodies: OtherBodies,
): Document {
  for (const [path, list] of examples) {
    const body = at(document, 'paths', path, 'post', 'requestBody', 'content', 'application/json');
    const answer = at(document, 'paths', path, 'post', 'responses', '200', 'content', 'application/json');
    if (isJson(body)) body.examples = named(list, ({ request }) => request);
    if (isJson(answer)) answer.examples = named(list, (example) => example.answer);
  }
  for (const [path, bodies] of otherBodies) {
    const content = at(document, 'paths', path, 'post', 'requestBody', 'content');
    if (!isJson(content)) continue;
    for (const [type, description] of Object.entries(bodies)) {
      content[type] = { schema: { type: 'string', format: 'binary', description } };
    }
  }
  dropUnused(document);
  return document;
}

function named(list: readonly DocumentedExample[], value: (example: DocumentedExample) => unknown): Json {
  return Object.fromEntries(list.map((example) => [example.name, { summary: example.summary, value: value(example) }]));
}

const prefix = '#/components/schemas/';

/**
 * The generator emits every registered schema twice, as X (output) and XInput: keeps what is referenced, and calls
 * XInput by the plain name X where X itself is not needed.
 */
function dropUnused(document: object): void {
  const schemas = at(document, 'components', 'schemas');
  if (!isJson(schemas)) return;
  const used = new Set<string>();
  const queue: unknown[] = [at(document, 'paths')];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    visitReferences(next, (holder) => {
      const name = String(holder.$ref).slice(prefix.length);
      if (used.has(name)) return;
      used.add(name);
      queue.push(schemas[name]);
    });
  }
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
  for (const name of used) {
    const plain = name.replace(/Input$/, '');
    if (plain === name || used.has(plain)) continue;
    schemas[plain] = schemas[name];
    delete schemas[name];
    visitReferences(document, (holder) => {
      if (holder.$ref === prefix + name) holder.$ref = prefix + plain;
    });
  }
}

function visitReferences(value: unknown, visit: (holder: Json) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visitReferences(item, visit);
  } else if (isJson(value)) {
    if (typeof value.$ref === 'string' && value.$ref.startsWith(prefix)) visit(value);
    for (const item of Object.values(value)) visitReferences(item, visit);
  }
}
