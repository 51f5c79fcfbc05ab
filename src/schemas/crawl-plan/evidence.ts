/** What a request of `crawl-plan` knows of its pages: their histories, failures and signals, read once each. */

import type { Warning } from '../../solvers/answer.ts';
import { type CheckHistory, failingPages } from '../../solvers/estimation/index.ts';
import type { SignalEvidence } from '../../solvers/pages/signals/index.ts';
import type { Refuse } from '../contract/refusals.ts';
import { earliestTime, nowFault, pastFault } from '../parts/epoch-times.ts';
import { HistoryReader, maxExpandedChecks, shortestSeconds } from '../parts/histories.ts';
import type { placeIn } from '../table/table.ts';
import { failureNotes } from '../words/failure-notes.ts';
import type { WireRequest } from './wire-request.ts';

type Place = ReturnType<typeof placeIn>;

const year = 365.25 * 86_400;

/** Maximum number of different pairs of precision and recall in one request: the solver prepares each pair once. */
const maxSignalQualities = 5000;

/** The histories of all pages and when each was last fetched; refuses a page with none or two, and implausible times. */
export function readHistories(
  { now, pages: { columns, length, form } }: WireRequest,
  at: Place,
  refuse: Refuse,
): { readonly reader: HistoryReader; readonly history: CheckHistory; readonly lastCrawl: Float64Array } {
  const reader = new HistoryReader(length, shortestSeconds);
  const lastCrawl = columns.lastCrawl.slice();
  const wrongNow = nowFault(now);
  if (wrongNow !== null) refuse(['now'], 'implausible-time', wrongNow, now);
  const isWrong = (i: number, name: string, time: number): boolean => {
    const wrong = wrongNow === null ? pastFault(time, now) : null;
    if (wrong === null) return false;
    refuse(at(i, name), 'implausible-time', name === 'lastCrawl' ? wrong : `every time of it ${wrong}`, time);
    return true;
  };
  for (let i = 0; i < length; i++) {
    const { [i]: checks } = columns.checks;
    const { [i]: observations } = columns.observations;
    const { [i]: events } = columns.events;
    const kinds = [checks, observations, events].filter((kind) => kind !== undefined).length;
    if (kinds > 1) {
      const second = observations === undefined ? 'events' : 'observations';
      refuse(at(i, second), 'one-of', 'give checks, observations or events, one of the three', null);
    }
    if (kinds === 0 && Number.isNaN(columns.changeRate[i])) {
      const message = 'must have checks (an empty list for a new page), observations, events or changeRate';
      refuse(form === 'rows' ? ['pages', i] : ['pages', 'checks', i], 'history-missing', message, null);
    }
    if (checks !== undefined) reader.readChecks(checks);
    if (observations !== undefined) {
      reader.readFetches(i, observations);
      if (Number.isNaN(lastCrawl[i])) lastCrawl[i] = reader.lastSeen[i];
      isWrong(i, 'observations', reader.earliest[i]) || isWrong(i, 'observations', reader.latest[i]);
    } else {
      const times = { now, observedFrom: columns.observedFrom[i], lastCrawl: lastCrawl[i] };
      readEvents(reader, i, events, times, at, refuse);
      isWrong(i, 'lastCrawl', lastCrawl[i]) ||
        isWrong(i, 'events', reader.earliest[i]) ||
        isWrong(i, 'events', reader.latest[i]);
    }
    const span = reader.end(i);
    if (kinds === 1 && checks !== undefined && wrongNow === null && now - span < earliestTime) {
      const message =
        `must not reach back behind 1990; the elapsed times come to ${Math.round(span / year)} years: ` +
        'they look like milliseconds, and seconds are expected';
      refuse(at(i, 'checks'), 'implausible-time', message, span);
    }
    if (reader.regularChecks > maxExpandedChecks) {
      const message = `the counts of all pages together may stand for ${maxExpandedChecks} checks; use fewer or longer gaps`;
      refuse(at(i, 'checks', 'checks'), 'too-large', message, reader.regularChecks);
      break;
    }
  }
  return { reader, history: reader.history(), lastCrawl };
}

/**
 * Changes from `observedFrom` to the last fetch (to `now` if there was no fetch, or events after it are known). Without
 * `observedFrom` the observation starts at the first event, which is then not counted.
 */
function readEvents(
  reader: HistoryReader,
  i: number,
  events: readonly number[] | undefined,
  { now, observedFrom, lastCrawl }: { readonly now: number; readonly observedFrom: number; readonly lastCrawl: number },
  at: Place,
  refuse: Refuse,
): void {
  if (events === undefined) {
    if (Number.isNaN(observedFrom)) return;
    refuse(at(i, 'observedFrom'), 'not-applicable', 'goes with events, which this page does not have', observedFrom);
    return;
  }
  const from = Number.isNaN(observedFrom) ? events[0] : observedFrom;
  if (from === undefined) return;
  if (from > events[0]) {
    const message = `must not be after the first event, ${events[0]}; got ${from}`;
    refuse(at(i, 'observedFrom'), 'out-of-range', message, from);
    return;
  }
  reader.readChanges(i, events, from, lastCrawl >= (events.at(-1) ?? from) ? lastCrawl : now);
}

/** The columns of a plan's pages that failures change, in place; times in seconds. */
interface PlannedPages {
  readonly notBefore: Float64Array;
  readonly weight: Float64Array;
  readonly minInterval: Float64Array;
  readonly maxInterval: Float64Array;
}

/**
 * Delays the next fetch of pages whose last fetch failed. A page that is gone gets weight 0 and at most one try, when
 * due and in the second half of the interval. With a target only gone pages are delayed: the wait of one page could
 * keep all others from the target.
 */
export function applyFailures(
  { now, interval, target, pages: { columns, ids } }: WireRequest,
  reader: HistoryReader,
  { notBefore, weight, minInterval, maxInterval }: PlannedPages,
): Warning[] {
  const isPromise = target !== undefined;
  const failures = failingPages(
    Array.from(reader.failureRuns, (run, i) => ({
      host: columns.host[i] ?? '',
      failureRun: run,
      firstFetch: reader.earliest[i],
      lastFetch: reader.fetches[i] > 0 ? reader.latest[i] : Number.NEGATIVE_INFINITY,
      fetches: reader.fetches[i],
    })),
  );
  const delay = (i: number, endTime: number): void => {
    if (endTime > now) notBefore[i] = Number.isNaN(notBefore[i]) ? endTime : Math.max(endTime, notBefore[i]);
  };
  const waitingPages = isPromise ? [] : failures.waitingPages.filter(({ notBefore: until }) => until > now);
  for (const { page, notBefore: until } of waitingPages) delay(page, until);
  for (const { page, notBefore: due } of failures.gonePages) {
    weight[page] = 0;
    minInterval[page] = Math.max(minInterval[page], interval);
    maxInterval[page] = Number.POSITIVE_INFINITY;
    delay(page, Math.max(due, now + (isPromise ? interval : interval / 2)));
  }
  const notes = failureNotes({ ...failures, waitingPages }, (i) =>
    ids?.[i] === undefined ? `page ${i}` : JSON.stringify(ids[i]),
  );
  return notes.map((detail) => ({ code: 'failing-pages', detail, pointer: '/pages' }));
}

/** How many signals came between checks, with the precision and recall of the page's host; undefined for none at all. */
export function signalsOf(
  { now, pages: { columns }, hosts = [] }: WireRequest,
  { host, history, lastCrawl }: { host: Int32Array; history: CheckHistory; lastCrawl: Float64Array },
  at: Place,
  refuse: Refuse,
): SignalEvidence | undefined {
  const { signals, events } = columns;
  if (signals.every((times) => times === undefined)) return undefined;
  const unknown = new Float64Array(signals.length).fill(Number.NaN);
  const evidence = {
    precision: unknown,
    recall: unknown.slice(),
    sinceFetch: new Float64Array(signals.length),
    byCheck: new Float64Array(history.elapsed.length),
  };
  const qualities = new Set<string>();
  for (const [i, times] of signals.entries()) {
    if (times === undefined) continue;
    if (events[i] !== undefined) {
      refuse(at(i, 'signals'), 'not-applicable', 'have no effect beside events, which are all the changes', null);
      continue;
    }
    const { precision, recall } = host[i] < 0 ? {} : hosts[host[i]];
    if (precision === undefined || recall === undefined) {
      const message = 'need precision and recall of the page’s host in hosts; estimates/change-signals finds them';
      refuse(at(i, 'signals'), 'signal-quality-missing', message, null);
      continue;
    }
    const wrong = [times[0], times.at(-1)].find((time) => time !== undefined && pastFault(time, now) !== null);
    if (wrong !== undefined && nowFault(now) === null) {
      refuse(at(i, 'signals'), 'implausible-time', `every time of it ${pastFault(wrong, now)}`, wrong);
      continue;
    }
    evidence.precision[i] = precision;
    evidence.recall[i] = recall;
    qualities.add(`${precision} ${recall}`);
    countSignals(times, i, lastCrawl[i], history, evidence);
  }
  if (qualities.size > maxSignalQualities) {
    const message = `precision and recall may take at most ${maxSignalQualities} pairs of values; got ${qualities.size}: round them`;
    refuse(['pages'], 'too-large', message, qualities.size);
    return undefined;
  }
  return evidence;
}

/** Counts signals by check, from the last fetch backwards; signals before the first check were never compared. */
function countSignals(
  times: readonly number[],
  i: number,
  lastCrawl: number,
  { offsets, elapsed }: CheckHistory,
  { sinceFetch, byCheck }: { readonly sinceFetch: Float64Array; readonly byCheck: Float64Array },
): void {
  if (Number.isNaN(lastCrawl)) return;
  let next = times.length - 1;
  let to = lastCrawl;
  for (; next >= 0 && times[next] > to; next--) sinceFetch[i]++;
  for (let k = offsets[i + 1] - 1; k >= offsets[i]; k--) {
    const from = to - elapsed[k];
    for (; next >= 0 && times[next] > from; next--) byCheck[k]++;
    to = from;
  }
}
