/** What every operation has. */
import { describe, expect, it } from 'vitest';
import { answerJsonSchema, isSchema, type JsonSchema, requestJsonSchema } from '../../scripts/schema-fields.ts';
import * as library from '../../src/index.ts';
import { operations } from '../../src/operations/index.ts';
import { exampleAnswer } from '../../src/package.ts';
import { faultsOf } from '../certificates/faults-of.ts';

/** Fields of every answer, which the first page of the document and docs/contract.md describe. */
const common = new Set(['summary', 'solution', 'evaluation', 'conflict', 'detail', 'warnings']);

/** The paths of numbers without a quantity, and of fields without a description. */
function gaps(schema: JsonSchema, path = '', said = false): string[] {
  // the schema of the rows describes the columns too
  if (schema.title === 'Columns') return [];
  const violations: string[] = [];
  const hasMeaning = said || 'x-quantity' in schema;
  const numeric =
    (schema.type === 'number' || schema.type === 'integer') && !('const' in schema) && !('enum' in schema);
  if (numeric && !hasMeaning) violations.push(path);
  for (const keyword of ['anyOf', 'oneOf', 'prefixItems']) {
    const forms = schema[keyword];
    if (Array.isArray(forms))
      violations.push(...forms.filter(isSchema).flatMap((form) => gaps(form, path, hasMeaning)));
  }
  if (isSchema(schema.items)) violations.push(...gaps(schema.items, `${path}[]`, hasMeaning));
  for (const [name, property] of Object.entries(isSchema(schema.properties) ? schema.properties : {})) {
    if (!isSchema(property)) continue;
    const isSaid = ['description', 'x-quantity', 'const'].some((keyword) => keyword in property);
    if (!isSaid && !common.has(name)) violations.push(`${path}/${name} has no description`);
    violations.push(...gaps(property, `${path}/${name}`));
  }
  return violations;
}

describe.each(operations.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  it('is a function of the library, and verify knows it', () => {
    expect(Object.keys(library)).toContain(name.replace(/[-/](\w)/g, (_, letter) => letter.toUpperCase()));
    expect(faultsOf(name, {}, {}).join()).not.toContain('there is no operation');
    expect(faultsOf(`no-${name}`, {}, {})).toEqual([`there is no operation no-${name}`]);
  });

  it('says every example’s answer in a sentence', () => {
    expect(operation.examples.length).toBeGreaterThanOrEqual(2);
    for (const example of operation.examples) {
      expect(Object(exampleAnswer(example)).summary, example.name).toMatch(/^[A-Z0-9"].*\.$/);
    }
  });

  it('describes every field, and says what each number is', () => {
    expect(gaps(requestJsonSchema(operation.requestSchema))).toEqual([]);
    expect(gaps(answerJsonSchema(operation.answerSchema))).toEqual([]);
  });
});
