/** Builds a crawl-plan request under delay from feed entries. */

import { limitsOf, type PlanSettings } from '../plan-request.ts';
import type { FeedLog } from './feed-entries.ts';

/** The request from entries up to `now`, including feeds that were never fetched. */
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
