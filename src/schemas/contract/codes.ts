/**
 * Every code that `errors[].code` of a 422 can carry, with its meaning. Those of the schema are here, those of
 * conditions in src/solvers/condition-codes.ts. docs/errors.md is generated from both.
 */
import { conditionCodes } from '../../solvers/condition-codes.ts';

export { conditionCodes };

/** Codes of violations of the JSON Schema, in zod's words: a request valid by `GET /openapi.json` gets none of them. */
export const schemaCodes = {
  invalid_type: 'Another type, not a finite number, or not an integer.',
  required: 'The property is missing.',
  too_small: 'Below the least value, or too short.',
  too_big: 'Above the largest value, or too long.',
  invalid_value: 'None of the listed values.',
  invalid_union: 'None of the accepted forms, or its `type` or `model` names none.',
  unrecognized_key: 'No such property here; the message names the allowed ones.',
} as const;

/** Every code, with its meaning. */
export const fieldCodes = { ...schemaCodes, ...conditionCodes } as const;

export type FieldCode = keyof typeof fieldCodes;

export const isConditionCode = (code: FieldCode): code is keyof typeof conditionCodes => code in conditionCodes;

export function isFieldCode(code: unknown): code is FieldCode {
  return typeof code === 'string' && Object.hasOwn(fieldCodes, code);
}
