/** JSON Schemas, read property by property. */
import { isRecord, type Schema } from '../api/json.ts';
import { listAt } from '../api/read.ts';

export interface Property {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

const schemas = (value: unknown): Schema[] => listAt(value).filter(isRecord);

/** The keywords that hold for all forms of a value: its quantity, unit and so on. */
const annotationsOf = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name.startsWith('x-')));

/** The forms that a schema allows; the schema itself if it is no union. */
export const formsOf = (schema: Schema): Schema[] => {
  const forms = [...schemas(schema.anyOf), ...schemas(schema.oneOf)];
  return forms.length > 0 ? forms.map((form) => ({ ...annotationsOf(schema), ...form })) : [schema];
};

/** The constant that a schema allows; undefined where it allows more. OpenAPI writes a constant as an enum of one. */
export function constantOf(schema: unknown): string | undefined {
  if (!isRecord(schema)) return undefined;
  const constant = Array.isArray(schema.enum) && schema.enum.length === 1 ? schema.enum[0] : schema.const;
  return typeof constant === 'string' ? constant : undefined;
}

/** The properties of an object but its constants, which the choice of a variant sets. */
export function propertiesOf(schema: Schema): Property[] {
  if (!isRecord(schema.properties)) return [];
  const requiredNames = listAt(schema.required);
  return Object.entries(schema.properties).flatMap(([name, property]) =>
    isRecord(property) && constantOf(property) === undefined
      ? [{ name, schema: property, required: requiredNames.includes(name) }]
      : [],
  );
}

/** Whether the schema is that of any number, and no enum. */
export const isNumeric = (schema: unknown): boolean =>
  isRecord(schema) && (schema.type === 'number' || schema.type === 'integer') && !('enum' in schema);

/** The forms a schema allows, those inside forms too. */
export function flattenForms(schema: Schema): Schema[] {
  return formsOf(schema).flatMap((form) => {
    const inner = form === schema ? [form] : flattenForms(form);
    // A type list such as ["number", "null"] is a choice like any other.
    return inner.flatMap((one) => (Array.isArray(one.type) ? one.type.map((type) => ({ ...one, type })) : [one]));
  });
}
