/** The form: lists edited as rows and as columns, numbers as people write them, and what is said of them. */
import { describe, expect, it } from 'vitest';
import { requestJsonSchema } from '../../scripts/json-schema.ts';
import { isJsonObject, type Json } from '../../src/console/api/json.ts';
import { rowCount } from '../../src/console/api/read.ts';
import { meaningOf } from '../../src/console/contract/meaning.ts';
import { type Property, propertiesOf } from '../../src/console/contract/schema.ts';
import { cellKind, cellSummary } from '../../src/console/request/cells.ts';
import { fieldKind } from '../../src/console/request/field-kind.ts';
import {
  boundsInWords,
  defaultInWords,
  numberInWords,
  numberOfText,
  stepOf,
} from '../../src/console/request/people-numbers.ts';
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
import { operations } from '../../src/operations/index.ts';
import { exampleRequest } from '../../src/package.ts';

function tableOf(name: string, property: string) {
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(name);
  const found = propertiesOf(requestJsonSchema(operation.requestSchema)).find((each) => each.name === property);
  const kind = found && fieldKind(found.schema);
  if (kind?.kind !== 'table') throw new Error(`${property} is no table`);
  return kind;
}

function exampleNamed(name: string): { readonly [name: string]: Json } {
  const example = operations.flatMap(({ examples }) => examples).find((each) => each.name === name);
  const request: unknown = example && exampleRequest(example);
  if (!isJsonObject(request)) throw new Error(name);
  return request;
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
    expect(nextId(new Set(['front', 'front-2']), 'front')).toBe('front-3');
  });

  it('shows the columns that are required or that any row has', () => {
    const all = [column('id'), column('rate', true), column('weight'), column('floor')];
    expect(usedColumns(rows, all).map(({ name }) => name)).toEqual(['id', 'rate', 'weight']);
    expect(usedColumns([{}], all).map(({ name }) => name)).toEqual(['rate']);
  });

  it('that comes as columns is edited by the names of that form, not those of rows', () => {
    const { pages } = exampleNamed('crawl-allocation-columns');
    const kind = tableOf('crawl-allocation', 'pages');
    const used = usedColumns(pages, kind.asColumns);
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

  it('says what a cell with parts of its own holds', () => {
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
    expect(numberOfText('6h', seconds)).toBe(21_600);
    expect(numberOfText('90m', seconds)).toBe(5400);
    for (const text of ['6h', '2026-06-11', 'six', '']) expect(numberOfText(text, plain)).toBeUndefined();
    expect(numberOfText('12', plain)).toBe(12);
  });

  it('is stepped as suits it: a moment by a minute, a duration by a part of itself', () => {
    expect(stepOf(1_760_000_000, moment, false)).toBe(60);
    expect([100, 7200, 86_400].map((value) => stepOf(value, seconds, false))).toEqual([30, 300, 3600]);
    expect([40, 0.25, 0, 1200].map((value) => stepOf(value, plain, false))).toEqual([1, 0.01, 0.1, 100]);
  });

  it('has its unit from the contract, never from the words around it', () => {
    expect(numberInWords(60, plain)).toBe('');
    expect(numberOfText('6h', plain)).toBeUndefined();
    expect(stepOf(60, plain, false)).toBe(1);
  });

  it('is said in the unit people think in', () => {
    expect(numberInWords(21_600, seconds)).toBe('6 h');
    expect(numberInWords(40, plain)).toBe('');
    expect(defaultInWords(Number.MAX_SAFE_INTEGER, plain)).toBe('no cap');
    expect(defaultInWords(86_400, seconds)).toBe('default 1 d');
    expect(boundsInWords({ minimum: 1e-15 })).toBe('greater than 0');
    expect(boundsInWords({ minimum: 2, maximum: 40 })).toBe('at least 2, at most 40');
  });
});
