import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countElements } from '../../src/dispatch/count-elements.ts';
import { PairLifter } from '../../src/dispatch/pairs/lift-pairs.ts';
import { readPairs } from '../../src/dispatch/pairs/read-pairs.ts';
import { parse, parseUncounted } from '../../src/dispatch/pipeline.ts';
import { crawlPlan } from '../../src/operations/crawl-plan.ts';
import { crawlPlanRequest } from '../../src/schemas/crawl-plan/index.ts';
import { changeRatesRequest } from '../../src/schemas/estimates-change-rates.ts';
import { checksOfPages } from '../../src/schemas/parts/checks/checks-column.ts';
import { PairStore } from '../../src/schemas/table/pair-cells.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const limits = { defaultTimeLimitMs: 1000, maxTimeLimitMs: 1000, maxWork: 1e15 };
/** Smaller bodies are parsed as they are. */
const large = ' '.repeat(70_000);

const blank = fc.constantFrom('', '', '', ' ', '\n', '\t ', '\u00a0', '\u000b');
const digits = fc.stringMatching(/^\d{1,20}$/);
const numberText = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 1e7 }).map(String) },
  { weight: 4, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String) },
  { weight: 4, arbitrary: fc.tuple(digits, digits).map(([whole, decimals]) => `${whole}.${decimals}`) },
  fc.constantFrom('-0', '01', '1.', '.5', '1e3', '1E-2', '1e', '-', '+1', '1e400', '"1"', 'null', '[]', '1 2', ''),
);
const flagText = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('0', '1', 'true', 'false') },
  fc.constantFrom('2', '1.0', '00', '-0', 'null', '"true"', 'tru', '1e0', ''),
);
const pairText = fc.oneof(
  {
    weight: 30,
    arbitrary: fc
      .tuple(blank, numberText, blank, flagText, blank)
      .map(([a, elapsed, b, flag, c]) => `[${a}${elapsed}${b},${c}${flag}${a}]`),
  },
  fc.constantFrom('[1]', '[1,0,1]', '[', '1', '[]', '{}', 'null', ']'),
);
const goodList = fc
  .array(fc.tuple(fc.double({ min: -10, max: 1e6, noNaN: true }), fc.constantFrom(0, 1, true, false)), { maxLength: 5 })
  .map((pairs) => JSON.stringify(pairs));
const anyList = fc
  .tuple(fc.array(pairText, { maxLength: 4 }), blank)
  .map(([pairs, gap]) => `[${pairs.join(`,${gap}`)}]`);
const cell = fc.oneof(
  { weight: 8, arbitrary: goodList },
  { weight: 2, arbitrary: anyList },
  fc.constantFrom(
    'null',
    '0',
    '1',
    '-1',
    '"a"',
    '{}',
    '[[1,0]]7',
    '[[1,0]]]',
    '7[[1,0]]',
    '{"checks":3,"changes":1,"gap":5}',
  ),
);
const name = fc.oneof(
  { weight: 40, arbitrary: fc.constant('"checks"') },
  fc.constantFrom('"check\\u0073"', '"Checks"', 'checks'),
);
const row = fc
  .tuple(fc.integer({ min: 0, max: 1e6 }), fc.array(fc.tuple(name, blank, cell), { minLength: 1, maxLength: 2 }))
  .map(([id, cells]) => `{"id":"p${id}",${cells.map(([key, gap, text]) => `${key}${gap}:${gap}${text}`).join()}}`);
const rows = fc.array(row, { minLength: 1, maxLength: 6 }).map((list) => `[${list.join()}]`);
const columns = fc
  .tuple(name, fc.array(cell, { minLength: 1, maxLength: 6 }), blank)
  .map(([key, cells, gap]) => `{${key}:[${cells.join(`${gap},`)}${gap}]}`);
const body = fc
  .tuple(fc.constantFrom('"pages"', '"pages"', '"pages"', '"page\\u0073"', '"other"'), fc.oneof(rows, columns))
  .map(([key, list]) => `{"now":1760000000,"interval":86400,"crawls":3,${key}:${list}}${large}`);

/**
 * Every list of a text with its checks made plain, as the request's reader sees it; the refusals where there are any.
 */
function read(schema: typeof crawlPlanRequest | typeof changeRatesRequest, parsed: ReturnType<typeof parse>) {
  if (parsed.kind !== 'parsed') return parsed;
  const result = schema.safeParse(parsed.value, { reportInput: false });
  if (!result.success) return result.error.issues.map(({ path, message }) => ({ path, message }));
  return 'problem' in result.data ? result.data.problem : result.data.history;
}

describe('lists of pairs read from bytes', () => {
  it('are what JSON.parse reads, to the bit, or are left to it', () => {
    const tried = { read: 0, left: 0 };
    fc.assert(
      fc.property(fc.oneof(goodList, anyList), (text) => {
        const store = new PairStore();
        const end = readPairs(bytes(text), 0, store, 1e15);
        tried[end < 0 ? 'left' : 'read']++;
        if (end < 0) {
          expect(store.used).toBe(0);
          return;
        }
        const parsed: unknown = JSON.parse(text.slice(0, end));
        const pairs = Array.from({ length: store.used }, (_, k) => [store.numbers[k], store.flags[k]]);
        expect(Array.isArray(parsed) && parsed.map(([elapsed, flag]) => [elapsed, Number(flag)])).toEqual(pairs);
      }),
      { numRuns: 1000, seed: 186 },
    );
    expect(Math.min(tried.read, tried.left)).toBeGreaterThan(150);
  });

  it('reads numbers of any length as the parser does', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -1e15, max: 1e15 }),
        fc.integer({ min: 0, max: 20 }),
        (value, places) => {
          for (const text of [String(value), value.toFixed(places), value.toExponential(Math.min(places, 20))]) {
            const store = new PairStore();
            expect(readPairs(bytes(`[[${text},1]]`), 0, store, 2e15)).toBe(text.length + 6);
            expect(Object.is(store.numbers[0], JSON.parse(text))).toBe(true);
          }
        },
      ),
      { numRuns: 300, seed: 187 },
    );
  });
});

describe('a body whose lists of pairs are lifted', () => {
  it('is the request that the parser alone makes of it, or the same refusal', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(body, fc.constantFrom(crawlPlanRequest, changeRatesRequest), (text, schema) => {
        const given = bytes(schema === crawlPlanRequest ? text : text.replace(/"now".*?"crawls":3,/, ''));
        const plain = read(schema, parseUncounted(given));
        expect(read(schema, parse(crawlPlan, given, limits))).toEqual(plain);
        seen[Array.isArray(plain) || 'facts' in plain ? 'refused' : 'accepted']++;
      }),
      { numRuns: 400, seed: 188 },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(40);
  });

  it('counts as what the parser would have made of it', () => {
    const bounds = { largest: 1e9, most: () => 1e9 };
    fc.assert(
      fc.property(fc.oneof(rows, columns), (list) => {
        const text = bytes(`{"pages":${list}}`);
        const lifter = new PairLifter(checksOfPages, { rows: 1e9, pairs: 1e9 });
        if (parseUncounted(text).kind !== 'parsed') return;
        expect(countElements(text, bounds, lifter)).toEqual(countElements(text, bounds));
      }),
      { numRuns: 300, seed: 189 },
    );
  });

  it('lifts good lists out, in rows and in columns', () => {
    for (const text of [
      '{"pages":[{"checks":[[5,1],[6.5,false]]},{"checks":[]}]}',
      '{"pages":{"checks":[[[5,1],[6.5,false]],[],null]}}',
    ]) {
      const lifter = new PairLifter(checksOfPages, { rows: 10, pairs: 10 });
      countElements(bytes(text), { largest: 10, most: () => 10 }, lifter);
      const rest = lifter.rest(bytes(text));
      expect(rest === null ? null : new TextDecoder().decode(rest)).toBe(
        text.replace(text.includes('null') ? /\[\[\[.*null\]/ : /\[\[5.*?\]\]/, ' 0 '),
      );
    }
  });

  it('leaves lists longer than they may be to whoever refuses them', () => {
    const text = bytes('{"pages":[{"checks":[[5,1],[6,0],[7,0]]}]}');
    const lifter = new PairLifter(checksOfPages, { rows: 10, pairs: 2 });
    const { excess } = countElements(text, { largest: 2, most: () => 10 }, lifter);
    expect(excess).toMatchObject({ path: ['pages', 0, 'checks'], items: 3 });
    expect(lifter.rest(text)).toBeNull();
  });
});
