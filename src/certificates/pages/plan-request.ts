/** A request of crawl-plan as a certificate reads it. */
import type { CrawlPlanProblem } from '../../solvers/crawl-plan/problem.ts';
import { historyIn } from '../estimates/history.ts';
import { isObject, listIn, numberIn, objectAt, textIn, type WireObject, WireTable } from '../wire.ts';
import { hostOf, objectiveIn } from './allocation-request.ts';
import { signalsIn } from './signals.ts';

export interface PlanRequest {
  readonly problem: CrawlPlanProblem;
  /** Whether windows restrict fetches of all pages, or of a host. */
  readonly windows: { readonly all: boolean; readonly hosts: boolean };
}

/** @param slots in the interval, where the request gives a target */
export function planRequest(request: WireObject, slots: number): PlanRequest {
  const pages = new WireTable(request.pages, 'pages');
  const now = numberIn(request, 'now');
  const hosts = listIn(request, 'hosts', true).map((host) => objectAt(host));
  const names = hosts.map((host) => textIn(host, 'host'));
  const host = hostOf(pages.texts('host'), names);
  const own = (name: string, absent: number): Float64Array => {
    const common = numberIn(request, name, absent);
    return pages.numbers(name, Number.NaN).map((value) => (Number.isNaN(value) ? common : value));
  };
  const seen = pages.lists('observations').map((list) => lastSeen(list ?? []));
  const lastCrawl = pages.numbers('lastCrawl', Number.NaN).map((time, i) => (Number.isNaN(time) ? seen[i] : time));
  const pageFrom = pages.numbers('notBefore', Number.NaN).map((time, i) => {
    let from = Math.max(0, Number.isNaN(time) ? 0 : time - now);
    if (host[i] >= 0) from = Math.max(from, numberIn(hosts[host[i]], 'notBefore', now) - now);
    return from;
  });
  const changeRate = pages.numbers('changeRate', Number.NaN);
  const feeds = pages.values('feed').map((feed) => (isObject(feed) ? feed : {}));
  const history = historyIn(request, 1e-3, lastCrawl);
  const problem: CrawlPlanProblem = {
    now,
    interval: numberIn(request, 'interval'),
    slotsByCrawler: slotsIn(request, slots),
    history,
    signals: signalsIn(pages, { hosts, host }, history, lastCrawl),
    changeRate,
    lastCrawl,
    weight: pages.numbers('weight', 1),
    minInterval: own('minInterval', 0),
    maxInterval: own('maxInterval', Number.POSITIVE_INFINITY),
    host,
    hostName: names,
    hostDelay: Float64Array.from(hosts, (each) => numberIn(each, 'minDelay', 0)),
    hostRate: hosts.some(({ maxRate }) => maxRate !== undefined)
      ? Float64Array.from(hosts, (each) => numberIn(each, 'maxRate', Number.POSITIVE_INFINITY))
      : undefined,
    evenShare: numberIn(request, 'evenShare', 0.05),
    objective: objectiveIn(request),
    availability: { spans: null, pageFrom, hostSpans: hosts.map(() => null) },
    feedItems: Float64Array.from(feeds, (feed) => numberIn(feed, 'items', Number.NaN)),
    feedLoss: Float64Array.from(feeds, (feed) => numberIn(feed, 'loss', 0.01)),
  };
  const ofHosts = hosts.some((each) => each.windows !== undefined);
  return {
    problem,
    windows: { all: request.windows !== undefined, hosts: ofHosts },
  };
}

function slotsIn(request: WireObject, slots: number): Uint32Array {
  if (request.crawlers !== undefined) {
    return Uint32Array.from(listIn(request, 'crawlers'), (crawler) => numberIn(objectAt(crawler), 'slots'));
  }
  return Uint32Array.of(numberIn(request, 'crawls', slots));
}

/** When a page was fetched with success last, by its observations; NaN for never. */
function lastSeen(observations: readonly unknown[]): number {
  return observations.reduce((last: number, seen) => {
    if (!isObject(seen)) return last;
    const status = numberIn(seen, 'status', 200);
    const fetched = status === 304 || (status >= 200 && status <= 299);
    const time = numberIn(seen, 'time');
    return fetched && !(last >= time) ? time : last;
  }, Number.NaN);
}
