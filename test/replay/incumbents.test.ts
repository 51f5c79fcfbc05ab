/** The rules of Apache Nutch and StormCrawler, as their settings say. */
import { describe, expect, it } from 'vitest';
import { isNutchDue, type NutchPage, nutchDefaults, recordNutchFetch } from '../../bench/replay/nutch.ts';
import { day } from '../../bench/replay/replay.ts';
import { nextInterval } from '../../bench/replay/storm-crawler.ts';

const state = (interval: number): NutchPage => ({ interval, modified: 1e-9, fetchTime: 0, hasSignature: true });
const unsynchronised = { ...nutchDefaults, syncDelta: false };

describe('Nutch', () => {
  it('lengthens an unchanged page by .4, shortens a changed one by .2, and moves towards the change', () => {
    const page = state(10 * day);
    recordNutchFetch(page, 10 * day, false, unsynchronised);
    expect(page.fetchTime).toBeCloseTo(24 * day, 6);
    recordNutchFetch(page, 24 * day, true, unsynchronised);
    expect(page.fetchTime).toBeCloseTo(24 * day + 0.8 * 14 * day, 6);
    // last changed 10 days ago: the interval is 14 days, the next fetch .3·10 days earlier
    const synchronised = state(10 * day);
    recordNutchFetch(synchronised, 10 * day, false, nutchDefaults);
    expect(synchronised.fetchTime).toBeCloseTo(21 * day, 6);
  });

  it('forgets a page whose interval passes 90 days, and fetches at the next run what lies further ahead', () => {
    const page = state(100 * day);
    recordNutchFetch(page, 10 * day, false, unsynchronised);
    expect(page).toMatchObject({ interval: 81 * day, hasSignature: false, modified: 0 });
    expect(isNutchDue(page, 10 * day + 3600, nutchDefaults)).toBe(true);
    // compared with nothing, the interval stays, whatever the fetch sees
    recordNutchFetch(page, 10 * day + 3600, true, unsynchronised);
    expect(page.fetchTime).toBe(91 * day + 3600);
  });
});

describe('StormCrawler', () => {
  it('lengthens by half up to two weeks, and goes half way to an hour', () => {
    expect(nextInterval(day, false)).toBe(1.5 * day);
    expect(nextInterval(1.5 * day, true)).toBe((1.5 * day + 3600) / 2);
    expect(nextInterval(13 * day, false)).toBe(14 * day);
  });
});
