/**
 * When feed readers fetch a feed again: the rules that they ship, written anew from their sources.
 *
 * A rule is asked after each successful fetch and sees what its reader has. That is the entries published up to then,
 * the time of the fetch before, and a state of its own by feed. No feed says when to come back (no ttl, no cache
 * headers, no sy:updatePeriod), and no fetch fails. A feed document shows its latest `shown` entries, as release feeds
 * of code hosts do.
 */

const second = 1;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
const shown = 10;

/** What a rule sees at a fetch; entries are those at 0..known−1 of `entries`, rising. */
export interface FeedAtFetch {
  readonly entries: Float64Array;
  readonly known: number;
  /** How many of these the fetch found. */
  readonly found: number;
  readonly now: number;
  /** Whether there was a fetch before. */
  readonly again: boolean;
  /** The interval kept from fetch to fetch; NaN before the first. */
  readonly interval: number;
  /** When a fetch last found entries, this one among them; NaN for never. */
  readonly lastFound: number;
}

/** Seconds from a fetch to the next. */
export type FeedRule = (feed: FeedAtFetch) => number;

/**
 * Miniflux (miniflux/v2, internal/model/feed.go and internal/storage/feed.go, 2025), POLLING_SCHEDULER=entry_frequency,
 * factor 1, 5 minutes to 24 hours. It is a week over the entries a week that the mean gap of last week's makes. The
 * count is made before the fetch, from what earlier fetches brought.
 */
export const miniflux: FeedRule = ({ entries, known, found, now }) => {
  const last = known - found - 1;
  let first = last;
  while (first > 0 && entries[first - 1] >= now - week) first--;
  const gaps = last >= 0 && entries[last] >= now - week ? last - first : 0;
  const spread = gaps > 0 ? entries[last] - entries[first] : 0;
  const weekly = spread > 0 ? Math.ceil(week / (spread / gaps)) : 0;
  return weekly === 0 ? day : Math.max(5 * minute, Math.min(day, week / weekly));
};

/**
 * CommaFeed (Athou/commafeed, FeedRefreshIntervalCalculator.java, commit 1bd9b71, and its FeedParser), the defaults.
 * Empirical intervals lie between 5 minutes and 4 hours. They are half the mean gap of the entries shown, up to a
 * quarter of the longest. They are longer after a week, two and a month without an entry.
 */
export const commaFeed: FeedRule = ({ entries, known, now }) => {
  const [least, most] = [5 * minute, 4 * hour];
  if (known === 0) return most;
  const silent = Math.floor((now - entries[known - 1]) / day);
  if (silent >= 30) return most;
  if (silent >= 14) return most / 2;
  if (silent >= 7) return most / 4;
  const first = Math.max(0, known - shown);
  if (known - first < 2) return most;
  const mean = (entries[known - 1] - entries[first]) / (known - 1 - first);
  return Math.max(least, Math.min(most / 4, mean / 2));
};

/**
 * FreshRSS with the extension AutoTTL (mgnsk/FreshRSS-AutoTTL, src/AutoTTLStats.php, commit 1f9520b), the defaults. It
 * is the spread of the last 30 days' entries over their number, between FreshRSS's hour and a day.
 */
export const autoTtl: FeedRule = ({ entries, known, now }) => {
  let first = known;
  while (first > 0 && entries[first - 1] > now - 30 * day) first--;
  const mean = known > first ? Math.floor((entries[known - 1] - entries[first]) / (known - first)) : 0;
  return mean === 0 || mean > day ? day : Math.max(hour, mean);
};

/**
 * Media Cloud's rss-fetcher (mediacloud/rss-fetcher, fetcher/tasks.py, commit 0038254, and fetcher/config.py), the
 * defaults: 12 hours to start with. More than 67% of the entries shown known already: 10 minutes longer, 60 where
 * no fetch found entries for 31 days. Less than 33%: 60 minutes shorter, at once back to 12 hours from above. 10 minutes to a day.
 */
export const mediaCloud: FeedRule = ({ known, found, now, again, interval, lastFound }) => {
  const usual = 12 * hour;
  const current = Number.isNaN(interval) ? usual : interval;
  if (!again) return current;
  const listed = Math.min(shown, known);
  const duplicates = found === 0 || listed === 0 ? 101 : (100 * Math.max(0, listed - found)) / listed;
  if (duplicates >= 67) {
    const silent = Number.isNaN(lastFound) ? 0 : Math.floor((now - lastFound) / day);
    const step = silent <= 31 || duplicates < 100 ? 10 * minute : hour;
    return Math.min(mediaCloudLongest, current + step);
  }
  if (duplicates < 33) return Math.max(10 * minute, current > usual ? usual : current - hour);
  return current;
};

const mediaCloudLongest = day;

export const feedRules: Readonly<Record<string, FeedRule>> = {
  'Miniflux, entry_frequency': miniflux,
  CommaFeed: commaFeed,
  'FreshRSS with AutoTTL': autoTtl,
  'Media Cloud': mediaCloud,
};
