/** A JSON Schema as lines for people: each field with its type, bounds, default and meaning. */
import { standsForZero } from '../schemas/contract/problem.ts';
import { isSchema, type JsonSchema } from './json-schema.ts';

/** A field at its depth in the request. */
export interface Field {
  readonly depth: number;
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  readonly description: string;
}

const schemas = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** The alternatives of a schema, or itself. */
const alternatives = (schema: JsonSchema): JsonSchema[] => {
  const list = [...schemas(schema.anyOf), ...schemas(schema.oneOf)];
  return list.length > 0 ? list : [schema];
};

/** The name a variant goes by: its title, or the constant that tells it from the others (`type`, `model`). */
function tagOf(schema: JsonSchema): string | undefined {
  for (const property of Object.values(isSchema(schema.properties) ? schema.properties : {})) {
    if (isSchema(property) && 'const' in property) return JSON.stringify(property.const);
  }
  return typeof schema.title === 'string' ? schema.title.toLowerCase() : undefined;
}

const short = (value: number): string =>
  (String(value).length > 7 ? value.toExponential() : String(value)).replace('e+', 'e');

function bounds(schema: JsonSchema): string {
  const parts: string[] = [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof exclusiveMinimum === 'number') parts.push(`> ${short(exclusiveMinimum)}`);
  if (typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER) {
    parts.push(standsForZero(minimum) ? `> 0 (≥ ${short(minimum)})` : `≥ ${short(minimum)}`);
  }
  if (typeof exclusiveMaximum === 'number') parts.push(`< ${short(exclusiveMaximum)}`);
  if (typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER) parts.push(`≤ ${short(maximum)}`);
  return parts.length > 0 ? ` ${parts.join(', ')}` : '';
}

/** The type in a few words, e.g. `number > 0`, `"fifo" | "random"`, `list of numbers`. */
function typeInWords(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((word) => JSON.stringify(word)).join(' | ');
  const list = alternatives(schema);
  if (list.length > 1) return [...new Set(list.map((one) => tagOf(one) ?? typeInWords(one)))].join(' | ');
  if (list[0] !== schema) return typeInWords(list[0]);
  if (schema.type === 'array') return `list of ${isSchema(schema.items) ? itemInWords(schema.items) : 'anything'}`;
  if (schema.type === 'number' || schema.type === 'integer') return `${schema.type}${bounds(schema)}`;
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  return typeof schema.type === 'string' ? schema.type : 'anything';
}

/** `list of pages`: a list of rows is called after what it lists; its properties follow below it. */
function listNamed(name: string, property: JsonSchema): string | undefined {
  const isList = alternatives(property).some((one) => rowsOf(one) !== undefined);
  if (!isList) return undefined;
  const asColumns = alternatives(property).some((one) => one.title === 'Columns');
  return `list of ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}${asColumns ? ', as rows or as columns' : ''}`;
}

const itemInWords = (item: JsonSchema): string =>
  isSchema(item.properties) ? `{${Object.keys(item.properties).join(', ')}}` : typeInWords(item);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The fields of a schema, depth first; alternatives that are objects are listed one after the other under their tag.
 */
export function fieldsOf(schema: JsonSchema, depth = 0): Field[] {
  const variants = alternatives(schema);
  if (variants.length > 1) {
    const objects = variants.filter((one) => isSchema(one.properties) || rowsOf(one) !== undefined);
    // Columns carry the properties that the rows before them have listed already.
    const listed = objects.filter((one) => one.title !== 'Columns');
    return listed.flatMap((one) => variant(one, depth));
  }
  const rows = rowsOf(variants[0]);
  if (rows !== undefined) return fieldsOf(rows, depth);
  const { properties, required } = variants[0];
  if (!isSchema(properties)) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isSchema(property) || 'const' in property) return [];
    const fallback = property.default === undefined ? '' : ` (default ${JSON.stringify(property.default)})`;
    const field: Field = {
      depth,
      name,
      required: needed.includes(name),
      type: `${listNamed(name, property) ?? typeInWords(property)}${fallback}`,
      description: text(property.description),
    };
    return [field, ...fieldsOf(property, depth + 1)];
  });
}

function rowsOf(schema: JsonSchema): JsonSchema | undefined {
  if (schema.type !== 'array' || !isSchema(schema.items)) return undefined;
  return alternatives(schema.items).some((one) => isSchema(one.properties)) ? schema.items : undefined;
}

function variant(schema: JsonSchema, depth: number): Field[] {
  const tag = tagOf(schema);
  if (tag === undefined || tag === 'rows') return fieldsOf(schema, depth);
  const own = fieldsOf(schema, depth + 1);
  const summary = own
    .filter((field) => field.depth === depth + 1)
    .map((field) => `${field.name}${field.required ? '' : '?'}: ${field.type}`);
  const description = Object.values(isSchema(schema.properties) ? schema.properties : {})
    .filter((property) => isSchema(property) && 'const' in property)
    .map((property) => (isSchema(property) ? text(property.description) : ''))
    .join(' ');
  return [{ depth, name: tag, required: false, type: summary.join(', '), description }];
}
