import { describe, expect, it } from 'vitest';
import { tableAnswer } from '../../src/schemas/table/table-answer.ts';
import { NotFiniteError, toJson, toPlain } from '../../src/workers/to-json.ts';

const length = 1000;
const ids = Array.from({ length }, (_, i) => (i % 7 === 0 ? undefined : `page "${i}"`));
const columns = {
  rate: Float64Array.from({ length }, (_, i) => (i % 5 === 0 ? Number.NaN : i / 3)),
  crawls: Uint32Array.from({ length }, (_, i) => i % 4),
  interval: Array.from({ length }, (_, i) => [i / 9, null]),
  told: undefined,
};
const expected = Array.from({ length }, (_, i) => ({
  ...(ids[i] !== undefined && { id: ids[i] }),
  rate: i % 5 === 0 ? null : i / 3,
  crawls: i % 4,
  interval: [i / 9, null],
}));

describe('rows of an answer', () => {
  it('are written as JSON.stringify writes them all', () => {
    const rows = tableAnswer({ form: 'rows', length, ids }, columns);
    expect(toJson({ list: rows, typed: Uint8Array.of(1, 2) })).toBe(JSON.stringify({ list: expected, typed: [1, 2] }));
    expect(toPlain({ list: rows })).toEqual({ list: expected });
    expect(toJson(tableAnswer({ form: 'rows', length: 0, ids: null }, columns))).toBe('[]');
  });

  it('have null for a NaN among the cells of a list too', () => {
    const rows = tableAnswer({ form: 'rows', length: 2, ids: null }, { rate: [Number.NaN, 2] });
    expect(toJson(rows)).toBe('[{"rate":null},{"rate":2}]');
  });

  it('have typed arrays as lists, and are refused at a number that JSON cannot carry', () => {
    const form = { form: 'rows', length: 600, ids: null } as const;
    const typed = tableAnswer(form, { list: Array.from({ length: 600 }, () => Float64Array.of(1, 2.5)) });
    expect(JSON.parse(toJson(typed))).toEqual(Array.from({ length: 600 }, () => ({ list: [1, 2.5] })));
    const rate = new Float64Array(600);
    rate[517] = Number.POSITIVE_INFINITY;
    const infinite = { solution: { pages: tableAnswer(form, { rate }) } };
    for (const write of [toJson, toPlain]) {
      expect(() => write(infinite)).toThrow(NotFiniteError);
      expect(() => write(infinite)).toThrow('/solution/pages/517/rate');
    }
  });
});
