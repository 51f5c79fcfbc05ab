/** The fetches of an answer of any operation: page, time and crawler of each. */
import type { Exchange } from '../../api/answer.ts';
import { columnValues, numberAt, numbersAt, numericColumn, rowCount } from '../../api/read.ts';
import { crawlerNames } from '../frame/names.ts';

export interface Events {
  /** Times of the fetches, in increasing order. */
  readonly time: Float64Array;
  /** Row of the table of each fetch's page. */
  readonly row: Int32Array;
  readonly crawler: Int32Array;
  readonly crawlers: readonly string[];
  readonly from: number;
  readonly to: number;
  /** Ideal time of each fetch; empty where the request gives none. */
  readonly ideal: Float64Array;
  /** Unit of the times: epoch seconds, the caller's time unit, or positions in a sequence. */
  readonly clock: 'epoch' | 'plain' | 'position';
}

type Raw = readonly [time: number, row: number, crawler: number, ideal?: number];

function sortEvents(events: Omit<Events, 'time' | 'row' | 'crawler' | 'ideal'>, raw: readonly Raw[]): Events {
  const validRows = raw.filter(([time, row]) => Number.isFinite(time) && row >= 0).sort((a, b) => a[0] - b[0]);
  const hasIdealTimes = validRows.some(([, , , ideal]) => ideal !== undefined);
  return {
    ...events,
    ideal: hasIdealTimes ? Float64Array.from(validRows, ([, , , ideal]) => ideal ?? Number.NaN) : new Float64Array(0),
    time: Float64Array.from(validRows, ([time]) => time),
    row: Int32Array.from(validRows, ([, row]) => row),
    crawler: Int32Array.from(validRows, ([, , crawler]) => crawler),
  };
}

function planEvents({ request, answer }: Exchange): Events | undefined {
  const schedule = answer.solution?.schedule;
  if (rowCount(schedule) === 0) return undefined;
  const from = numberAt(request, 'now') || 0;
  const crawler = numericColumn(schedule, 'crawler', 0);
  const page = numericColumn(schedule, 'page', -1);
  const raw = Array.from(numericColumn(schedule, 'time'), (time, i): Raw => [time, page[i], crawler[i]]);
  const interval = numberAt(request, 'interval');
  const crawlerCount = crawler.reduce((largest, each) => Math.max(largest, each + 1), 0);
  const clock = Number.isFinite(numberAt(request, 'now')) ? 'epoch' : 'plain';
  return sortEvents({ crawlers: crawlerNames(request, crawlerCount), from, to: from + interval, clock }, raw);
}

function allocationEvents({ request, answer }: Exchange): Events | undefined {
  const times = columnValues(answer.solution?.pages, 'idealTimes');
  if (!times.some(Array.isArray)) return undefined;
  const raw = times.flatMap((each, row) => numbersAt(each).map((time): Raw => [time, row, 0]));
  return sortEvents({ crawlers: ['crawler 1'], from: 0, to: numberAt(request, 'interval'), clock: 'plain' }, raw);
}

function assignmentEvents({ request, answer }: Exchange): Events | undefined {
  const tasks = answer.solution?.tasks;
  if (rowCount(tasks) === 0) return undefined;
  const crawler = numericColumn(tasks, 'crawler', 0);
  const ideal = numericColumn(request.tasks, 'idealTime');
  const raw = Array.from(numericColumn(tasks, 'time'), (time, row): Raw => [time, row, crawler[row], ideal[row]]);
  const interval = numberAt(request, 'interval');
  const crawlers = crawlerNames(request, 0);
  return sortEvents({ crawlers, from: 0, to: interval, clock: 'plain' }, raw);
}

/** The accesses of one cycle, with positions as times. */
function sequenceEvents({ answer }: Exchange): Events | undefined {
  const cycle = numbersAt(answer.solution, 'sequence');
  if (cycle.length === 0) return undefined;
  const raw = cycle.map((row, position): Raw => [position, row, 0]);
  return sortEvents({ crawlers: ['crawler 1'], from: 0, to: cycle.length, clock: 'position' }, raw);
}

/** The fetches of an answer; undefined where it plans none. */
export const eventsOf = (exchange: Exchange): Events | undefined =>
  planEvents(exchange) ?? assignmentEvents(exchange) ?? allocationEvents(exchange) ?? sequenceEvents(exchange);
