/** Summary of a log: `5 pages, 165 fetches, 1–10 June 2026, 3 failed`. */
import type { CrawlLog } from './read-log.ts';

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const countOf = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : one.endsWith('ch') ? 'es' : 's'}`;

/** The range of days (UTC) between two times, with no blanks between two days of one month. */
export const dayRange = (from: number, to: number): string =>
  days
    .formatRange(1000 * from, 1000 * to)
    .replaceAll(/\s/g, ' ')
    .replace(/^(\d+) – /, '$1–');

export function logSummary({ pages, fetches, failedFetches, from, to }: CrawlLog): string {
  const parts = [countOf(pages.length, 'page'), countOf(fetches, 'fetch'), dayRange(from, to)];
  return [...parts, `${failedFetches} failed`].join(', ');
}
