/** The plan as people read it: its table, its order, its lanes, and the files it is taken away in. */
import { describe, expect, it } from 'vitest';
import { listAt } from '../../src/console/api/read.ts';
import { scheduleCsv, tableCsv } from '../../src/console/pictures/exports.ts';
import { eventsOf } from '../../src/console/pictures/lanes/events.ts';
import {
  availableGroupings,
  findNearestEvent,
  firstEventFrom,
  lanesOf,
} from '../../src/console/pictures/lanes/lanes.ts';
import {
  orderedRows,
  type ResultColumn,
  type ResultTable,
  resultTable,
} from '../../src/console/pictures/table/result-table.ts';
import { exampleNamed, questionOf } from './questions-of-contract.ts';

function tableOf(name: string): ResultTable {
  const { operation, exchange } = exampleNamed(name);
  const table = resultTable(questionOf(operation), exchange);
  if (table === undefined) throw new Error(`${name} has no table`);
  return table;
}

/** The first page of a recorded answer of crawl-plan. */
const firstPage = (name: string): { changeRate: number; changeRateInterval: number[]; staleness: number } =>
  Object(listAt(exampleNamed(name).exchange.answer.solution, 'pages')[0]);

const everyRow = (table: ResultTable): Int32Array => orderedRows(table, '', undefined);

describe('the table of an answer', () => {
  it.each([
    ['crawl-plan', 'https://news.example/'],
    ['crawl-plan-columns', 'p0'],
    ['crawl-allocation', 'front-page'],
    ['slot-assignment', 'news/1'],
    ['access-sequence', 'home'],
    ['change-rates', 'daily-checks'],
  ])('of %s calls its first row by its id', (name, id) => {
    expect(tableOf(name).names(0)).toBe(id);
  });

  it('says a rate with its interval in one cell, a time as a date, a share in percent', () => {
    const table = tableOf('crawl-plan');
    const columnOf = (name: string): ResultColumn | undefined => table.columns.find((column) => column.name === name);
    const text = (name: string): string => columnOf(name)?.text(0) ?? '';
    const { changeRate, changeRateInterval, staleness } = firstPage('crawl-plan');
    const perDay = (rate: number): string => String(Number((rate * 86_400).toPrecision(3)));
    expect(text('changeRate')).toBe(perDay(changeRate));
    expect(columnOf('changeRate')?.unit).toBe('per day');
    const [low, high] = changeRateInterval.map(perDay);
    expect(columnOf('changeRate')?.note?.(0)).toBe(` (${low} – ${high})`);
    expect(text('nextFetch')).toMatch(/^[A-Z][a-z]{2} \d+, \d\d:\d\d$/);
    expect(columnOf('staleness')?.unit).toBe('of the time');
    expect(text('staleness')).toBe(`${Number((100 * staleness).toPrecision(3))}%`);
    expect(table.columns.some(({ name }) => name === 'changeRateInterval')).toBe(false);
  });

  it('calls the crawler of a task by its id, and sorts by its position', () => {
    const crawler = tableOf('slot-assignment').columns.find(({ name }) => name === 'crawler');
    const names = [0, 1, 2, 3, 4, 5].map((row) => crawler?.text(row));
    expect(names.join(' ')).toBe('east east east west east west');
    expect([0, 3].map((row) => crawler?.raw(row))).toEqual([0, 1]);
  });

  it('is sorted by any column, without values last, and filtered by every word', () => {
    const table = tableOf('crawl-plan-columns');
    const rows = (column: string, descending: boolean) => [...orderedRows(table, '', { column, descending })];
    expect(rows('crawls', true)).toEqual([0, 2, 4, 1, 3]);
    expect(rows('crawls', false)).toEqual([3, 1, 4, 0, 2]);
    expect(rows('id', true)).toEqual([4, 3, 2, 1, 0]);
    expect([...orderedRows(tableOf('crawl-plan'), 'shop NEW', undefined)]).toEqual([3]);
  });
});

describe('the lanes', () => {
  it.each(['crawl-plan', 'crawl-plan-columns', 'crawl-allocation', 'slot-assignment', 'access-sequence'])(
    'of %s have every fetch once, in order of time, however they are grouped',
    (name) => {
      const table = tableOf(name);
      const events = eventsOf(exampleNamed(name).exchange);
      if (events === undefined) throw new Error('no events');
      for (const by of availableGroupings(table, events)) {
        const lanes = lanesOf(table, events, everyRow(table), by);
        expect(lanes.events.flat().sort((a, b) => a - b)).toEqual(Array.from(events.time, (_, event) => event));
        lanes.names.forEach((lane, i) => {
          const own = lanes.events[i];
          expect(own).toEqual(own.toSorted((a, b) => a - b));
          for (const event of own) {
            const row = events.row[event];
            const nameBy = {
              page: table.names(row),
              host: table.hosts(row),
              crawler: events.crawlers[events.crawler[event]],
            };
            expect(nameBy[by]).toBe(lane);
          }
        });
      }
    },
  );

  it('find the fetch nearest to a moment as a search through all does', () => {
    const table = tableOf('access-sequence');
    const events = eventsOf(exampleNamed('access-sequence').exchange);
    if (events === undefined) throw new Error('no events');
    const lanes = lanesOf(table, events, everyRow(table), 'page');
    for (let time = -1.3; time < events.to + 2; time += 3.7) {
      const own = lanes.events[0];
      const distance = (event: number): number => Math.abs(events.time[event] - time);
      expect(distance(findNearestEvent(lanes, 0, events.time, time))).toBe(Math.min(...own.map(distance)));
      expect(firstEventFrom(lanes, 0, events.time, time)).toBe(own.filter((event) => events.time[event] < time).length);
    }
  });
});

describe('the files of a plan', () => {
  const table = tableOf('crawl-plan');
  const events = eventsOf(exampleNamed('crawl-plan').exchange);
  if (events === undefined) throw new Error('no events');

  it('are CSV with the names and numbers of the wire, in the order shown', () => {
    const [head, first] = tableCsv(table, orderedRows(table, '', { column: 'id', descending: true })).split('\r\n');
    expect(head.split(',').slice(0, 3)).toEqual(['id', 'changeRate', 'crawls']);
    expect(first.startsWith('https://shop.example/offers,')).toBe(true);
    const lines = scheduleCsv(table, events).trimEnd().split('\r\n');
    expect(lines).toHaveLength(25);
    expect(lines[1]).toMatch(/^2025-10-09T08:53:20\.000Z,crawler 1,https:/);
  });

  it('of ids from strangers stay what they are: a line a page, and no formula', () => {
    const strange: ResultTable = { ...table, names: () => '=cmd|x\r\nhttps://evil.example/' };
    expect(tableCsv(strange, orderedRows(strange, '', undefined)).split('\r\n')[1]).toMatch(/^"'=cmd/);
  });
});
