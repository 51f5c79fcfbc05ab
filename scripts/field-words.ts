/** The type and the unit of a field of the contract in a few words, by its JSON Schema. */

import { meansPositive } from '../src/schemas/contract/problem.ts';
import { isSchema, type JsonSchema } from './json-schema.ts';

const schemasIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** The alternatives of a schema, or itself. */
export const alternatives = (schema: JsonSchema): JsonSchema[] => {
  const list = [...schemasIn(schema.anyOf), ...schemasIn(schema.oneOf)];
  return list.length > 0 ? list : [schema];
};

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The constant that tells a variant from the others (`type`, `model`). */
export function tagOf(schema: JsonSchema): string | undefined {
  for (const property of Object.values(isSchema(schema.properties) ? schema.properties : {})) {
    if (isSchema(property) && 'const' in property) return text(property.const);
  }
  return undefined;
}

/** The name of the shared part that a schema is; Columns say what their Rows have said. */
export const partOf = (schema: JsonSchema): string => text(schema['x-component']);

const short = (value: number): string =>
  (String(value).length > 8 ? value.toExponential() : String(value)).replace('e+', 'e');

function bounds(schema: JsonSchema): string {
  const parts: string[] = [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof exclusiveMinimum === 'number') parts.push(`> ${short(exclusiveMinimum)}`);
  if (typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER) {
    parts.push(meansPositive(minimum) ? '> 0' : `≥ ${short(minimum)}`);
  }
  if (typeof exclusiveMaximum === 'number') parts.push(`< ${short(exclusiveMaximum)}`);
  if (typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER) parts.push(`≤ ${short(maximum)}`);
  return parts.length > 0 ? ` ${parts.join(', ')}` : '';
}

/** The type in a few words, e.g. `number > 0`, `"fifo" | "random"`, `list of numbers`. */
export function typeInWords(schema: JsonSchema): string {
  if (partOf(schema) !== '') return partOf(schema);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((word) => JSON.stringify(word)).join(' | ');
  const list = alternatives(schema);
  if (list.length > 1) return [...new Set(list.map((one) => quotedTag(one) ?? lawOr(typeInWords(one))))].join(' | ');
  if (list[0] !== schema) return typeInWords(list[0]);
  if (schema.type === 'array') return listInWords(schema);
  if (schema.type === 'number' || schema.type === 'integer') return `${schema.type}${bounds(schema)}`;
  if (isSchema(schema.properties)) return `{${Object.keys(schema.properties).join(', ')}}`;
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  return typeof schema.type === 'string' ? schema.type : 'anything';
}

/** A choice between laws is a law. */
export const lawOr = (type: string): string => (/^[A-Z]\w+Law$/.test(type) ? 'Law' : type);

const quotedTag = (schema: JsonSchema): string | undefined => {
  const tag = tagOf(schema);
  return tag === undefined || partOf(schema) !== '' ? undefined : JSON.stringify(tag);
};

function listInWords(schema: JsonSchema): string {
  const places = schemasIn(schema.prefixItems);
  if (places.length > 0) return `[${places.map(typeInWords).join(', ')}]`;
  return `list of ${isSchema(schema.items) ? typeInWords(schema.items) : 'anything'}`;
}

/** `list of pages`: a list of rows is called after what it lists; its properties follow below it. */
export function listNamed(name: string, property: JsonSchema): string | undefined {
  const forms = alternatives(property);
  if (!forms.some((one) => rowsOf(one) !== undefined)) return undefined;
  const spellName = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const asColumns = forms.some((one) => one.title === 'Columns');
  return `list of ${spellName}${asColumns ? ', as rows or columns' : ''}`;
}

export function rowsOf(schema: JsonSchema): JsonSchema | undefined {
  if (schema.type !== 'array' || !isSchema(schema.items)) return undefined;
  return alternatives(schema.items).some((one) => isSchema(one.properties)) ? schema.items : undefined;
}

/** `1/time` → `per second` where the operation's unit is the second, else `per time unit`. */
export function unitInWords(schema: JsonSchema, timeUnit: string | undefined): string {
  const unit = text(schema['x-unit']);
  const whole = timeUnit ?? 'time units';
  const one = timeUnit?.replace(/s$/, '') ?? 'time unit';
  if (unit === 'time') return whole;
  if (unit !== '')
    return unit
      .replace(/^1\/time$/, `per ${one}`)
      .replace(/^1\//, 'per ')
      .replaceAll(/\/time\b/g, ` per ${one}`);
  const quantity = text(schema['x-quantity']);
  return ['share', 'probability', 'position'].includes(quantity) ? quantity : '';
}
