/** The conditions of `crawl-plan` on its request, and the request as the solver takes it. */

import type { Warning } from '../../solvers/answer.ts';
import type { CrawlPlanProblem, CrawlPlanQuestion } from '../../solvers/crawl-plan/index.ts';
import { type Refuse, refusals } from '../contract/refusals.ts';
import { type ChecksReader, historyOf, historyWarnings } from '../parts/checks/checks-reader.ts';
import { refuseTimeZone } from '../parts/clock/wall-clock.ts';
import { refuseDuplicateIds, refuseImplausibleTimes } from '../parts/epoch-times.ts';
import { checksOfEvents } from '../parts/event-times.ts';
import { hostPositions } from '../parts/page-hosts.ts';
import { targetOfRequest } from '../parts/targets/target-of-request.ts';
import type { Columns, Table } from '../table/table.ts';
import { clockOf } from '../words/wall-clock.ts';
import { availabilityOf } from './availability.ts';
import { applyFailures } from './failures.ts';
import { crawlPlanLimits } from './limits.ts';
import { signalsOf } from './signals.ts';
import { type WireRequest, wireRequest } from './wire-request.ts';

/** Smaller weights, but 0, leave nothing of a sum beside them. */
const leastWeight = 1e-100;

/** A checked request: the solver's problem, and the lists as they came, for the answer. */
export interface CheckedCrawlPlan extends CrawlPlanQuestion {
  readonly options?: WireRequest['options'];
  readonly pages: Pick<Table<Columns>, 'form' | 'length' | 'ids'>;
  /** What was set aside while the checks were read. */
  readonly warnings: readonly Warning[];
}

/** The place of a page's property in the request. */
type At = (i: number, name: string) => PropertyKey[];

/** Slots by crawler; refused unless there are `crawls`, `crawlers` or a target, and slots within the limits. */
function slotsOf({ crawlers, crawls, target }: WireRequest, refuse: Refuse): Uint32Array {
  if ([crawlers, crawls, target].filter((each) => each !== undefined).length !== 1) {
    const message = 'give crawls, crawlers or target (how few crawls will do), one of the three';
    refuse(['crawls'], 'one-of', message, crawls);
  }
  const slotsByCrawler = crawlers ? Uint32Array.from(crawlers, ({ slots }) => slots) : Uint32Array.of(crawls ?? 1);
  let slots = 0;
  for (const count of slotsByCrawler) slots += count;
  if (slots < 1 || slots > crawlPlanLimits.crawls) {
    const message = `the crawlers must have 1 to ${crawlPlanLimits.crawls} slots together; got ${slots}`;
    refuse(['crawlers'], 'out-of-range', message, slots);
  }
  return slotsByCrawler;
}

/** Refuses a page with no evidence of its changes, or with two kinds of it. */
function checkEvidence({ pages }: WireRequest, events: ChecksReader, at: At, refuse: Refuse): void {
  const { checks, observations, changeRate } = pages.columns;
  for (let i = 0; i < pages.length; i++) {
    const histories = [checks, observations, events].filter(({ counts }) => counts[i] >= 0).length;
    if (histories > 1) {
      const second = observations.counts[i] >= 0 ? 'observations' : 'events';
      refuse(at(i, second), 'one-of', 'give checks, observations or events, one of the three', null);
    }
    if (histories === 0 && Number.isNaN(changeRate[i])) {
      const message = 'must have checks (an empty list for a new page), observations, events or changeRate';
      refuse(pages.form === 'rows' ? ['pages', i] : ['pages', 'checks', i], 'history-missing', message, null);
    }
  }
}

/** Refuses weights too small to count, and longest intervals below the shortest. */
function checkTerms(
  { pages: { columns, length } }: WireRequest,
  minInterval: Float64Array,
  maxInterval: Float64Array,
  at: At,
  refuse: Refuse,
): void {
  for (let i = 0; i < length; i++) {
    if (columns.weight[i] > 0 && columns.weight[i] < leastWeight) {
      const message = `must be 0 or at least ${leastWeight}; got ${columns.weight[i]}`;
      refuse(at(i, 'weight'), 'out-of-range', message, columns.weight[i]);
    }
    if (minInterval[i] > maxInterval[i]) {
      const message = `must be at least the page's minInterval of ${minInterval[i]}; got ${maxInterval[i]}`;
      refuse(
        Number.isNaN(columns.maxInterval[i]) ? ['maxInterval'] : at(i, 'maxInterval'),
        'out-of-range',
        message,
        maxInterval[i],
      );
    }
  }
}

export const crawlPlanRequest = wireRequest.transform((request, context): CheckedCrawlPlan => {
  const refuse = refusals(context.issues);
  const { now, pages, hosts = [] } = request;
  const { columns, form } = pages;
  const { checks, observations } = columns;
  const at: At = (i, name) => (form === 'rows' ? ['pages', i, name] : ['pages', name, i]);
  const hostAt = hostPositions(hosts, refuse);
  const host = Int32Array.from(columns.host, (name) => hostAt.get(name ?? '') ?? -1);
  const slotsByCrawler = slotsOf(request, refuse);
  const minInterval = columns.minInterval.map((own) => (Number.isNaN(own) ? (request.minInterval ?? 0) : own));
  const maxInterval = columns.maxInterval.map((own) => (Number.isNaN(own) ? (request.maxInterval ?? Infinity) : own));
  const weight = columns.weight.slice();
  const notBefore = columns.notBefore.slice();
  const { interval } = request;
  const isPromise = request.target !== undefined;
  const failed = { now, interval, isPromise, host: columns.host, name: pages.ids, notBefore, weight };
  const failures = applyFailures(observations, { ...failed, minInterval, maxInterval });
  const availability = availabilityOf(request, notBefore, host, refuse);
  const lastCrawl = columns.lastCrawl.map((own, i) => (Number.isNaN(own) ? observations.lastSeen[i] : own));
  const known = { now, events: columns.events, observedFrom: columns.observedFrom, lastCrawl };
  const events = checksOfEvents(known, at, refuse);
  checkEvidence(request, events, at, refuse);
  checkTerms(request, minInterval, maxInterval, at, refuse);
  const history = historyOf(checks, observations, events);
  refuseDuplicateIds(pages.ids, at, refuse);
  refuseImplausibleTimes({ now, lastCrawl, observations, events, history }, at, refuse);
  const signals = signalsOf(request, { host, history, lastCrawl, events }, at, refuse);
  const asked = targetOfRequest(
    {
      ...request,
      weight,
      // items wait by the rates, which the solver finds
      rate: weight.map(() => 1),
    },
    refuse,
  );
  if (clockOf(request.timeZone) === null) refuseTimeZone(request.timeZone, refuse);
  const problem: CrawlPlanProblem = {
    now,
    interval: request.interval,
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
    knownEvents: events.counts.map((count) => (count >= 0 ? 1 : 0)),
  };
  const { options, timeZone, curve } = request;
  const warnings = [...historyWarnings(checks, observations), ...failures];
  return { options, problem, pages, warnings, timeZone, asked, curve };
});
