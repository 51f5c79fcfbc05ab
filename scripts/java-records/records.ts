/**
 * Java records of operations, from the OpenAPI document. An operation is a class with its `Request` and its `Answer`,
 * lists as rows, names as on the wire. What may be absent is boxed and null. A request is begun by `of` with what is
 * required and gets the rest by `with…`; what has several forms is an Object, as documented.
 */
import { isSchema, type JsonSchema } from '../../src/cli/json-schema.ts';

export const javaPackage = 'org.crawloptimizer.records';

/** Records of the components that every answer shares. */
const shared = ['Objective', 'Warning', 'Statistics'] as const;

interface Component {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Where a record stands: the names of the records around it, and whether it is sent. */
interface Place {
  readonly around: readonly string[];
  readonly isRequest: boolean;
}

const pascal = (name: string): string => `${name[0].toUpperCase()}${name.slice(1)}`;

/** What one item of a list is called. */
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');

const className = (operation: string): string =>
  operation
    .replace(/^.*\//, '')
    .split('-')
    .map((word) => pascal(word))
    .join('');

const primitives: Readonly<Record<string, string>> = { Double: 'double', Long: 'long', Boolean: 'boolean' };
const simple: Readonly<Record<string, string>> = {
  string: 'String',
  number: 'Double',
  integer: 'Long',
  boolean: 'Boolean',
};

/** Types of Java that the records use. */
const taken: readonly string[] = ['List', 'Map', 'Object', ...Object.values(simple)];

/** A name of the wire as Java takes it: of words that Java keeps for itself the contract has one, with `_` behind it. */
const javaName = (name: string): string => (name === 'class' ? 'class_' : name);

const comment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ');

const childrenOf = (schema: JsonSchema, name: string): JsonSchema[] => {
  const value = schema[name];
  return Array.isArray(value) ? value.filter(isSchema) : [];
};

/** The one form of a schema that Java is given: rows of a list, and what is not null. */
function meant(schema: JsonSchema): JsonSchema {
  const forms = [...childrenOf(schema, 'anyOf'), ...childrenOf(schema, 'oneOf')].filter(({ type }) => type !== 'null');
  const [first, ...others] = forms;
  if (first === undefined) return schema;
  return first.title === 'Rows' || others.length === 0 ? meant(first) : schema;
}

/** The words of a `type`, without null. */
const typesOf = ({ type }: JsonSchema): string[] =>
  (Array.isArray(type) ? type : [type]).filter((each): each is string => typeof each === 'string' && each !== 'null');

/** The Java type of a schema; records that it needs are added to `inner`. */
function typeOf(given: JsonSchema, name: string, place: Place, inner: string[]): string {
  const schema = meant(given);
  const reference = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref ?? ''))?.[1];
  if (reference !== undefined) return reference;
  const [type, ...others] = typesOf(schema);
  if (type === undefined || others.length > 0) return 'Object';
  if (type in simple) return simple[type];
  if (type === 'array') {
    const of = isSchema(schema.items) ? schema.items : tupleItem(schema);
    return of === undefined ? 'List<Object>' : `List<${typeOf(of, singular(name), place, inner)}>`;
  }
  if (isSchema(schema.properties)) {
    const own = pascal(name);
    // A record may not be called as one around or beside it, and must not hide a type that others have.
    const beside = inner.some((each) => each.includes(`\npublic record ${own}(`));
    const free = beside || place.around.includes(own) || taken.includes(own) ? `${own}Item` : own;
    inner.push(recordOf(schema, free, place));
    return free;
  }
  return isSchema(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0
    ? `Map<String, ${typeOf(schema.additionalProperties, name, place, inner)}>`
    : 'Map<String, Object>';
}

/** What every place of a tuple holds, where that is the same. */
function tupleItem(schema: JsonSchema): JsonSchema | undefined {
  const [first, ...others] = childrenOf(schema, 'prefixItems');
  const alike = first !== undefined && others.every((each) => typesOf(each)[0] === typesOf(first)[0]);
  return alike && typesOf(first)[0] !== undefined ? first : undefined;
}

/** `of` and the `with…` of a record that is sent. */
function makers(name: string, components: readonly Component[]): string[] {
  const bare = ({ type }: Component): string => primitives[type] ?? type;
  const required = components.filter((each) => each.required);
  const made = (own: (component: Component) => string): string => `new ${name}(${components.map(own).join(', ')})`;
  return [
    '',
    '/** With what is required; the rest is left out. */',
    `public static ${name} of(${required.map((each) => `${bare(each)} ${each.name}`).join(', ')}) {`,
    `  return ${made((each) => (each.required ? each.name : 'null'))};`,
    '}',
    ...components
      .filter((each) => !each.required)
      .flatMap((each) => [
        '',
        `public ${name} with${pascal(each.name).replace('_', '')}(${bare(each)} ${each.name}) {`,
        `  return ${made(({ name: own }) => own)};`,
        '}',
      ]),
  ];
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : `  ${line}`));

/** A record with the records inside it, as lines. */
function recordOf(schema: JsonSchema, name: string, { around, isRequest }: Place): string {
  const inner: string[] = [];
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const components = Object.entries(properties).flatMap(([property, value]): Component[] => {
    if (!isSchema(value)) return [];
    const type = typeOf(value, property, { around: [...around, name], isRequest }, inner);
    const description = comment(String(value.description ?? ''));
    return [{ name: javaName(property), type, required: required.includes(property), description }];
  });
  return [
    '/**',
    ` * ${comment(String(schema.description ?? `${name}.`))}`,
    ' *',
    ...components.map((each) => ` * @param ${each.name} ${each.description}`.trimEnd()),
    ' */',
    `public record ${name}(${components.map(({ type, name: own }) => `${type} ${own}`).join(', ')}) {`,
    ...indented(isRequest ? makers(name, components) : []),
    ...indented(inner.flatMap((each) => ['', ...each.split('\n')])),
    '}',
  ].join('\n');
}

/** The schema at a path of an object of JSON; throws where there is none. */
function schemaAt(value: unknown, ...path: readonly string[]): JsonSchema {
  const found = path.reduce<unknown>((inner, step) => (isSchema(inner) ? inner[step] : undefined), value);
  if (!isSchema(found)) throw new Error(`the document has no ${path.join(' ')}`);
  return found;
}

function file(text: string): string {
  const imports = ['List', 'Map']
    .filter((each) => text.includes(`${each}<`))
    .map((each) => `import java.util.${each};`);
  return [`package ${javaPackage};`, '', ...imports, ...(imports.length > 0 ? [''] : []), text, ''].join('\n');
}

/** A schema with its components in the place of the references to them, but for the shared ones. */
function inlined(value: unknown, document: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, document));
  if (!isSchema(value)) return value;
  const { $ref, ...said } = value;
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String($ref ?? ''))?.[1];
  if (name === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inlined(inner, document)]));
  }
  if (shared.some((each) => each === name)) return value;
  const component = inlined(schemaAt(document, 'components', 'schemas', name), document);
  return isSchema(component) ? { ...component, ...said } : component;
}

/** The files of the records of some operations, by name. */
export function javaRecords(given: unknown, operations: readonly string[]): Map<string, string> {
  const paths = Object.fromEntries(operations.map((name) => [`/v1/${name}`, schemaAt(given, 'paths', `/v1/${name}`)]));
  const document = { components: schemaAt(given, 'components'), paths: inlined(paths, given) };
  const json = ['content', 'application/json', 'schema'];
  const files = new Map<string, string>();
  for (const operation of operations) {
    const post = schemaAt(document, 'paths', `/v1/${operation}`, 'post');
    const own = className(operation);
    const records = [
      recordOf(schemaAt(post, 'requestBody', ...json), 'Request', { around: [own], isRequest: true }),
      recordOf(schemaAt(post, 'responses', '200', ...json), 'Answer', { around: [own], isRequest: false }),
    ].flatMap((each) => ['', ...indented(each.split('\n'))]);
    const head = `/** ${comment(String(post.summary ?? own))}: POST /v1/${operation}. */\npublic final class ${own} {`;
    files.set(`${own}.java`, file([head, `  private ${own}() {}`, ...records, '}'].join('\n')));
  }
  for (const name of shared) {
    const schema = schemaAt(document, 'components', 'schemas', name);
    files.set(`${name}.java`, file(recordOf(schema, name, { around: [], isRequest: false })));
  }
  return files;
}
