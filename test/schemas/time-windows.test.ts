/** Windows beside the clock on the wall, which is read minute by minute. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowSpans } from '../../src/schemas/parts/clock/time-windows.ts';
import { clockOf } from '../../src/schemas/words/wall-clock.ts';
import { requireDefined } from '../require-defined.ts';

const day = 86_400;
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const time = fc
  .nat(1439)
  .map((m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`);
const windows = fc.array(
  fc.record(
    { from: time, to: time, days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }) },
    { requiredKeys: ['from', 'to'] },
  ),
  { minLength: 1, maxLength: 3 },
);

/** Zones whose clocks change in the days after these times, by an hour or half an hour, and one without changes. */
const zones = fc.constantFrom<[string, number]>(
  ['Europe/Berlin', Date.UTC(2026, 2, 27) / 1000],
  ['Europe/Berlin', Date.UTC(2026, 9, 23) / 1000],
  ['Australia/Lord_Howe', Date.UTC(2026, 3, 3) / 1000],
  ['America/New_York', Date.UTC(2026, 2, 6) / 1000],
  ['Asia/Kathmandu', Date.UTC(2026, 5, 1) / 1000],
);

/** Whether a window is open by the weekday and the minutes that the clock shows. */
function isOpenAt(weekday: number, minute: number, each: { from: string; to: string; days?: readonly string[] }) {
  const minutes = (text: string): number => 60 * Number(text.slice(0, 2)) + Number(text.slice(3));
  const [from, to] = [minutes(each.from), minutes(each.to)];
  const starts = (on: number): boolean => each.days?.includes(weekdays[(on + 7) % 7]) ?? true;
  if (to > from) return starts(weekday) && minute >= from && minute < to;
  return (starts(weekday) && minute >= from) || (starts(weekday - 1) && minute < to);
}

describe('what windows allow', () => {
  it('lies in them by the clock on the wall, and is all of it where no clock changes', () => {
    const property = fc.property(zones, windows, fc.nat(1439), ([zone, start], asked, lateMinutes) => {
      const now = start + 60 * lateMinutes;
      const spans = windowSpans(asked, requireDefined(clockOf(zone)), now, 4 * day);
      const wall = new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short' });
      const hands = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
      for (let at = 0; at < 4 * day; at += 300) {
        const instant = new Date(1000 * (now + at));
        const weekday = weekdays.findIndex((name) => name === wall.format(instant).toLowerCase());
        const [hour, minute] = hands.format(instant).split(':').map(Number);
        const open = asked.some((each) => isOpenAt(weekday, 60 * hour + minute, each));
        const allowed = spans.some((opens, i) => i % 2 === 0 && opens <= at && at < spans[i + 1]);
        if (allowed || zone === 'Asia/Kathmandu') expect(allowed, instant.toISOString()).toBe(open);
      }
    });
    fc.assert(property, { numRuns: 40, seed: 1 });
  });
});
