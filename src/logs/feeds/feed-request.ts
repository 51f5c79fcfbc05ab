/** Entries of feeds → a request for crawl-plan under delay. */

import { limitsOf, type PlanSettings } from '../plan-request.ts';
import type { FeedLog } from './feed-entries.ts';

/** The request: entries up to `now`, feeds that were never fetched among them. */
export function feedRequest({ pages }: FeedLog, settings: PlanSettings) {
  const { now, interval, crawls } = settings;
  return {
    now,
    interval,
    crawls,
    objective: 'delay',
    ...limitsOf(pages, settings),
    pages: pages.map((page) => ({ ...page, events: page.events.filter((time) => time <= now) })),
  };
}
