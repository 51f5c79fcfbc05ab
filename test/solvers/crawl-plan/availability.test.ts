import { describe, expect, it } from 'vitest';
import { crawlPlan } from '../../../src/operations/crawl-plan.ts';
import { describeIssue } from '../../../src/schemas/contract/problem.ts';
import { crawlPlanRequest } from '../../../src/schemas/crawl-plan/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlPlan, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { certifyCrawlPlan } from './certify-plan.ts';

const day = 86_400;
const at = (iso: string): number => Date.parse(iso) / 1000;

function planOf(now: number, days: number, request: object): CrawlPlan {
  const pages = Array.from({ length: 12 }, (_, i) => ({
    changeRate: (1 + i) / day,
    lastCrawl: now - 600 * i,
    host: i % 3 === 0 ? 'slow' : 'other',
  }));
  const { problem } = crawlPlanRequest.parse({ now, interval: days * day, crawls: days * 288, pages, ...request });
  const answer = planCrawls(problem, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  expect(certifyCrawlPlan(problem, answer)).toEqual([]);
  return answer.plan;
}

const clocks = new Map<string, readonly [Intl.DateTimeFormat, Intl.DateTimeFormat]>();

/**
 * Minutes since midnight and the day, as the clock on the wall shows them: by another way through Intl than the
 * solver's.
 */
function wall(time: number, timeZone: string): { readonly minute: number; readonly weekday: string } {
  const [clock, calendar] = clocks.get(timeZone) ?? [
    new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'medium' }),
    new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short' }),
  ];
  clocks.set(timeZone, [clock, calendar]);
  const text = clock.format(1000 * time);
  const weekday = calendar.format(1000 * time).toLowerCase();
  return { minute: 60 * Number(text.slice(0, 2)) + Number(text.slice(3, 5)), weekday };
}

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];

describe('windows', () => {
  it.each(zones)('are never left, by the clock on the wall, through both changes of the clocks in %s', (timeZone) => {
    for (const now of [at('2025-10-24T12:34:56Z'), at('2026-03-27T03:00:00Z'), at('2026-04-03T09:00:00Z')]) {
      for (const [from, to] of [
        ['22:00', '06:00'],
        ['02:30', '05:00'],
        ['20:00', '02:15'],
        ['00:00', '24:00'],
      ] as const) {
        const plan = planOf(now, 4, { windows: [{ from, to }], timeZone });
        const start = 60 * Number(from.slice(0, 2)) + Number(from.slice(3));
        const end = 60 * Number(to.slice(0, 2)) + Number(to.slice(3));
        for (const time of plan.slotTime) {
          const { minute } = wall(time, timeZone);
          expect(start < end ? minute >= start && minute < end : minute >= start || minute < end).toBe(true);
        }
        // no more than an hour a night is lost to a change of the clocks
        const open = ((end - start + 1440) % 1440) / 60 || 24;
        expect(plan.slotTime.length).toBeGreaterThanOrEqual(12 * (3 * open - 3));
      }
    }
  });

  it.each([
    ['2025-10-25T12:00:00Z', 9],
    ['2026-03-28T12:00:00Z', 7],
    ['2026-06-10T12:00:00Z', 8],
  ])('from ten to six hold the hours there are on the night after %s: %s', (iso, hours) => {
    const now = at(iso);
    const plan = planOf(now, 1, { windows: [{ from: '22:00', to: '06:00' }], timeZone: 'Europe/Berlin' });
    expect(plan.slotTime.length + plan.idleSlots).toBe(12 * hours);
  });

  it('of days start on these only', () => {
    const plan = planOf(at('2026-06-10T00:00:00Z'), 7, {
      windows: [{ days: ['sat', 'sun'], from: '08:00', to: '20:00' }],
      timeZone: 'Europe/Berlin',
    });
    for (const time of plan.slotTime) {
      const { minute, weekday } = wall(time, 'Europe/Berlin');
      expect(['sat', 'sun']).toContain(weekday);
      expect(minute >= 480 && minute < 1200).toBe(true);
    }
    expect(plan.slotTime.length).toBe(2 * 144);
  });

  it('set the price by the slots that can be used', () => {
    const now = at('2026-06-10T00:00:00Z');
    const half = planOf(now, 2, { windows: [{ from: '00:00', to: '12:00' }] });
    const frequency = (plan: CrawlPlan): number => plan.fetchInterval.reduce((sum, interval) => sum + 1 / interval, 0);
    expect(frequency(half) / frequency(planOf(now, 2, {}))).toBeCloseTo(0.5, 6);
  });

  it('that are open at no slot are a conflict, and those that cannot be worked out are refused', () => {
    const now = at('2026-06-10T00:00:00Z');
    const request = { now, interval: 3600, crawls: 4, pages: [{ changeRate: 1e-4 }] };
    const closed = { ...request, windows: [{ from: '12:00', to: '13:00' }] };
    const { problem } = crawlPlanRequest.parse(closed);
    const answer = planCrawls(problem, unlimitedBudget());
    expect(answer).toMatchObject({ status: 'infeasible', conflict: { detail: expect.stringContaining('windows') } });
    expect(certifyCrawlPlan(problem, answer)).toEqual([]);
    for (const [more, code] of [
      [{ windows: [{ from: '22:00', to: '06:00' }], timeZone: 'Mars/Olympus' }, 'out-of-range'],
      [{ windows: [{ from: '22:00', to: '06:00' }], interval: 1e9 }, 'too-large'],
      [{ windows: [{ from: '25:00', to: '06:00' }] }, 'invalid_value'],
      [{ windows: [{ from: '22:00', to: '06:00' }], now: 1000 * now }, 'implausible-time'],
    ] as const) {
      const checked = crawlPlan.check({ ...request, ...more });
      if (checked.ok) throw new Error('accepted');
      expect(JSON.stringify(checked.issues.flatMap(describeIssue))).toContain(`"${code}"`);
    }
  });
});

describe('notBefore', () => {
  it('of a page and of a host is kept, and the slots go to others meanwhile', () => {
    const now = at('2026-06-10T00:00:00Z');
    const pages = Array.from({ length: 6 }, (_, i) => ({
      changeRate: 2 / day,
      lastCrawl: now - 600 * i,
      host: i < 2 ? 'slow' : 'other',
      ...(i === 5 && { notBefore: now + 0.75 * day }),
    }));
    const hosts = [{ host: 'slow', notBefore: now + 0.5 * day }];
    const plan = planOf(now, 1, { pages, hosts, minInterval: 60, maxInterval: 2 * 3600 });
    const first = (page: number): number => plan.nextFetch[page] - now;
    expect(first(5)).toBeGreaterThanOrEqual(0.75 * day);
    expect(first(5)).toBeLessThan(0.75 * day + 3600);
    expect(Math.min(first(0), first(1))).toBeGreaterThanOrEqual(0.5 * day);
    expect(plan.idleSlots).toBe(0);
  });
});
