/** The fetches of an answer in time: which page, when, by whom; whatever operation planned them. */
import type { Answered } from '../pictures/answered.ts';
import { cells, column, list, number, numbers, rowCount, text } from '../pictures/read.ts';

export interface Events {
  /** In order of time. */
  readonly time: Float64Array;
  /** The row of the table each is of. */
  readonly row: Int32Array;
  readonly crawler: Int32Array;
  readonly crawlers: readonly string[];
  readonly from: number;
  readonly to: number;
  /** How long one takes; 0 where that is not known. */
  readonly length: number;
  /** Epoch seconds, seconds of nothing in particular, or positions in a sequence. */
  readonly clock: 'epoch' | 'plain' | 'position';
}

function sorted(events: Omit<Events, 'time' | 'row' | 'crawler'>, raw: [number, number, number][]): Events {
  const kept = raw.filter(([time, row]) => Number.isFinite(time) && row >= 0).sort((a, b) => a[0] - b[0]);
  return {
    ...events,
    time: Float64Array.from(kept, ([time]) => time),
    row: Int32Array.from(kept, ([, row]) => row),
    crawler: Int32Array.from(kept, ([, , crawler]) => crawler),
  };
}

/** What the crawlers are called: by their ids, else counted; as many as are given, and `most` at least. */
export const crawlersOf = (request: unknown, most: number): string[] => {
  const given = list(request, 'crawlers');
  return Array.from({ length: Math.max(given.length, most) }, (_, i) => text(given[i], 'id') || `crawler ${i + 1}`);
};

function ofPlan({ request, answer }: Answered): Events | undefined {
  const schedule = answer.solution?.schedule;
  if (rowCount(schedule) === 0) return undefined;
  const from = number(request, 'now') || 0;
  const crawler = column(schedule, 'crawler', 0);
  const page = column(schedule, 'page', -1);
  const raw = Array.from(column(schedule, 'time'), (time, i): [number, number, number] => [time, page[i], crawler[i]]);
  const slots = Math.max(number(request, 'crawls') || 0, ...numbers(cells(request.crawlers, 'slots')), 1);
  const interval = number(request, 'interval');
  const most = crawler.reduce((largest, each) => Math.max(largest, each + 1), 0);
  const clock = Number.isFinite(number(request, 'now')) ? 'epoch' : 'plain';
  return sorted(
    { crawlers: crawlersOf(request, most), from, to: from + interval, length: interval / slots, clock },
    raw,
  );
}

function ofIdealTimes({ request, answer }: Answered): Events | undefined {
  const times = cells(answer.solution?.pages, 'idealTimes');
  if (!times.some(Array.isArray)) return undefined;
  const raw = times.flatMap((each, row) => numbers(each).map((time): [number, number, number] => [time, row, 0]));
  return sorted({ crawlers: ['crawler 1'], from: 0, to: number(request, 'interval'), length: 0, clock: 'plain' }, raw);
}

function ofAssignment({ request, answer }: Answered): Events | undefined {
  const tasks = answer.solution?.tasks;
  if (rowCount(tasks) === 0) return undefined;
  const crawler = column(tasks, 'crawler', 0);
  const raw = Array.from(column(tasks, 'time'), (time, row): [number, number, number] => [time, row, crawler[row]]);
  const interval = number(request, 'interval');
  const slots = Math.max(1, ...numbers(cells(request.crawlers, 'slots')));
  const crawlers = crawlersOf(request, 0);
  return sorted({ crawlers, from: 0, to: interval, length: interval / slots, clock: 'plain' }, raw);
}

function ofSequence({ answer }: Answered): Events | undefined {
  const sequence = numbers(answer.solution, 'sequence');
  if (sequence.length === 0) return undefined;
  const raw = sequence.map((row, position): [number, number, number] => [position, row, 0]);
  return sorted({ crawlers: ['crawler 1'], from: 0, to: sequence.length, length: 1, clock: 'position' }, raw);
}

/** The fetches of an answer; undefined where it plans none. */
export const eventsOf = (answered: Answered): Events | undefined =>
  ofPlan(answered) ?? ofAssignment(answered) ?? ofIdealTimes(answered) ?? ofSequence(answered);
