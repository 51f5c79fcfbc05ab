/**
 * A crawl log with the signals of sitemaps: what each check saw, with the signals before it, and the pages with their
 * signals for crawl-plan. From the first, `estimates/change-signals` tells how far the sitemaps can be trusted.
 */
import { checksFromObservations } from '../../solvers/estimation/index.ts';
import { hostOf } from '../equal-urls.ts';
import type { CrawlLog, LoggedPage } from '../read-log.ts';
import type { Sitemaps } from './read-sitemaps.ts';

/** The operation that tells how far signals can be trusted. */
export const signalsOperation = 'estimates/change-signals';

/** A page's checks: time since the one before, 1 for changed, signals between. */
export interface SignalledChecks {
  readonly id: string;
  readonly host: string;
  readonly checks: readonly (readonly [elapsed: number, changed: number, signals: number])[];
  readonly lastCrawl: number;
}

/** How far a host's signals can be trusted, as crawl-plan takes it. */
interface HostQuality {
  readonly host: string;
  readonly precision: number;
  readonly recall: number;
}

interface SignalledPage extends LoggedPage {
  readonly signals?: readonly number[];
}

/** The request for `estimates/change-signals`; null where no page of the log is in a sitemap. */
export function qualityRequest(
  log: CrawlLog,
  { signals }: Sitemaps,
): { readonly pages: readonly SignalledChecks[] } | null {
  const pages = log.pages.flatMap(({ id, host, observations }) => {
    const times = signals.get(id);
    if (times === undefined || host === undefined) return [];
    const checks: [number, number, number][] = [];
    const { lastSeen } = checksFromObservations(observations, (elapsed, outcome, time) => {
      const said = times.filter((each) => each > time - elapsed && each <= time).length;
      if (elapsed > 0) checks.push([elapsed, outcome === 0 ? 0 : 1, said]);
    });
    return checks.length === 0 ? [] : [{ id, host, checks, lastCrawl: lastSeen }];
  });
  return pages.length === 0 ? null : { pages };
}

/** What is read of the answer: hosts with fewer signals than this have no quality of their own. */
const fewestSignals = 10;

export interface QualitySolution {
  readonly hosts: readonly {
    readonly host: string | null;
    readonly precision: { readonly value: number };
    readonly recall: { readonly value: number };
    readonly signals: number;
  }[];
}

/** Precision and recall by host, for hosts with signals enough. */
export function qualityOf({ hosts }: QualitySolution): HostQuality[] {
  return hosts.flatMap(({ host, precision, recall, signals }) =>
    host === null || signals < fewestSignals
      ? []
      : [{ host, precision: Math.max(0.01, precision.value), recall: recall.value }],
  );
}

/**
 * The pages with the signals up to `now`, of hosts whose quality is known; pages that only a sitemap has come new.
 */
export function signalledPages(
  log: CrawlLog,
  { signals }: Sitemaps,
  hosts: readonly HostQuality[],
  now: number,
): SignalledPage[] {
  const known = new Set(hosts.map(({ host }) => host));
  const logged = log.pages.map((page): SignalledPage => {
    const times = page.host !== undefined && known.has(page.host) ? signals.get(page.id) : undefined;
    return times === undefined ? page : { ...page, signals: times.filter((time) => time <= now) };
  });
  const seen = new Set(log.pages.map(({ id }) => id));
  const fresh = Array.from(signals.keys()).filter((id) => !seen.has(id));
  const unseen = fresh.map((id): SignalledPage => {
    const host = hostOf(id);
    return { id, ...(host !== undefined && { host }), observations: [] };
  });
  return [...logged, ...unseen];
}
