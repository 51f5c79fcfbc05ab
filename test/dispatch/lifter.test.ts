import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnLists } from '../../src/dispatch/column-lists.ts';
import { countElements } from '../../src/dispatch/count-elements.ts';
import { wordsOf } from '../../src/dispatch/lifted/json-bytes.ts';
import { Lifter } from '../../src/dispatch/lifted/lifter.ts';
import { readNumber } from '../../src/dispatch/lifted/number.ts';
import { readPairs } from '../../src/dispatch/lifted/pairs.ts';
import { parse, parseUncounted, prepareParsed } from '../../src/dispatch/pipeline.ts';
import { serialise } from '../../src/dispatch/serialise.ts';
import { crawlAllocation } from '../../src/operations/crawl-allocation.ts';
import { crawlPlan } from '../../src/operations/crawl-plan.ts';
import { crawlPlanRequest } from '../../src/schemas/crawl-plan/index.ts';
import { changeRatesRequest } from '../../src/schemas/estimates-change-rates.ts';
import { checksOfPages } from '../../src/schemas/parts/checks/checks-column.ts';
import { PairStore } from '../../src/schemas/table/pair-cells.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Takes the columns of a plan's pages. */
function lifterOf(longest = { rows: 1e9, items: 1e9 }): Lifter {
  const { request: list } = columnLists(crawlPlan);
  if (list === null) throw new Error('a plan has a list of pages');
  return new Lifter({ list, pairs: checksOfPages }, longest);
}

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
  return result.data.problem;
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
});

describe('a number read from bytes', () => {
  const target = new Float64Array(1);
  /** Within a body, and at its very end, where less is read at once. */
  const readAt = (body: Uint8Array, into: Float64Array): number => readNumber(body, 0, into, 0, wordsOf(body));
  const read = (text: string, into: Float64Array): number => {
    const ends = [text + ' '.repeat(64), `${text},${'7'.repeat(64)}`, text].map((body) => {
      into[0] = Number.NaN;
      return [readAt(bytes(body), into), into[0]];
    });
    const [[end]] = ends;
    expect([text, ends]).toEqual([text, ends.map(() => ends[0])]);
    return end;
  };
  const expectAsParsed = (text: string): void => {
    expect([text, read(`${text},`, target)]).toEqual([text, text.length]);
    expect([text, Object.is(target[0], JSON.parse(text))]).toEqual([text, true]);
  };

  it('is the double that the parser makes of it, to the bit', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ noNaN: true, min: -1e15, max: 1e15 }),
        fc.integer({ min: 0, max: 20 }),
        (any, value, places) => {
          for (const text of [String(any), String(value), value.toFixed(places), value.toExponential(places)])
            expectAsParsed(text);
        },
      ),
      { numRuns: 1000, seed: 187 },
    );
  });

  it('is read of ten digits and more before the point, as seconds since 1970 have', () => {
    const texts = [
      '1760000000',
      '1760000000.5',
      '1760000000.25e1',
      '123456789012345',
      '1234567890123456',
      '99999999999999.125',
    ];
    for (const text of [
      ...texts,
      '1234567890.123456789',
      '123456789012345678',
      '12345678901234567890',
      '-1760000000.125',
    ]) {
      const target = new Float64Array(1);
      expect([text, read(`${text},`, target)]).toEqual([text, text.length]);
      expect(target[0]).toBe(Number(text));
    }
    for (const text of ['1760000000.', '1760000000.e1']) expect(read(text, new Float64Array(1))).toBe(-1);
  });

  it('is rounded as the parser does next to the middle between two doubles', () => {
    for (let k = 0; k < 2000; k++) {
      const twice = 2n * (2n ** 52n + BigInt(k) * 2_251_799_813n) + 1n;
      for (const digits of [15n, 16n, 17n, 18n]) {
        const text = ((twice * 10n ** digits) / 2n ** 53n).toString();
        expectAsParsed(`${text[0]}.${text.slice(1)}`);
      }
    }
  });

  it('is left to the parser where it is none', () => {
    for (const text of ['', '-', '01', '-01', '1.', '.5', '1e', '1e+', '+1', 'NaN', '0x1'].map((each) => `${each},`)) {
      const end = read(text, target);
      expect([text, end === -1 || text[end] !== ',']).toEqual([text, true]);
    }
  });
});

/** Cells of columns that are read, or nearly. */
const numberCell = fc.oneof(
  { weight: 20, arbitrary: fc.double({ noNaN: true, min: -1, max: 30 }).map(String) },
  { weight: 5, arbitrary: fc.constantFrom('null', '0', '1', '1e400', '-0') },
  fc.constantFrom('"1"', 'true', '01', '', '[1]', '{}', '1 2'),
);
const textCell = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('"poisson"', '"lomax"', '"quasi-deterministic"', 'null') },
  { weight: 5, arbitrary: fc.constantFrom('""', '"ä\u{1f600}"', '"\ufeffa"', '"gamm"') },
  fc.constantFrom('"a\\u0062"', '"a\nb"', '3', '"', '"a'),
);
const listCell = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .array(fc.double({ noNaN: true, min: 0, max: 1 }), { maxLength: 4 })
      .map((list) => JSON.stringify(list)),
  },
  fc.constantFrom('null', '[]', '[0.1,]', '[null]', '[[1]]', '3', '["a"]'),
);
const column = (cells: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.array(cells, { minLength: 3, maxLength: 3 }).map((list) => `[${list.join(' , ')}]`) },
    { weight: 2, arbitrary: cells },
    fc.constantFrom('[]', '[1]', '[ 0 ]', 'null', '["a"]', '{}', '[1,2', '[1] 2'),
  );
const three = (cells: fc.Arbitrary<string>) =>
  fc.array(cells, { minLength: 3, maxLength: 3 }).map((list) => `[${list.join(',')}]`);
const rate = fc.double({ noNaN: true, min: 0.01, max: 30 }).map(String);
const goodMembers = fc
  .constantFrom('poisson', 'lomax')
  .chain((process) =>
    fc.tuple(
      fc.tuple(fc.constant('process'), three(fc.constant(`"${process}"`))),
      fc.tuple(fc.constant(process === 'poisson' ? 'changeRate' : 'scale'), three(rate)),
      fc.tuple(fc.constant(process === 'poisson' ? 'weight' : 'shape'), three(fc.constantFrom('1.25', '2'))),
      fc.tuple(fc.constant('lastCrawlAge'), three(fc.constantFrom('null', '0.5', '3'))),
    ),
  );
/** Lists of possible updates: mostly as they should be, at times out of order, too late, too likely or too few. */
const updateLists = fc
  .array(
    fc.tuple(
      fc.uniqueArray(fc.double({ noNaN: true, min: 0, max: 1 }), { maxLength: 5 }),
      fc.constantFrom<'' | 'order' | 'late' | 'likely' | 'few' | 'none'>(
        ...Array(20).fill(''),
        'order',
        'late',
        'likely',
        'few',
        'none',
      ),
    ),
    { minLength: 3, maxLength: 3 },
  )
  .map((pages) => {
    const cells = pages.map(([drawn, fault]) => {
      const times = [...drawn].sort((a, b) => a - b);
      const probabilities = times.map((time) => (fault === 'likely' ? 1.5 : time / 2));
      if (fault === 'order') times.reverse();
      if (fault === 'late') times.push(7);
      if (fault === 'few') probabilities.push(0.5);
      return fault === 'none' ? ['null', '[0.5]'] : [JSON.stringify(times), JSON.stringify(probabilities)];
    });
    return [0, 1].map((k) => `[${cells.map((cell) => cell[k]).join()}]`);
  });
const quasiMembers = fc
  .tuple(updateLists, three(fc.constantFrom('null', '0', '0.25', '1', '1', '2')), three(fc.constantFrom('null', '0.5')))
  .map(([[times, probabilities], staleAtStart, lastCrawlAge]) => [
    ['process', `[${Array(3).fill('"quasi-deterministic"').join()}]`],
    ['times', times],
    ['probabilities', probabilities],
    ['staleAtStart', staleAtStart],
    ['lastCrawlAge', lastCrawlAge],
  ]);
const anyMember = fc.oneof(
  fc.tuple(
    fc.constantFrom('changeRate', 'weight', 'shape', 'scale', 'staleAtStart', 'lastCrawlAge'),
    column(numberCell),
  ),
  fc.tuple(fc.constantFrom('process', 'id', 'proces\\u0073'), column(textCell)),
  fc.tuple(fc.constantFrom('times', 'probabilities', 'updates'), column(listCell)),
);
const pagesInColumns = fc
  .oneof(
    goodMembers,
    quasiMembers,
    fc.tuple(goodMembers, anyMember).map(([good, other]) => [...good, other]),
    fc.array(anyMember, { minLength: 1, maxLength: 5 }),
  )
  .map((members) => `{${members.map(([key, text]) => `"${key}": ${text}`).join()}}`);

describe('a body whose columns are lifted', () => {
  it('is the request that the parser alone makes of it, or the same refusal to the letter', () => {
    const seen = { accepted: 0, refused: 0, lifted: 0 };
    fc.assert(
      fc.property(pagesInColumns, (pages) => {
        const given = bytes(`{"interval":1,"crawls":3,"pages":${pages}}${large}`);
        const outcome = (parsed: ReturnType<typeof parse>) => {
          if (parsed.kind !== 'parsed') return parsed;
          const ready = prepareParsed(crawlAllocation, parsed.value, limits);
          if (ready.kind !== 'ready') return ready;
          const { solution } = ready.request.solve(unlimitedBudget());
          return JSON.parse(serialise({ solution, work: ready.work }));
        };
        const lifted = parse(crawlAllocation, given, limits);
        const plain = outcome(parseUncounted(given));
        expect(outcome(lifted)).toEqual(plain);
        seen['kind' in plain ? 'refused' : 'accepted']++;
        if (lifted.kind === 'parsed' && /Cells/.test(inspect(lifted.value, { depth: 2 }))) seen.lifted++;
      }),
      { numRuns: 800, seed: 190 },
    );
    expect(Math.min(seen.accepted, seen.refused, seen.lifted)).toBeGreaterThan(100);
  });

  it('counts as what the parser would have made of it', () => {
    const bounds = { largest: 1e9, most: () => 1e9 };
    const { request: list } = columnLists(crawlAllocation);
    fc.assert(
      fc.property(pagesInColumns, (pages) => {
        const text = bytes(`{"pages":${pages}}`);
        if (list === null || parseUncounted(text).kind !== 'parsed') return;
        const lifter = new Lifter({ list }, { rows: 1e9, items: 1e9 });
        expect(countElements(text, bounds, lifter)).toEqual(countElements(text, bounds));
      }),
      { numRuns: 500, seed: 191 },
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
        const lifter = lifterOf();
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
      const lifter = lifterOf({ rows: 10, items: 10 });
      countElements(bytes(text), { largest: 10, most: () => 10 }, lifter);
      const rest = lifter.rest(bytes(text));
      expect(rest === null ? null : new TextDecoder().decode(rest)).toBe(
        text.replace(text.includes('null') ? /\[\[\[.*null\]/ : /\[\[5.*?\]\]/, ' [0] '),
      );
    }
  });

  it('leaves lists longer than they may be to whoever refuses them', () => {
    const text = bytes('{"pages":[{"checks":[[5,1],[6,0],[7,0]]}]}');
    const lifter = lifterOf({ rows: 10, items: 2 });
    const { excess } = countElements(text, { largest: 2, most: () => 10 }, lifter);
    expect(excess).toMatchObject({ path: ['pages', 0, 'checks'], items: 3 });
    expect(lifter.rest(text)).toBeNull();
  });
});
