/** Logs of more lines than a function takes arguments, and values that are names of what every object inherits. */
import { describe, expect, it } from 'vitest';
import { readLog } from '../../src/logs/read-log.ts';

describe('a log of many lines', () => {
  it('of a web server is read whole', () => {
    const line = (path: string, status: number): string =>
      `10.0.0.1 - - [01/Jun/2026:00:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 500 "-" "crawler"\n`;
    const { pages } = readLog([`${line('/a', 304)}${line('/a', 200).repeat(200_000)}`]);
    expect(pages[0].observations).toHaveLength(200_001);
    expect(pages[0].observations.changed.at(-1)).toBe(1);
  });

  it('has the pages of a host that never answer 304 found in one pass', () => {
    const lines: string[] = ['page,time,status'];
    for (let i = 0; i < 100_000; i++) lines.push(`https://a.example/${i},${1_780_000_000 + i},304`);
    for (let i = 0; i < 20_000; i++)
      for (let k = 0; k < 4; k++) lines.push(`https://a.example/never/${i},${1_780_000_000 + k},200`);
    const { pages, notes } = readLog([lines.join('\n')]);
    expect(pages[110_000].observations.toJSON()[0]).toEqual({ time: 1_780_000_000, status: 200, changed: true });
    expect(notes.join(' ')).toContain('and 19995 more');
  });
});

describe('a name of what every object inherits', () => {
  it('is no verdict of a fetch', () => {
    const rows = ['a,1780000000,true', 'a,1780000100,constructor', 'a,1780000200,__proto__'];
    const [page] = readLog([['url,time,changed', ...rows].join('\n')]).pages;
    expect(page.observations.toJSON().map((each) => 'changed' in each)).toEqual([true, false, false]);
  });

  it('is no status of a crawldb, and none of a status index', () => {
    const block = (url: string, status: string): string =>
      [
        `${url}\tVersion: 7`,
        `Status: 2 (${status})`,
        'Fetch time: Mon Jun 01 00:00:19 UTC 2026',
        'Retry interval: 100 seconds (0 days)',
        'Signature: 9f',
      ].join('\n');
    const dump = readLog([`${block('http://a/', 'db_fetched')}\n${block('http://b/', 'constructor')}\n`]);
    expect(dump.pages.map(({ id }) => id)).toEqual(['http://a/']);
    expect(dump.notes).toContain('1 passed over: status constructor.');
    const row = (url: string, status: string): string =>
      JSON.stringify({
        url,
        status,
        nextFetchDate: '2026-06-01T00:00:00Z',
        metadata: { lastProcessedDate: '2026-06-01T00:00:00Z', signature: '9f' },
      });
    const index = readLog([`${row('http://a/', 'FETCHED')}\n${row('http://b/', 'toString')}\n`]);
    expect(index.pages.map(({ id }) => id)).toEqual(['http://a/']);
    expect(index.notes).toContain('1 passed over: status toString.');
  });
});
