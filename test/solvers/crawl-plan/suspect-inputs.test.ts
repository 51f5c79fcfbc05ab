import { describe, expect, it } from 'vitest';
import { crawlPlan } from '../../../src/index.ts';

const now = 1_780_000_000;
const day = 86_400;
const page = { id: 'a', host: 'x', changeRate: 1 / day };
const plain = { now, interval: day, crawls: 4, pages: [page, { ...page, id: 'b' }] };
const warned = (change: object): Record<string, string> =>
  Object.fromEntries(crawlPlan({ ...plain, ...change }).warnings.map(({ code, detail }) => [code, detail]));

describe('a warning of values in the wrong unit or place', () => {
  it('does not come for a plain request', () => {
    expect(
      Object.keys(warned({ hosts: [{ host: 'x', minDelay: 1 }] })).filter((code) => /host|implausible/.test(code)),
    ).toEqual([]);
  });

  it('a host that no page has, and pages of no listed host, are named', () => {
    const warnings = warned({ hosts: [{ host: 'y', minDelay: 3 }] });
    expect(warnings['host-without-pages']).toContain('1 host ("y") without pages');
    expect(warnings['host-not-listed']).toContain('2 pages whose host is not listed');
  });

  it('interval and crawls in each other’s place', () => {
    expect(warned({ interval: 10, crawls: day })['implausible-interval']).toContain(
      'interval 86400 (1 d) with 10 crawls?',
    );
  });

  it('an interval in hours, far below every gap of the log', () => {
    const checks = [
      [day, 1],
      [2 * day, 0],
    ];
    const pages = [{ id: 'a', checks, lastCrawl: now - day }];
    expect(warned({ interval: 24, pages })['implausible-interval']).toContain('86400 if hours are meant');
    expect(warned({ interval: 3600, pages })['implausible-interval']).toBeUndefined();
  });

  it('an interval in hours, though the log has one short gap by chance', () => {
    const checks = [
      [day, 1],
      [30, 0],
      [2 * day, 0],
    ];
    const pages = [{ id: 'a', checks, lastCrawl: now - day }];
    expect(warned({ interval: 24, pages })['implausible-interval']).toContain(
      'below the middle time between two fetches',
    );
    expect(warned({ interval: 1440, pages })['implausible-interval']).toBeUndefined();
  });

  it('rates a day given as rates a second', () => {
    expect(warned({ pages: [{ ...page, changeRate: 3 }] })['implausible-rate']).toBe(
      'changeRate 3 means 3 changes a second; 3 a day is 0.00003472',
    );
    expect(warned({ pages: [{ ...page, changeRate: 0.1 }] })['implausible-rate']).toContain('0.1 a day is 0.000001157');
    expect(warned({ pages: [{ ...page, changeRate: 0.001 }] })['implausible-rate']).toBeUndefined();
  });
});
