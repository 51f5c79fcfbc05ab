import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestJsonSchema } from '../../scripts/json-schema.ts';
import type { Json, Schema } from '../../src/console/api/json.ts';
import { propertiesOf } from '../../src/console/contract/schema.ts';
import { fieldKind, sampleVariant, variantAt } from '../../src/console/request/field-kind.ts';
import { pointerOf, withValue } from '../../src/console/request/pointer.ts';
import { durationText, percent } from '../../src/console/words/dates.ts';
import { operations } from '../../src/operations/index.ts';
import { exampleRequest } from '../../src/package.ts';
import { duration, figure } from '../../src/schemas/words/numbers.ts';

const named = (name: string) => {
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return operation;
};
const schemaOf = (name: string, property: string): Schema => {
  const found = propertiesOf(requestJsonSchema(named(name).requestSchema)).find((each) => each.name === property);
  if (found === undefined) throw new Error(`${name} has no ${property}`);
  return found.schema;
};

describe('the form of an operation', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s has a field of its own kind for everything its examples say, never bare JSON',
    (_, operation) => {
      const properties = propertiesOf(requestJsonSchema(operation.requestSchema));
      for (const example of operation.examples) {
        for (const [name, value] of Object.entries(Object(exampleRequest(example)))) {
          const property = properties.find((each) => each.name === name);
          if (property === undefined) throw new Error(`no field for ${name}`);
          const kind = fieldKind(property.schema);
          expect(kind.kind, name).not.toBe('json');
          // What JSON.parse gave.
          if (kind.kind === 'variants') expect(variantAt(kind.variants, value as Json), name).toBeGreaterThanOrEqual(0);
        }
      }
    },
  );

  it('offers a rate or one of the twelve distributions, each with values to start from that the service accepts', () => {
    const operation = named('crawler-count');
    const kind = fieldKind(schemaOf('crawler-count', 'service'));
    if (kind.kind !== 'variants') throw new Error(kind.kind);
    expect(kind.variants.map(({ label }) => label)).toHaveLength(13);
    for (const variant of kind.variants) {
      const service = sampleVariant(variant);
      const checked = operation.check({ capacity: 5, crawlerRate: 1, service, costs: { starvation: 1 } });
      // A phase-type law wants a negative diagonal, a uniform one max above min: the refusal says so at the field.
      const pointers = checked.ok ? [] : checked.issues.map(({ path }) => path.join('/'));
      if (!checked.ok) expect(['phase-type', 'uniform'], pointers.join()).toContain(variant.label);
    }
  });

  it('keeps what two forms have in common when one is changed for the other', () => {
    const kind = fieldKind(schemaOf('crawler-count', 'service'));
    if (kind.kind !== 'variants') throw new Error(kind.kind);
    const gamma = kind.variants.find(({ label }) => label === 'gamma');
    if (gamma === undefined) throw new Error('no gamma');
    expect(sampleVariant(gamma, { type: 'erlang', shape: 3, rate: 7 })).toEqual({ type: 'gamma', shape: 3, rate: 7 });
  });
});

describe('changing one value of a request', () => {
  const path = fc.array(fc.oneof(fc.constantFrom('pages', 'a/b', '~', 'weight'), fc.nat({ max: 3 })), {
    minLength: 1,
    maxLength: 4,
  });

  it('leaves the old request as it was', () => {
    fc.assert(
      fc.property(path, fc.integer(), (at, value) => {
        const before = withValue({}, ['pages', 0, 'weight'], 1);
        const copy = structuredClone(before);
        withValue(before, at, value);
        expect(before).toEqual(copy);
      }),
    );
  });

  it('puts the value where the path leads, and removes it again', () => {
    expect(withValue({ a: [1, 2, 3] }, ['a', 1], 9)).toEqual({ a: [1, 9, 3] });
    expect(withValue({ a: [1, 2, 3] }, ['a', 1], undefined)).toEqual({ a: [1, 3] });
    expect(withValue({ a: { b: 1, c: 2 } }, ['a', 'b'], undefined)).toEqual({ a: { c: 2 } });
    expect(withValue(undefined, ['a', 'b'], 1)).toEqual({ a: { b: 1 } });
  });

  it('writes places as the contract does', () => {
    expect(pointerOf(['pages', 3, 'a/b', '~'])).toBe('/pages/3/a~1b/~0');
  });
});

describe('numbers for people', () => {
  it.each([
    [0, '0'],
    [1234567, '1,234,567'],
    [0.0914586, '0.09146'],
    [-1.5, '−1.5'],
    [3.14159e-9, '3.142e−9'],
    [1e12, '1,000,000,000,000'],
    [1.5e12 + 0.5, '1.5e12'],
    [Number.NaN, '–'],
    [null, '–'],
    [Number.POSITIVE_INFINITY, '∞'],
  ])('%s is %s', (value, text) => {
    expect(figure(value)).toBe(text);
  });

  it('shares are percentages and durations have their unit', () => {
    expect(percent(0.1876793)).toBe('18.8%');
    expect(duration(86_400 * 1.5)).toBe('1.5 d');
    expect(duration(90)).toBe('1.5 min');
    expect(durationText(90_000)).toBe('1.5 min');
  });
});
