/** Columns of a body that another thread reads: what is read is the same, whoever was faster and whatever stands there. */
import { expect, it } from 'vitest';
import { Begun } from '../../src/dispatch/arriving/begun.ts';
import { Arriving } from '../../src/dispatch/lifted/arriving.ts';
import { columnsPart } from '../../src/dispatch/lifted/elsewhere.ts';
import { PartThreads } from '../../src/dispatch/parts/thread-hands.ts';
import { crawlAllocation } from '../../src/operations/crawl-allocation.ts';
import { isBinary } from '../../src/schemas/table/cells.ts';
import { isRecord } from '../../src/schemas/table/table-reading.ts';
import type { Hands } from '../../src/solvers/budget.ts';
import { partsFile } from '../../src/worker-file.ts';

const rows = 90_000;
const each = (cell: (i: number) => unknown): unknown[] => Array.from({ length: rows }, (_, i) => cell(i));
const columns = {
  weight: each((i) => 1 + 1 / (i + 3)),
  // a reader that looks for columns alone would find some in these
  host: each((i) => ['a', '],', ':[', 'times', null][i % 5]),
  times: each((i) => (i % 3 === 0 ? null : [i / rows, (i + 0.5) / rows].slice(i % 2))),
  probabilities: each((i) => (i % 7 === 0 ? [] : [1 / (i + 1)])),
  changeRate: each((i) => (i % 4 === 0 ? null : Math.sqrt(i))),
  process: each((i) => (i % 2 === 0 ? 'poisson' : 'quasi-deterministic')),
};
const body = (given: object): string => JSON.stringify({ interval: 1, pages: given, options: { seed: 2 } });
const spaced = (text: string): string => text.replaceAll('":', '": ').replaceAll(',"', ', "');

const bodies = {
  columns: body(columns),
  'columns with blanks': spaced(body(columns)),
  'a column that is none': body({ ...columns, process: ['poisson', 3, ...columns.process.slice(2)] }),
  escapes: body({ ...columns, class: each((i) => `"weight":[${i},2],"times":[`) }),
  'other lists of these names': body({ ...columns, process: { times: columns.weight, weight: columns.times } }),
  'rows, whose lists look like columns': JSON.stringify({
    interval: 1,
    pages: each((i) => ({ updates: { type: 'quasi-deterministic', times: [0.5], probabilities: [1 / (i + 1)] } })),
  }),
  'no JSON': body(columns).slice(0, -9_000),
};

/** Does everything before the reader of the body goes on, or nothing before it has come to its end. */
const early: Hands = {
  others: 1,
  start: (part, input, budget) => {
    const made = structuredClone(part.run(input, budget));
    return () => made;
  },
};
const late: Hands = { others: 1, start: (part, input, budget) => () => part.run(input, budget) };

const begunWith = (bytes: Uint8Array): Begun => new Begun(crawlAllocation, bytes, new Arriving(bytes.length, 0));

function read(text: string, hands?: Hands) {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)));
  bytes.write(text);
  const begun = begunWith(bytes);
  const count = begun.count(hands);
  const rest = begun.lifter?.rest(bytes);
  let value: unknown = 'no JSON';
  try {
    value = JSON.parse(new TextDecoder().decode(rest ?? bytes));
    if (rest) begun.lifter?.restore(value);
  } catch {
    // as it stands
  }
  const pages = isRecord(value) && isRecord(value.pages) ? value.pages : {};
  const cells = Object.entries(pages).map(([name, list]) => [
    name,
    isBinary(list) ? Array.from({ length: list.length }, (_, i) => list.at(i)) : list,
  ]);
  return { count, rest: rest && new TextDecoder().decode(rest), cells, value: isRecord(value) && value.options };
}

it.each(Object.entries(bodies))('%s', (_, text) => {
  const alone = read(text);
  expect(read(text, early)).toEqual(alone);
  expect(read(text, late)).toEqual(alone);
  expect(read(text, new PartThreads(partsFile).hands(1))).toEqual(alone);
});

it('are taken from the last on, and each once', () => {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(bodies.columns)));
  bytes.write(bodies.columns);
  const made: string[] = [];
  const hands: Hands = {
    others: 1,
    start(part, input, budget) {
      const found = part.name === columnsPart.name && isRecord(input) ? input.found : null;
      if (!(found instanceof Int32Array)) throw new Error('not what was expected');
      // the third of them is somebody's already
      found[3 + 2 * 2] = 1;
      const output = part.run(input, budget);
      for (const { at } of Array.isArray(output) ? output : [])
        made.push(/"(\w+)":$/.exec(bytes.toString('latin1', at - 20, at))?.[1] ?? '');
      return () => output;
    },
  };
  begunWith(bytes).count(hands);
  expect(made).toEqual(['process', 'changeRate', 'probabilities']);
});

it('are left alone in memory that threads do not share, and in small bodies', () => {
  const hands: Hands = {
    others: 1,
    start() {
      throw new Error('asked');
    },
  };
  const own = Buffer.from(bodies.columns);
  expect(begunWith(own).count(hands).names).toBe(10);
  expect(read(body({ weight: [1, 2] }), hands).cells).toEqual([['weight', [1, 2]]]);
});
