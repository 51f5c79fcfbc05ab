/**
 * Entries of feeds, as feed readers keep them → pages of crawl-plan with `events`.
 *
 * A row is an entry: its feed, its publication time, and the feed's last fetch, in epoch seconds or milliseconds or as
 * dates. Entries dated after the feed's last fetch are left out: feeds pre-announce, and clocks are wrong.
 */
import { hostOf } from '../canonical-url.ts';
import { excerpt, LogRefusal } from '../log-record.ts';
import { LogClock } from '../log-times.ts';

export interface FeedEntry {
  readonly feed: string;
  readonly published: string | number;
  readonly lastFetch?: string | number | null;
}

interface FeedPage {
  readonly id: string;
  readonly host?: string;
  readonly events: readonly number[];
  readonly lastCrawl?: number;
}

export interface FeedLog {
  readonly pages: readonly FeedPage[];
  readonly entries: number;
  readonly to: number;
  readonly notes: readonly string[];
}

/** @throws LogRefusal if no entry has a readable time */
export function readFeedEntries(rows: readonly FeedEntry[], zone?: string): FeedLog {
  if (rows.length === 0) throw new LogRefusal('there are no entries');
  const [published, fetched] = [new LogClock(zone), new LogClock(zone)];
  const read = (clock: LogClock, value: string | number): ReadTime => [clock.read(value), clock.dayFirstTime];
  const times = rows.map(({ published: at }) => read(published, at));
  const fetchTimes = rows.map(({ lastFetch }) => read(fetched, lastFetch ?? Number.NaN));
  const feeds = new Map<string, { events: Set<number>; last: number }>();
  let untimed = 0;
  let example = '';
  // the order of day and month in dates with slashes is known only after the last row
  for (const [k, { feed, published: at }] of rows.entries()) {
    const own = feeds.get(feed) ?? { events: new Set<number>(), last: Number.NaN };
    feeds.set(feed, own);
    const time = published.resolve(...times[k]);
    if (Number.isFinite(time)) own.events.add(time);
    else if (untimed++ === 0) example = excerpt(at);
    const last = fetched.resolve(...fetchTimes[k]);
    if (!(own.last >= last)) own.last = last;
  }
  if (untimed === rows.length) throw new LogRefusal(`no time can be read, such as ${example}`);
  let early = 0;
  const pages = Array.from(feeds, ([id, { events: all, last }]): FeedPage => {
    const events = [...all].filter((time) => !(time > last)).sort((a, b) => a - b);
    early += all.size - events.length;
    const host = hostOf(id);
    return { id, ...(host !== undefined && { host }), events, ...(last > 0 && { lastCrawl: last }) };
  });
  const notes = [...published.notes];
  if (untimed > 0) notes.push(`${untimed} entries have no time from 1990 to 2100, such as ${example}: left out.`);
  if (early > 0) notes.push(`${early} entries are dated after their feed's last fetch, and left out.`);
  const to = pages.reduce((most, { events, lastCrawl }) => Math.max(most, lastCrawl ?? 0, events.at(-1) ?? 0), 0);
  return { pages, entries: rows.length - untimed, to, notes };
}

type ReadTime = readonly [monthFirst: number, dayFirst: number];

/** Names that exports of FreshRSS, CommaFeed and others give to these columns, in lower case without `_`. */
const usual = {
  feed: ['feed', 'feedurl', 'url', 'feedid', 'idfeed'],
  published: ['published', 'publishedat', 'updated', 'date', 'publishedtime'],
  lastFetch: ['lastfetch', 'lastupdate', 'lastupdated', 'checkedat'],
} as const;

/** The columns of a table of entries; null if it is not one. */
export function entryColumns(names: readonly string[]): Record<keyof typeof usual, string | undefined> | null {
  const find = (wanted: readonly string[]): string | undefined =>
    names.find((name) => wanted.includes(name.toLowerCase().replaceAll('_', '')));
  const feed = find(usual.feed);
  const published = find(usual.published);
  if (feed === undefined || published === undefined) return null;
  return { feed, published, lastFetch: find(usual.lastFetch) };
}
