/** Summary of a log: `5 pages, 165 fetches, 1–10 June 2026, 3 failed`. */
import type { CrawlLog } from './read-log.ts';

const monthOf = (day: Date): string => day.toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' });

const countOf = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : one.endsWith('ch') ? 'es' : 's'}`;

/** The range of days (UTC) between two times. */
export function dayRange(from: number, to: number): string {
  const [a, b] = [new Date(from * 1000), new Date(to * 1000)];
  const [fromDay, toDay] = [a.getUTCDate(), b.getUTCDate()];
  const [fromMonth, toMonth] = [monthOf(a), monthOf(b)];
  const [fromYear, toYear] = [a.getUTCFullYear(), b.getUTCFullYear()];
  const last = `${toDay} ${toMonth} ${toYear}`;
  if (fromYear !== toYear) return `${fromDay} ${fromMonth} ${fromYear} – ${last}`;
  if (fromMonth !== toMonth) return `${fromDay} ${fromMonth} – ${last}`;
  return fromDay === toDay ? last : `${fromDay}–${last}`;
}

export function logSummary({ pages, fetches, failed, from, to }: CrawlLog): string {
  const parts = [countOf(pages.length, 'page'), countOf(fetches, 'fetch'), dayRange(from, to)];
  return [...parts, `${failed} failed`].join(', ');
}
