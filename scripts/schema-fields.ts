/**
 * A JSON Schema of the contract as fields for people: each with its type, unit, default and meaning, in the order of
 * the schema. Parts that several operations share (`x-component`) are named where they are used and listed once.
 */

import {
  alternatives,
  lawOr,
  listNamed,
  partOf,
  rowsOf,
  tagOf,
  text,
  typeInWords,
  unitInWords,
} from './field-words.ts';
import { isSchema, type JsonSchema } from './json-schema.ts';

export interface Field {
  readonly depth: number;
  readonly name: string;
  /** From the top: `pages[].changeRate`, `policy(rates).spacing`. */
  readonly path: string;
  readonly required: boolean;
  readonly type: string;
  /** In words; empty for what has none. */
  readonly unit: string;
  /** As JSON; empty where there is none. */
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
  /** The unit of times where the operation fixes it. */
  readonly timeUnit: string | undefined;
  readonly parts: Map<string, JsonSchema>;
  /** The objects that have been listed, each at the place where it was first. */
  readonly listedObjects: { readonly properties: JsonSchema; readonly path: string }[];
  /** What lies deeper is not listed. */
  readonly maxDepth: number;
}

interface Place {
  readonly depth: number;
  readonly path: string;
}

/** The fields of a schema, depth first. */
export function fieldsOf(schema: JsonSchema, timeUnit?: string, maxDepth = Number.POSITIVE_INFINITY): Fields {
  const reading: Reading = { timeUnit, parts: new Map(), listedObjects: [], maxDepth };
  const fields = membersOf(schema, { depth: 0, path: '' }, reading);
  return { fields, parts: reading.parts };
}

/** What stands below a schema: its properties, those of its rows, or its variants one after the other. */
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
  const earlier = earlierListing(properties, reading);
  if (path !== '') reading.listedObjects.push({ properties, path });
  const repeatedNames = new Set(earlier?.names);
  const reference = { ...blank, depth, name: '…', path: `${path}.…`, description: `As in ${earlier?.path}` };
  if (depth > reading.maxDepth) return repeatedNames.size === Object.keys(properties).length ? [reference] : [];
  const requiredNames = Array.isArray(required) ? required : [];
  const ownFields = Object.entries(properties).flatMap(([name, property]) => {
    if (!isSchema(property) || 'const' in property || repeatedNames.has(name)) return [];
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
    // What stands below says it better than a list of its names.
    const type = children.length > 0 ? field.type.replace(/^\{.*\}/, 'object') : field.type;
    return [{ ...field, type }, ...children];
  });
  return earlier === undefined ? ownFields : [reference, ...ownFields];
}

/** Where three or more of these properties have been listed, or all of them that there are. */
function earlierListing(
  properties: JsonSchema,
  { listedObjects: listed }: Reading,
): { path: string; names: string[] } | undefined {
  const listings = listed
    .map((each) => ({ path: each.path, names: commonNames(each.properties, properties) }))
    .sort((a, b) => b.names.length - a.names.length);
  return listings.length > 0 && listings[0].names.length > 2 ? listings[0] : undefined;
}

/** The properties of which the other object says the same. */
const commonNames = (other: JsonSchema, properties: JsonSchema): string[] =>
  Object.keys(properties).filter((name) => JSON.stringify(other[name]) === JSON.stringify(properties[name]));

/** Remembers the shared parts that the type of a field names. */
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

/** The fields of a shared part, and the parts that it names itself. */
export function fieldsOfPart(schema: JsonSchema, timeUnit?: string): Fields {
  const { 'x-component': _, ...part } = schema;
  const reading: Reading = { timeUnit, parts: new Map(), listedObjects: [], maxDepth: Number.POSITIVE_INFINITY };
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
