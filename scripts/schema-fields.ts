/**
 * Turns a JSON Schema of the contract into a flat list of fields with type, unit, default and description, in the order
 * of the schema. A part that several operations share (`x-component`) appears as a type name, and is listed once.
 */

import * as z from 'zod';
import { meansPositive } from '../src/schemas/contract/problem.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Schemas whose fields are listed once in docs/parts.md, and referred to by name. */
const sharedParts =
  /^(Check|CheckCounts|FreshnessTarget|Objective|Observation|Options|SignalledCheck|Statistics|Status|Sweep|Target|Warning|LawWithPhases|\w*Law)$/;

/** The JSON Schema of a request body. */
export const requestJsonSchema = (schema: z.ZodType): JsonSchema => jsonSchemaOf(schema, 'input');

/** The JSON Schema of an answer body. */
export const answerJsonSchema = (schema: z.ZodType): JsonSchema => jsonSchemaOf(schema, 'output');

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace);
    if (!isSchema(value)) return value;
    const { $ref, ...own } = value;
    const members = Object.fromEntries(Object.entries(own).map(([name, inner]) => [name, inPlace(inner)]));
    if ($ref === undefined) return members;
    const name = String($ref).replace('#/$defs/', '');
    const part = { ...Object(inPlace($defs[name])), ...members };
    return sharedParts.test(name) ? { ...part, 'x-component': name } : part;
  };
  const result = inPlace(root);
  if (!isSchema(result)) throw new Error('a schema is an object');
  return result;
}

export interface Field {
  readonly depth: number;
  readonly name: string;
  /** From the top: `pages[].changeRate`, `policy(rates).spacing`. */
  readonly path: string;
  readonly required: boolean;
  readonly type: string;
  /** Unit in words; empty for a field without one. */
  readonly unit: string;
  /** Default value as JSON; empty without one. */
  readonly fallback: string;
  readonly role: string;
  readonly description: string;
}

export interface Fields {
  readonly fields: readonly Field[];
  /** The shared parts that the fields name, by name. */
  readonly parts: ReadonlyMap<string, JsonSchema>;
}

interface Reading {
  /** The operation's unit of time; undefined if the caller chooses it. */
  readonly timeUnit: string | undefined;
  readonly parts: Map<string, JsonSchema>;
  /** Maximum depth of listed fields. */
  readonly maxDepth: number;
}

interface Place {
  readonly depth: number;
  readonly path: string;
}

/** The fields of a schema, depth first. */
export function fieldsOf(schema: JsonSchema, timeUnit?: string, maxDepth = Number.POSITIVE_INFINITY): Fields {
  const reading: Reading = { timeUnit, parts: new Map(), maxDepth };
  const fields = membersOf(schema, { depth: 0, path: '' }, reading);
  return { fields, parts: reading.parts };
}

/** The fields inside a schema: its properties, those of its rows, or those of all its variants. */
function membersOf(schema: JsonSchema, place: Place, reading: Reading): Field[] {
  const forms = alternatives(schema).filter((one) => one.title !== 'Columns');
  const objects = forms.filter(
    (one) => isSchema(one.properties) || rowsOf(one) !== undefined || one.oneOf !== undefined,
  );
  const hasVariants = objects.length > 1;
  return objects.flatMap((one) => {
    if (place.depth > 0 && partOf(one) !== '') {
      noteParts(one, reading);
      return [];
    }
    const rows = rowsOf(one);
    if (rows !== undefined) return membersOf(rows, { ...place, path: `${place.path}[]` }, reading);
    if (alternatives(one)[0] !== one) return membersOf(one, place, reading);
    const tag = tagOf(one);
    if (tag === undefined || !hasVariants) return propertiesOf(one, place, reading);
    const head = {
      ...blank,
      depth: place.depth,
      name: tag,
      path: `${place.path}(${tag})`,
      description: tagMeaning(one),
    };
    return [head, ...propertiesOf(one, { depth: place.depth + 1, path: head.path }, reading)];
  });
}

const blank = { required: false, type: '', unit: '', fallback: '', role: '' } as const;

const tagMeaning = (schema: JsonSchema): string =>
  Object.values(isSchema(schema.properties) ? schema.properties : {})
    .filter((property) => isSchema(property) && 'const' in property)
    .map((property) => (isSchema(property) ? text(property.description) : ''))
    .join(' ');

function propertiesOf({ properties, required }: JsonSchema, { depth, path }: Place, reading: Reading): Field[] {
  if (!isSchema(properties)) return [];
  if (depth > reading.maxDepth) return [];
  const requiredNames = Array.isArray(required) ? required : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isSchema(property) || 'const' in property) return [];
    const ownPath = path === '' ? name : `${path}.${name}`;
    const field: Field = {
      depth,
      name,
      path: ownPath,
      required: requiredNames.includes(name) && property.default === undefined,
      type: listNamed(name, property) ?? typeInWords(property),
      unit: unitInWords(property, reading.timeUnit),
      fallback: property.default === undefined ? '' : JSON.stringify(property.default),
      role: text(property['x-role']),
      description: text(property.description),
    };
    noteParts(property, reading);
    const children = partOf(property) === '' ? membersOf(property, { depth: depth + 1, path: ownPath }, reading) : [];
    // The fields below the object describe it better than a list of their names.
    const type = children.length > 0 ? field.type.replace(/^\{.*\}/, 'object') : field.type;
    return [{ ...field, type }, ...children];
  });
}

/** Adds the shared parts in the type of a field to `reading`. */
function noteParts(schema: JsonSchema, reading: Reading): void {
  const part = partOf(schema);
  if (lawOr(part) !== part) return;
  if (part !== '') reading.parts.set(part, schema);
  else {
    for (const one of alternatives(schema)) {
      if (one !== schema) noteParts(one, reading);
      else if (isSchema(one.items) && partOf(one.items) !== '') reading.parts.set(partOf(one.items), one.items);
    }
  }
}

/** The fields of a shared part, and the parts that they refer to. */
export function fieldsOfPart(schema: JsonSchema, timeUnit?: string): Fields {
  const { 'x-component': _, ...part } = schema;
  const reading: Reading = { timeUnit, parts: new Map(), maxDepth: Number.POSITIVE_INFINITY };
  const forms = alternatives(part);
  const fields =
    forms[0] === part
      ? membersOf(part, { depth: 0, path: '' }, reading)
      : forms.flatMap((form) => variantOf(form, reading));
  return { fields, parts: reading.parts };
}

function variantOf(form: JsonSchema, reading: Reading): Field[] {
  const tag = tagOf(form);
  if (tag === undefined) return membersOf(form, { depth: 0, path: '' }, reading);
  const head = { ...blank, depth: 0, name: tag, path: tag, description: tagMeaning(form) };
  return [head, ...propertiesOf(form, { depth: 1, path: tag }, reading)];
}

const schemasIn = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** The alternatives of a union, or the schema itself. */
const alternatives = (schema: JsonSchema): JsonSchema[] => {
  const list = [...schemasIn(schema.anyOf), ...schemasIn(schema.oneOf)];
  return list.length > 0 ? list : [schema];
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The constant that identifies a variant, such as its `type` or `model`. */
function tagOf(schema: JsonSchema): string | undefined {
  for (const property of Object.values(isSchema(schema.properties) ? schema.properties : {})) {
    if (isSchema(property) && 'const' in property) return text(property.const);
  }
  return undefined;
}

/** The name of the shared part that a schema is; empty for other schemas. A part of columns has the fields of its rows. */
const partOf = (schema: JsonSchema): string => text(schema['x-component']);

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
function typeInWords(schema: JsonSchema): string {
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

/** `Law` for every union of laws. */
const lawOr = (type: string): string => (/^[A-Z]\w+Law$/.test(type) ? 'Law' : type);

const quotedTag = (schema: JsonSchema): string | undefined => {
  const tag = tagOf(schema);
  return tag === undefined || partOf(schema) !== '' ? undefined : JSON.stringify(tag);
};

function listInWords(schema: JsonSchema): string {
  const places = schemasIn(schema.prefixItems);
  if (places.length > 0) return `[${places.map(typeInWords).join(', ')}]`;
  return `list of ${isSchema(schema.items) ? typeInWords(schema.items) : 'anything'}`;
}

/** `list of pages` for a list of rows, whose properties follow as fields; undefined for other lists. */
function listNamed(name: string, property: JsonSchema): string | undefined {
  const forms = alternatives(property);
  if (!forms.some((one) => rowsOf(one) !== undefined)) return undefined;
  const spellName = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const asColumns = forms.some((one) => one.title === 'Columns');
  return `list of ${spellName}${asColumns ? ', as rows or columns' : ''}`;
}

function rowsOf(schema: JsonSchema): JsonSchema | undefined {
  if (schema.type !== 'array' || !isSchema(schema.items)) return undefined;
  return alternatives(schema.items).some((one) => isSchema(one.properties)) ? schema.items : undefined;
}

/** `1/time` → `per second` where the operation's unit is the second, else `per time unit`. */
function unitInWords(schema: JsonSchema, timeUnit: string | undefined): string {
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
