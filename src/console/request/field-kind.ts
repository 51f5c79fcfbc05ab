/** JSON Schema → the kind of field that edits it, and a value to start from. */
import { isRecord, type Json, type Schema } from '../api/json.ts';
import { type Meaning, meaningOf } from '../contract/meaning.ts';
import { constantOf, flattenForms, formsOf, isNumeric, type Property, propertiesOf } from '../contract/schema.ts';
import { boundsInWords } from './number-text.ts';

/** One of several forms of a value, identified by its title or by a constant property. */
export interface Variant {
  readonly label: string;
  readonly schema: Schema;
  /** The property that names the variant, e.g. `type`; absent for null and for untagged forms. */
  readonly tag?: { readonly property: string; readonly value: Json };
}

export type FieldKind =
  | { readonly kind: 'number'; readonly integer: boolean; readonly hint: string; readonly meaning: Meaning }
  | { readonly kind: 'text' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly words: readonly string[] }
  /** A list of words from a fixed set. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'numbers' }
  | { readonly kind: 'matrix' }
  | { readonly kind: 'object'; readonly properties: readonly Property[] }
  | { readonly kind: 'variants'; readonly variants: readonly Variant[] }
  | {
      readonly kind: 'table';
      readonly columns: readonly Property[];
      /** The columns of a list in column form; `columns` are those of a list in row form. */
      readonly formColumns: readonly Property[];
      readonly rows: Schema;
    }
  | { readonly kind: 'json' };

function tagOf(schema: Schema): Variant['tag'] {
  for (const [property, inner] of Object.entries(isRecord(schema.properties) ? schema.properties : {})) {
    const value = constantOf(inner);
    if (value !== undefined) return { property, value };
  }
  return undefined;
}

function variantOf(schema: Schema): Variant {
  const tag = tagOf(schema);
  if (tag) return { label: String(tag.value), schema, tag };
  if (schema.type === 'null') return { label: 'none', schema };
  const constant = constantOf(schema);
  if (constant !== undefined) return { label: constant, schema };
  if (typeof schema.title === 'string') return { label: schema.title, schema };
  const names = propertiesOf(schema).map(({ name }) => name);
  return { label: names.length > 0 ? names.join(', ') : String(schema.type ?? 'other'), schema };
}

/** The forms of a value, each with what identifies it. */
export const variantsOf = (schema: Schema): Variant[] => flattenForms(schema).map(variantOf);

/** The kind of control that edits a value of this schema. */
export function fieldKind(schema: Schema): FieldKind {
  const forms = flattenForms(schema);
  const rows = forms.find((form) => form.type === 'array' && isRecord(form.items) && isRowLike(form.items));
  if (rows && isRecord(rows.items) && (forms.length === 1 || rows.title === 'Rows')) {
    const columns = tableColumns(rows.items);
    const columnsForm = forms.find((form) => form !== rows && form.type === 'object' && isRecord(form.properties));
    return {
      kind: 'table',
      columns,
      formColumns: columnsForm ? columnCells(columnsForm, columns) : columns,
      rows: rows.items,
    };
  }
  if (forms.length > 1) {
    const words = forms.map(constantOf).filter((word) => word !== undefined);
    if (words.length === forms.length) return { kind: 'choice', words };
    return { kind: 'variants', variants: forms.map(variantOf) };
  }
  const [form] = forms;
  if (Array.isArray(form.enum)) return { kind: 'choice', words: form.enum.map(String) };
  if (isNumeric(form)) {
    return {
      kind: 'number',
      integer: form.type === 'integer',
      hint: boundsInWords(form),
      meaning: meaningOf('', schema),
    };
  }
  if (form.type === 'string') return { kind: 'text' };
  if (form.type === 'boolean') return { kind: 'flag' };
  if (form.type === 'array' && isRecord(form.items)) {
    if (isNumeric(form.items)) return { kind: 'numbers' };
    if (Array.isArray(form.items.enum)) return { kind: 'words', words: form.items.enum.map(String) };
    if (form.items.type === 'array' && isNumeric(form.items.items)) return { kind: 'matrix' };
  }
  if (form.type === 'object' && isRecord(form.properties)) return { kind: 'object', properties: propertiesOf(form) };
  return { kind: 'json' };
}

const isRowLike = (items: Schema): boolean => formsOf(items).every((form) => isRecord(form.properties));

/** The columns of a list: the properties of its rows, of every form they may have. */
function tableColumns(items: Schema): Property[] {
  const columns = new Map<string, Property>();
  for (const form of formsOf(items)) {
    for (const property of propertiesOf(form)) if (!columns.has(property.name)) columns.set(property.name, property);
  }
  return [...columns.values()];
}

/** The properties of a list in column form, each with the schema of its cells and the description of the row form. */
function columnCells(form: Schema, rows: readonly Property[]): Property[] {
  return propertiesOf(form).map((property) => {
    const row = rows.find(({ name }) => name === property.name);
    const array = flattenForms(property.schema).find((each) => each.type === 'array');
    if (!isRecord(array?.items)) return property;
    // Description and unit of the column, or of the row's property, hold for its cells.
    const annotations = Object.entries({ ...row?.schema, ...property.schema }).filter(
      ([name]) => name === 'description' || name.startsWith('x-'),
    );
    return { ...property, schema: { ...array.items, ...Object.fromEntries(annotations) } };
  });
}

function sampleNumber(schema: Schema): number {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  const low = Math.max(Number(minimum), Number(exclusiveMinimum));
  const high = Math.min(Number(maximum), Number(exclusiveMaximum));
  if (1 > low && 1 < high) return 1;
  if (1 === low && exclusiveMinimum !== 1) return 1;
  if (high <= 1 && low > -Infinity) return (low + high) / 2;
  return low > -Infinity ? Math.floor(low) + 1 : Math.min(1, high);
}

/** The initial value of a field that the user adds. */
export function sampleOf(schema: Schema): Json {
  if (schema.default !== undefined && schema.default !== null) return JSON.parse(JSON.stringify(schema.default));
  const kind = fieldKind(schema);
  switch (kind.kind) {
    case 'number':
      return sampleNumber(formsOf(schema)[0]);
    case 'text':
      return '';
    case 'flag':
      return true;
    case 'choice':
      return kind.words[0];
    case 'words':
      return [kind.words[0]];
    case 'numbers':
      return [1];
    case 'matrix':
      return [[1]];
    case 'object':
      return sampleObject(schema);
    case 'variants':
      return sampleVariant(kind.variants[0]);
    case 'table':
      return [sampleOf(kind.rows)];
    case 'json':
      return schema.type === 'array' ? [] : {};
  }
}

function sampleObject(schema: Schema): { readonly [name: string]: Json } {
  const requiredProperties = propertiesOf(schema).filter(({ required }) => required);
  return Object.fromEntries(requiredProperties.map(({ name, schema: inner }) => [name, sampleOf(inner)]));
}

/** A sample of this variant that keeps the values of the properties it shares with `previous`. */
export function sampleVariant({ schema, tag }: Variant, previous?: Json): Json {
  if (schema.type === 'null') return null;
  const constant = constantOf(schema);
  if (constant !== undefined) return constant;
  if (!isRecord(schema.properties)) return sampleOf(schema);
  const names = propertiesOf(schema).map(({ name }) => name);
  const sharedMembers = Object.entries(isRecord(previous) ? previous : {}).filter(([name]) => names.includes(name));
  const sample = { ...sampleObject(schema), ...JSON.parse(JSON.stringify(Object.fromEntries(sharedMembers))) };
  return tag ? { [tag.property]: tag.value, ...sample } : sample;
}

/** Position of the variant that a value has; −1 if none fits. */
export function variantAt(variants: readonly Variant[], value: Json | undefined): number {
  if (value === undefined) return -1;
  const fits = ({ schema, tag }: Variant): boolean => {
    if (tag) return isRecord(value) && value[tag.property] === tag.value;
    if (schema.type === 'null') return value === null;
    const constant = constantOf(schema);
    if (constant !== undefined) return value === constant;
    if (schema.type === 'array') return Array.isArray(value);
    if (isRecord(schema.properties)) {
      const knownNames = schema.properties;
      return isRecord(value) && Object.keys(value).every((name) => name in knownNames);
    }
    if (isNumeric(schema)) return typeof value === 'number';
    return typeof value === schema.type;
  };
  return variants.findIndex(fits);
}
