/**
 * The column `events`: when a page changed, as its feed or its releases say. Between `observedFrom` and the end of the
 * observation everything is known: each event is a change of known age, and after the last nothing changed.
 */
import { changedAtKnownAge, unchanged } from '../../solvers/estimation/index.ts';
import { type Field, moment } from '../contract/field.ts';
import { quoted } from '../contract/problem.ts';
import type { Refuse } from '../contract/refusals.ts';
import { type Column, describedBy } from '../table/column.ts';
import { ChecksReader, shortestSeconds } from './checks/checks-reader.ts';

/** Times by page; cells arrive in the order of their positions. */
export class EventTimes {
  /** Times by page, oldest first; null if the cell is absent. */
  readonly times: (readonly number[] | null)[];

  constructor(length: number) {
    this.times = new Array<null>(length).fill(null);
  }
}

const range = { minimum: 0, maximum: 1e15 };

/** `events` and `signals`: `[epoch seconds, …]`, none earlier than the one before it. */
export function eventsColumn(most: number, field: string | Field): Column<EventTimes, readonly number[] | undefined> {
  return {
    required: false,
    broadcasts: false,
    cell: {
      type: 'array',
      maxItems: most,
      items: { type: 'number', ...range, ...moment('When', { unit: 'epoch seconds' }) },
    },
    ...describedBy(field),
    store(length) {
      const values = new EventTimes(length);
      return {
        values,
        set(position, cell) {
          if (!Array.isArray(cell))
            return { code: 'invalid_type', message: `must be an array of epoch seconds; got ${quoted(cell)}` };
          if (cell.length > most)
            return { code: 'too_big', message: `must have at most ${most} items; got ${cell.length}` };
          const times: number[] = [];
          for (const [k, time] of cell.entries()) {
            if (typeof time !== 'number' || !(time >= range.minimum && time <= range.maximum)) {
              return { path: [k], code: 'invalid_type', message: `must be epoch seconds; got ${quoted(time)}` };
            }
            if (k > 0 && time < times[k - 1]) {
              const message = `times must be in order; got ${time} after ${times[k - 1]}`;
              return { path: [k], code: 'not-increasing', message };
            }
            times.push(time);
          }
          values.times[position] = times;
          return null;
        },
      };
    },
  };
}

interface ObservedEvents {
  readonly now: number;
  readonly events: EventTimes;
  /** Start of the observation by page, epoch seconds; NaN: the first event, which is then not a change. */
  readonly observedFrom: Float64Array;
  /** Last fetch by page, epoch seconds; NaN if never fetched. */
  readonly lastCrawl: Float64Array;
}

/**
 * Converts events to checks. The observation ends at the last fetch, or at `now` if there is none or later events are
 * known. Simultaneous events are one change.
 */
export function checksOfEvents(
  { now, events, observedFrom, lastCrawl }: ObservedEvents,
  at: (page: number, name: string) => PropertyKey[],
  refuse: Refuse,
): ChecksReader {
  const reader = new ChecksReader(events.times.length, shortestSeconds);
  for (const [i, times] of events.times.entries()) {
    if (times === null) {
      if (Number.isNaN(observedFrom[i])) continue;
      refuse(
        at(i, 'observedFrom'),
        'not-applicable',
        'goes with events, which this page does not have',
        observedFrom[i],
      );
      continue;
    }
    reader.counts[i] = 0;
    if (times.length === 0 && Number.isNaN(observedFrom[i])) continue;
    const from = Number.isNaN(observedFrom[i]) ? times[0] : observedFrom[i];
    if (times.length > 0 && from > times[0]) {
      const message = `must not be after the first event, ${times[0]}; got ${from}`;
      refuse(at(i, 'observedFrom'), 'out-of-range', message, from);
      continue;
    }
    reader.span(i, Float64Array.of(from, times.at(-1) ?? from));
    let last = from;
    for (const time of times) {
      if (time > last) reader.add(i, time - last, changedAtKnownAge);
      last = time;
    }
    const end = lastCrawl[i] >= last ? lastCrawl[i] : now;
    if (end > last) reader.add(i, end - last, unchanged);
  }
  return reader;
}
