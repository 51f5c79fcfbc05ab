/** The conditions of `crawl-plan` on its request, and the request as the solver takes it. */

import type { Warning } from '../../solvers/answer.ts';
import type { Availability, CrawlPlanProblem, CrawlPlanQuestion } from '../../solvers/crawl-plan/index.ts';
import { type Refuse, refusals } from '../contract/refusals.ts';
import { maxWindowedInterval, windowSpans } from '../parts/clock/time-windows.ts';
import { nowFault } from '../parts/epoch-times.ts';
import { targetOfRequest } from '../parts/target.ts';
import { type Form, hostPositions, placeIn, refuseDuplicateIds } from '../table/table.ts';
import { clockOf } from '../words/wall-clock.ts';
import { applyFailures, readHistories, signalsOf } from './evidence.ts';
import { crawlPlanLimits, type WireRequest, wireRequest } from './wire-request.ts';

/** Smallest weight above 0: a smaller one would vanish in sums with other weights. */
const smallestWeight = 1e-100;

/** A checked request: the solver's problem, and the lists as they came, for the answer. */
export interface CheckedCrawlPlan extends CrawlPlanQuestion {
  readonly options?: WireRequest['options'];
  readonly pages: Form;
  /** Warnings about checks that were set aside. */
  readonly warnings: readonly Warning[];
}

/** Slots by crawler; refused unless there are `crawls`, `crawlers` or a target, and slots within the limits. */
function slotsOf({ crawlers, crawls, target }: WireRequest, refuse: Refuse): Uint32Array {
  if ([crawlers, crawls, target].filter((each) => each !== undefined).length !== 1) {
    const message = 'give crawls, crawlers or target (how few crawls will do), one of the three';
    refuse(['crawls'], 'one-of', message, crawls);
  }
  const slotsByCrawler = crawlers ? Uint32Array.from(crawlers, ({ slots }) => slots) : Uint32Array.of(crawls ?? 1);
  const slots = slotsByCrawler.reduce((sum, count) => sum + count, 0);
  if (slots < 1 || slots > crawlPlanLimits.crawls) {
    const message = `the crawlers must have 1 to ${crawlPlanLimits.crawls} slots together; got ${slots}`;
    refuse(['crawlers'], 'out-of-range', message, slots);
  }
  return slotsByCrawler;
}

/** Refuses weights too small to count, and longest intervals below the shortest. */
function checkTerms(
  { pages: { columns, length } }: WireRequest,
  minInterval: Float64Array,
  maxInterval: Float64Array,
  at: ReturnType<typeof placeIn>,
  refuse: Refuse,
): void {
  for (let i = 0; i < length; i++) {
    if (columns.weight[i] > 0 && columns.weight[i] < smallestWeight) {
      const message = `must be 0 or at least ${smallestWeight}; got ${columns.weight[i]}`;
      refuse(at(i, 'weight'), 'out-of-range', message, columns.weight[i]);
    }
    if (minInterval[i] > maxInterval[i]) {
      const path = Number.isNaN(columns.maxInterval[i]) ? ['maxInterval'] : at(i, 'maxInterval');
      const message = `must be at least the page's minInterval of ${minInterval[i]}; got ${maxInterval[i]}`;
      refuse(path, 'out-of-range', message, maxInterval[i]);
    }
  }
}

/** When fetches are allowed: in windows of all pages, and not before what hosts and pages say; undefined for always. */
function availabilityOf(
  { now, interval, windows, timeZone, hosts = [] }: WireRequest,
  notBefore: Float64Array,
  host: Int32Array,
  refuse: Refuse,
): Availability | undefined {
  const hostFrom = hosts.map((each) => Math.max(0, (each.notBefore ?? now) - now));
  const pageFrom = notBefore.map((time, i) =>
    Math.max(Number.isNaN(time) ? 0 : time - now, host[i] < 0 ? 0 : hostFrom[host[i]]),
  );
  const clock = clockOf(timeZone);
  if (windows === undefined || clock === null || nowFault(now) !== null) {
    return pageFrom.some((from) => from > 0) ? { spans: null, pageFrom } : undefined;
  }
  if (interval > maxWindowedInterval) {
    const message = `windows are worked out for intervals of at most ${maxWindowedInterval} s; got ${interval}`;
    refuse(['windows'], 'too-large', message, interval);
    return undefined;
  }
  return { spans: windowSpans(windows, clock, now, interval), pageFrom };
}

export const crawlPlanRequest = wireRequest.transform((request, context): CheckedCrawlPlan => {
  const refuse = refusals(context.issues);
  const { now, interval, pages, hosts = [] } = request;
  const { columns } = pages;
  const at = placeIn('pages', pages);
  const host = hostPositions(columns.host, hosts, refuse);
  const slotsByCrawler = slotsOf(request, refuse);
  const minInterval = columns.minInterval.map((own) => (Number.isNaN(own) ? (request.minInterval ?? 0) : own));
  const maxInterval = columns.maxInterval.map((own) => (Number.isNaN(own) ? (request.maxInterval ?? Infinity) : own));
  const weight = columns.weight.slice();
  const notBefore = columns.notBefore.slice();
  const { reader, history, lastCrawl } = readHistories(request, at, refuse);
  const failures = applyFailures(request, reader, { notBefore, weight, minInterval, maxInterval });
  const availability = availabilityOf(request, notBefore, host, refuse);
  checkTerms(request, minInterval, maxInterval, at, refuse);
  refuseDuplicateIds(pages, refuse);
  const signals = signalsOf(request, { host, history, lastCrawl }, at, refuse);
  // the change rates, by which a target on delay counts, are estimated by the solver
  const target = targetOfRequest({ ...request, weight, rate: weight.map(() => 1) }, refuse);
  const problem: CrawlPlanProblem = {
    now,
    interval,
    slotsByCrawler,
    history,
    changeRate: columns.changeRate,
    lastCrawl,
    weight,
    minInterval,
    maxInterval,
    host,
    pageName: pages.ids,
    hostName: hosts.map(({ host: name }) => name),
    hostDelay: Float64Array.from(hosts, ({ minDelay }) => minDelay),
    hostRate: hosts.some(({ maxRate }) => maxRate !== undefined)
      ? Float64Array.from(hosts, ({ maxRate }) => maxRate ?? Number.POSITIVE_INFINITY)
      : undefined,
    evenShare: request.evenShare,
    objective: request.objective,
    availability,
    feedItems: Float64Array.from(columns.feed, (feed) => feed?.items ?? Number.NaN),
    feedLoss: Float64Array.from(columns.feed, (feed) => feed?.loss ?? Number.NaN),
    signals,
    knownEvents: Int32Array.from(columns.events, (events) => Number(events !== undefined)),
  };
  const { options, timeZone, curve } = request;
  return { options, problem, pages, warnings: [...reader.warnings(), ...failures], timeZone, target, curve };
});
