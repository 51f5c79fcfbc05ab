/**
 * Pages whose last fetches failed: which are gone, which wait, and which did not answer because their host, or the
 * crawler itself, was down.
 *
 * - 410, or 404 twice in a row, is gone. Such a page is tried once a week, and once a month when it has been gone for
 *   longer; a 200 brings it back.
 * - 0 (no answer), 408, 429 and 5xx are temporary (RFC 6585, 4; RFC 9110, 15.6.4): the next fetch waits as long again as
 *   from the first of these failures to the last, and no longer than its usual interval. After one failure it is due.
 * - Any other failure waits as long again as from the first to the last.
 * - Where most pages of a host fail temporarily the host is down: some of its pages are fetched at once as probes, and
 *   the others wait for the result. Where all hosts are down it was the crawler, and no page waits.
 * - A page whose only fetch has status 0 is new: the log names the page by that line. It is no evidence about its host.
 */
import { day } from '../../day.ts';
import type { FailureRun } from './observations.ts';

/** Pause in seconds of a page that has been gone for less than a week. */
const week = 7 * day;
/** Pause in seconds of a page that has been gone for a week or longer. */
const month = 30 * day;
/** Failing pages that a host must have at least to count as down. */
const minFailingPages = 3;
/** Share of the pages of a host that is down which are fetched as probes; at least one page is. */
const probedShare = 0.05;

/** What is known of a page's fetches, from which its failures are judged; times in seconds. */
export interface WatchedPage {
  readonly host: string;
  readonly failureRun: FailureRun | null;
  /** Times of its first and its last fetch, failed ones included, and the number of its fetches. */
  readonly firstFetch: number;
  readonly lastFetch: number;
  readonly fetches: number;
}

export interface FailingPage {
  /** Position of the page. */
  readonly page: number;
  readonly kind: 'gone' | 'temporary' | 'other';
  /** Time before which the page is not fetched again, in epoch seconds. */
  readonly notBefore: number;
}

export interface FailingPages {
  readonly gonePages: readonly FailingPage[];
  /** Pages whose next fetch is put off, those of hosts that are down included. */
  readonly waitingPages: readonly FailingPage[];
  /**
   * Hosts most of whose pages fail, and whether no host is up. Then the crawler itself was down, and no page is put
   * off.
   */
  readonly hostsDown: readonly string[];
  readonly isCrawlerDown: boolean;
  /** Time of the last fetch of any page. */
  readonly to: number;
}

const isTemporary = (status: number): boolean =>
  status === 0 || status === 408 || status === 425 || status === 429 || status >= 500;
const isAbsent = (status: number): boolean => status === 404 || status === 410;

function kindOf({ status, statusBefore }: FailureRun): FailingPage['kind'] {
  if (status === 410 || (status === 404 && isAbsent(statusBefore))) return 'gone';
  return isTemporary(status) ? 'temporary' : 'other';
}

function pauseOf(kind: FailingPage['kind'], { from, to }: FailureRun, page: WatchedPage): number {
  const { firstFetch, lastFetch, fetches } = page;
  if (kind === 'gone') return to - from < week ? week : month;
  const failureTime = to - from;
  if (kind === 'other') return failureTime;
  return fetches < 2 ? 0 : Math.min(failureTime, (lastFetch - firstFetch) / (fetches - 1));
}

const isNew = ({ failureRun, fetches }: WatchedPage): boolean => fetches === 1 && failureRun?.status === 0;

export function failingPages(pages: readonly WatchedPage[]): FailingPages {
  const failures = pages.flatMap((page, i): FailingPage[] => {
    const { failureRun: run } = page;
    if (run === null || isNew(page)) return [];
    const kind = kindOf(run);
    return [{ page: i, kind, notBefore: run.to + pauseOf(kind, run, page) }];
  });
  const gonePages = failures.filter(({ kind }) => kind === 'gone');
  const remainingPages = failures.filter(({ kind }) => kind !== 'gone');
  const lastFetchTime = pages.reduce((last, { lastFetch }) => Math.max(last, lastFetch), Number.NEGATIVE_INFINITY);
  const [hostNamesDown, alive] = hostsDown(pages, gonePages, remainingPages);
  const isCrawlerDown = hostNamesDown.length > 0 && alive === 0;
  const downHosts = new Set(hostNamesDown);
  const probes = new Map<string, number>();
  const waitingPages = remainingPages.flatMap((each): FailingPage[] => {
    if (each.kind !== 'temporary') return [each];
    if (isCrawlerDown) return [];
    const { host } = pages[each.page];
    if (!downHosts.has(host)) return [each];
    const probeCount = probes.get(host) ?? 0;
    probes.set(host, probeCount + 1);
    const pagesOfHost = remainingPages.filter(({ page }) => pages[page].host === host).length;
    // the other pages wait for the result of the probes, which run in the next hours
    return probeCount < Math.max(1, probedShare * pagesOfHost)
      ? []
      : [{ ...each, notBefore: Math.max(each.notBefore, lastFetchTime + day / 4) }];
  });
  return { gonePages, waitingPages, hostsDown: hostNamesDown, isCrawlerDown, to: lastFetchTime };
}

/** The hosts most of whose pages fail temporarily, and the number of all other hosts that have pages left. */
function hostsDown(
  pages: readonly WatchedPage[],
  gonePages: readonly FailingPage[],
  remainingPages: readonly FailingPage[],
): [down: string[], alive: number] {
  const pageCounts = countByHost(pages.filter((page) => !isNew(page)));
  const goneCounts = countByHost(gonePages.map(({ page }) => pages[page]));
  const failureCounts = countByHost(
    remainingPages.filter(({ kind }) => kind === 'temporary').map(({ page }) => pages[page]),
  );
  const down: string[] = [];
  let alive = 0;
  for (const [host, count] of pageCounts) {
    const present = count - (goneCounts.get(host) ?? 0);
    const own = failureCounts.get(host) ?? 0;
    if (own > present / 2 && own >= Math.min(minFailingPages, present)) down.push(host);
    else if (present > 0) alive++;
  }
  // a few failing pages are no evidence that the crawler is down
  const failingCount = down.reduce((sum, host) => sum + (failureCounts.get(host) ?? 0), 0);
  return failingCount < minFailingPages ? [[], alive + down.length] : [down, alive];
}

function countByHost(pages: readonly WatchedPage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { host } of pages) counts.set(host, (counts.get(host) ?? 0) + 1);
  return counts;
}
