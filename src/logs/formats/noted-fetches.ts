/**
 * The fetches that the integrations of Nutch and StormCrawler note in a page's metadata, oldest first. Each is
 * `time:version`.
 */
import type { LogRecord } from '../log-record.ts';

/** The metadata's name, in both crawlers. */
export const notedFetchesName = 'plan.fetches';

/** One record a fetch; empty where there is none, or a text that is no such list. */
export function notedFetches(page: string, noted: readonly string[]): LogRecord[] {
  const records: LogRecord[] = [];
  for (const entry of noted) {
    const found = /^(\d+):(\d+)$/.exec(entry);
    if (found === null) return [];
    records.push({ page, time: Number(found[1]), signature: found[2] });
  }
  return records;
}
