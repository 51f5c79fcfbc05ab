/** The form: lists edited as rows and as columns, numbers as people write them, and what is said of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestJsonSchema } from '../../scripts/schema-fields.ts';
import type { Json, Schema } from '../../src/console/api/json.ts';
import { rowCount } from '../../src/console/api/read.ts';
import { meaningOf } from '../../src/console/contract/meaning.ts';
import { type Property, propertiesOf } from '../../src/console/contract/schema.ts';
import { cellKind, cellSummary } from '../../src/console/request/cells.ts';
import { fieldKind, sampleVariant, variantAt } from '../../src/console/request/field-kind.ts';
import {
  boundsInWords,
  defaultInWords,
  numberInWords,
  parseNumberText,
  stepOf,
} from '../../src/console/request/number-text.ts';
import { pointerOf, withValue } from '../../src/console/request/pointer.ts';
import {
  cellOf,
  nextId,
  usedColumns,
  withCell,
  withColumn,
  withNewRow,
  withoutColumn,
  withoutRow,
} from '../../src/console/request/table-model.ts';
import { durationText } from '../../src/console/words/dates.ts';
import { operations } from '../../src/operations/index.ts';
import { exampleRequest } from '../../src/package.ts';
import { duration, figure } from '../../src/schemas/words/numbers.ts';
import { operationNamed } from '../contract/outcomes.ts';
import { exampleNamed } from './questions-of-contract.ts';

const schemaOf = (name: string, property: string): Schema => {
  const match = propertiesOf(requestJsonSchema(operationNamed(name).requestSchema)).find(
    (each) => each.name === property,
  );
  if (match === undefined) throw new Error(`${name} has no ${property}`);
  return match.schema;
};

function tableOf(name: string, property: string) {
  const kind = fieldKind(schemaOf(name, property));
  if (kind.kind !== 'table') throw new Error(`${property} is no table`);
  return kind;
}

const column = (name: string, required = false): Property => ({ name, required, schema: { type: 'number' } });
const rows: Json = [
  { id: 'news/8', rate: 1 },
  { id: 'news/9', rate: 2, weight: 3 },
];
const columns: Json = { id: ['news/8', 'news/9'], rate: [1, 2], host: 'a' };

describe('a list', () => {
  it('is read and written alike as rows and as columns', () => {
    for (const table of [rows, columns]) {
      expect(rowCount(table)).toBe(2);
      expect(cellOf(table, 1, 'rate')).toBe(2);
      expect(cellOf(withCell(table, 1, 'rate', 7), 1, 'rate')).toBe(7);
      expect(cellOf(withCell(table, 0, 'rate', 7), 1, 'rate')).toBe(2);
      expect(rowCount(withoutRow(table, 0))).toBe(1);
      expect(cellOf(withoutRow(table, 0), 0, 'id')).toBe('news/9');
      expect(
        cellOf(
          withColumn(table, 'floor', (row) => row),
          1,
          'floor',
        ),
      ).toBe(1);
      expect(cellOf(withoutColumn(table, 'rate'), 0, 'rate')).toBeUndefined();
    }
  });

  it('keeps columns of one length: an emptied cell is null, a cell of a new column fills the others with it', () => {
    expect(withCell(columns, 0, 'rate', undefined)).toMatchObject({ rate: [null, 2] });
    expect(withCell(columns, 1, 'weight', 5)).toMatchObject({ weight: [null, 5] });
    // One value for all stays one value.
    expect(withCell(columns, 1, 'host', 'b')).toMatchObject({ host: 'b' });
    expect(withCell(rows, 0, 'rate', undefined)).toEqual([{ id: 'news/8' }, { id: 'news/9', rate: 2, weight: 3 }]);
  });

  it('gives a new row an id of its own', () => {
    for (const table of [rows, columns]) {
      const longer = withNewRow(table, [column('id'), column('rate', true)], 'id');
      expect(rowCount(longer)).toBe(3);
      expect(cellOf(longer, 2, 'id')).toBe('news/10');
      expect(cellOf(longer, 2, 'rate')).toBe(2);
    }
    expect(withNewRow([], [column('rate', true)], undefined)).toEqual([{ rate: 1 }]);
    expect(nextId(new Set(['home', 'home-2']), 'home')).toBe('home-3');
  });

  it('shows the columns that are required or that any row has', () => {
    const columns = [column('id'), column('rate', true), column('weight'), column('floor')];
    expect(usedColumns(rows, columns).map(({ name }) => name)).toEqual(['id', 'rate', 'weight']);
    expect(usedColumns([{}], columns).map(({ name }) => name)).toEqual(['rate']);
  });

  it('that comes as columns is edited by the names of that form, not those of rows', () => {
    const { pages } = exampleNamed('crawl-allocation-columns').exchange.request;
    const kind = tableOf('crawl-allocation', 'pages');
    const used = usedColumns(pages, kind.formColumns);
    const names = used.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['process', 'changeRate', 'shape', 'scale', 'times', 'probabilities']),
    );
    expect(names).not.toContain('updates');
    const process = used.find(({ name }) => name === 'process');
    expect(process && cellKind(process).kind).toBe('choice');
    const edited = withCell(pages, 0, 'changeRate', 0.75);
    expect(edited).toMatchObject({ changeRate: [0.75, 0.1, null, null, null, 0.02] });
    expect(rowCount(edited)).toBe(6);
  });

  it('summarises a cell that holds an object or a list', () => {
    expect(cellSummary({ type: 'poisson', rate: 2 })).toBe('poisson, rate 2');
    expect(cellSummary([[1, true]])).toBe('1 value');
    expect(cellSummary([6, 18])).toBe('6, 18');
    expect(cellSummary(null)).toBe('none');
    const updates = tableOf('crawl-allocation', 'pages').columns.find(({ name }) => name === 'updates');
    expect(updates && cellKind(updates).kind).toBe('variants');
  });
});

const moment = meaningOf('now', { 'x-quantity': 'moment', 'x-unit': 'epoch seconds' });
const seconds = meaningOf('interval', { 'x-quantity': 'time', 'x-unit': 'seconds' });
const plain = meaningOf('budget', { description: 'in any unit (seconds, bytes, credits)', 'x-quantity': 'cost' });

describe('a number', () => {
  it('may be a duration or a date, where the field counts seconds', () => {
    expect(parseNumberText('6h', seconds)).toBe(21_600);
    expect(parseNumberText('90m', seconds)).toBe(5400);
    for (const text of ['6h', '2026-06-11', 'six', '']) expect(parseNumberText(text, plain)).toBeUndefined();
    expect(parseNumberText('12', plain)).toBe(12);
  });

  it('is stepped as suits it: a moment by a minute, a duration by a part of itself', () => {
    expect(stepOf(1_760_000_000, moment, false)).toBe(60);
    expect([100, 7200, 86_400].map((value) => stepOf(value, seconds, false))).toEqual([30, 300, 3600]);
    expect([40, 0.25, 0, 1200].map((value) => stepOf(value, plain, false))).toEqual([1, 0.01, 0.1, 100]);
  });

  it('is also written in days, hours or as a date', () => {
    expect(numberInWords(21_600, seconds)).toBe('6 h');
    expect(numberInWords(40, plain)).toBe('');
    expect(defaultInWords(Number.MAX_SAFE_INTEGER, plain)).toBe('no cap');
    expect(defaultInWords(86_400, seconds)).toBe('default 1 d');
    expect(boundsInWords({ minimum: 1e-15 })).toBe('greater than 0');
    expect(boundsInWords({ minimum: 2, maximum: 40 })).toBe('at least 2, at most 40');
  });
});

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
    const operation = operationNamed('crawler-count');
    const kind = fieldKind(schemaOf('crawler-count', 'service'));
    if (kind.kind !== 'variants') throw new Error(kind.kind);
    expect(kind.variants.map(({ label }) => label)).toHaveLength(13);
    for (const variant of kind.variants) {
      const service = sampleVariant(variant);
      const result = operation.check({ capacity: 5, crawlerRate: 1, service, costs: { starvation: 1 } });
      // A phase-type law wants a negative diagonal, a uniform one max above min: the refusal says so at the field.
      const pointers = result.ok ? [] : result.issues.map(({ path }) => path.join('/'));
      if (!result.ok) expect(['phase-type', 'uniform'], pointers.join()).toContain(variant.label);
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
        const original = withValue({}, ['pages', 0, 'weight'], 1);
        const copy = structuredClone(original);
        withValue(original, at, value);
        expect(original).toEqual(copy);
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

  it('durations have their unit', () => {
    expect(duration(86_400 * 1.5)).toBe('1.5 d');
    expect(duration(90)).toBe('1.5 min');
    expect(durationText(90_000)).toBe('1.5 min');
  });
});
