/**
 * Joins a crawl log with sitemap signals: the checks with their signals, from which `estimates/change-signals` estimates
 * precision and recall, and the pages with their signals for crawl-plan.
 */
import { checksFromFetches, unchangedOutcome } from '../../solvers/estimation/index.ts';
import { canonicalUrl, hostOf } from '../canonical-url.ts';
import type { PlannedPage } from '../plan-request.ts';
import type { CrawlLog } from '../read-log.ts';
import type { Sitemaps } from './read-sitemaps.ts';

/** The operation that estimates the precision and recall of signals. */
export const changeSignalsOperation = 'estimates/change-signals';

/** A page's checks: time since the previous one, 1 if changed, number of signals in between. */
export interface ChecksWithSignals {
  readonly id: string;
  readonly host: string;
  readonly checks: readonly (readonly [elapsed: number, changed: number, signals: number])[];
  readonly lastCrawl: number;
}

/** Precision and recall of a host's signals, in crawl-plan's form. */
interface HostQuality {
  readonly host: string;
  readonly precision: number;
  readonly recall: number;
}

type NewPage = Pick<PlannedPage, 'id' | 'host'> & { readonly checks: readonly never[] };

interface PageSignals {
  readonly signals?: readonly number[];
}

/** The request for `estimates/change-signals`; null if no page of the log is in a sitemap. */
export function qualityRequest(
  log: CrawlLog,
  { signals }: Sitemaps,
): { readonly pages: readonly ChecksWithSignals[] } | null {
  const pages = log.pages.flatMap(({ id, host, observations }) => {
    const pageSignals = signals.get(canonicalUrl(id));
    if (pageSignals === undefined || host === undefined) return [];
    const checks: [number, number, number][] = [];
    let [waitingTime, changeFlag] = [0, 0];
    const { lastSeen } = checksFromFetches(observations, (elapsed, outcome, time) => {
      if (!(elapsed > 0)) return;
      waitingTime += elapsed;
      if (outcome !== unchangedOutcome) changeFlag = 1;
      // For a signal with only a day, the order within that day is unknown, so the next check covers it.
      if (pageSignals.some(([from, to]) => from < time && time < to)) return;
      const signalCount = pageSignals.filter(([, to]) => to > time - waitingTime && to <= time).length;
      checks.push([waitingTime, changeFlag, signalCount]);
      [waitingTime, changeFlag] = [0, 0];
    });
    return checks.length === 0 ? [] : [{ id, host, checks, lastCrawl: lastSeen }];
  });
  return pages.length === 0 ? null : { pages };
}

/** Minimum signals of a host for a quality of its own. */
const minSignals = 10;

export interface QualitySolution {
  readonly hosts: readonly {
    readonly host: string | null;
    readonly precision: { readonly value: number };
    readonly recall: { readonly value: number };
    readonly signals: number;
  }[];
}

/** Precision and recall by host, for hosts with enough signals. */
export function hostQualities({ hosts }: QualitySolution): HostQuality[] {
  return hosts.flatMap(({ host, precision, recall, signals }) =>
    host === null || signals < minSignals
      ? []
      : [{ host, precision: Math.max(0.01, precision.value), recall: recall.value }],
  );
}

/**
 * Adds the signals up to `now` to pages of hosts with a known quality; pages found only in a sitemap are added as new.
 */
export function pagesWithSignals<Page extends PlannedPage>(
  pages: readonly Page[],
  { signals }: Sitemaps,
  hosts: readonly HostQuality[],
  now: number,
): ((Page & PageSignals) | NewPage)[] {
  const ratedHosts = new Set(hosts.map(({ host }) => host));
  const loggedPages = pages.map((page): Page & PageSignals => {
    const pageSignals =
      page.host !== undefined && ratedHosts.has(page.host) ? signals.get(canonicalUrl(page.id)) : undefined;
    if (pageSignals === undefined || page.observations === undefined) return page;
    const { time, length } = page.observations;
    const last = time[length - 1];
    const usableSignals = pageSignals.filter(([from, to]) => from <= now && !(from < last && last < to));
    return { ...page, signals: [...new Set(usableSignals.map(([, to]) => Math.min(to, now)))] };
  });
  const loggedUrls = new Set(pages.map(({ id }) => canonicalUrl(id)));
  const newUrls = Array.from(signals.keys()).filter((id) => !loggedUrls.has(id));
  const newPages = newUrls.map((id): NewPage => {
    const host = hostOf(id);
    return { id, ...(host !== undefined && { host }), checks: [] };
  });
  return [...loggedPages, ...newPages];
}
