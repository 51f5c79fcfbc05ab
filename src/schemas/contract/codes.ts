/**
 * Every code that `errors[].code` of a 422 can carry, with its meaning: those of the schema here, those of conditions
 * in src/solvers/condition-codes.ts. docs/errors.md is generated from both.
 */
import { conditionCodes } from '../../solvers/condition-codes.ts';

export { conditionCodes };

/**
 * Codes that restate the JSON Schema, in zod's words: what is valid against `GET /openapi.json` never meets them.
 */
export const schemaCodes = {
  invalid_type: 'The value is of another type, or not a finite number, or not an integer where one is asked for.',
  required: 'The property is missing.',
  too_small: 'The number is below its least value, or the list or text is too short.',
  too_big: 'The number is above its largest value, or the list, text or object is too long.',
  invalid_value: 'The value is none of those that are listed.',
  invalid_union: 'The value has none of the accepted forms, or its `type`, `model` or the like names none of them.',
  unrecognized_key: 'No such property here; the message names the allowed ones.',
} as const;

/** Every code, with its meaning. */
export const fieldCodes = { ...schemaCodes, ...conditionCodes } as const;

export type FieldCode = keyof typeof fieldCodes;

export function isFieldCode(code: unknown): code is FieldCode {
  return typeof code === 'string' && Object.hasOwn(fieldCodes, code);
}
