/** Groups fetches into lanes by page, host or crawler, and finds those in a window of time. */

import type { ResultTable } from '../table/result-table.ts';
import type { Events } from './events.ts';

const groupings = ['host', 'page', 'crawler'] as const;
export type Grouping = (typeof groupings)[number];

export interface Lanes {
  readonly names: readonly string[];
  /** Positions of each lane's events, in order of time. */
  readonly events: readonly (readonly number[])[];
}

/** The groupings on offer: by page always, by host or by crawler if there are at least two. */
export function availableGroupings(table: ResultTable, events: Events): Grouping[] {
  const first = table.hosts(0);
  let hasTwoHosts = false;
  for (let row = 1; row < table.length && !hasTwoHosts; row++) hasTwoHosts = table.hosts(row) !== first;
  return groupings.filter((each) =>
    each === 'host' ? hasTwoHosts : each === 'crawler' ? events.crawlers.length > 1 : true,
  );
}

/**
 * The lanes of the given rows: pages in the order of the rows, hosts and crawlers with the most fetches first.
 *
 * Time O(events + rows + lanes log lanes).
 */
export function lanesOf(table: ResultTable, events: Events, rows: Int32Array, by: Grouping): Lanes {
  const lanes = new Map<string | number, { readonly name: string; readonly events: number[] }>();
  const addLane = (key: string | number, name: string): void => {
    if (!lanes.has(key)) lanes.set(key, { name, events: [] });
  };
  if (by === 'crawler') for (const [crawler, name] of events.crawlers.entries()) addLane(crawler, name);
  /** Lane name of each visible row. */
  const keys = new Map<number, string | number>();
  for (const row of rows) {
    const name = (by === 'host' && table.hosts(row)) || table.names(row);
    keys.set(row, by === 'host' ? name : row);
    if (by !== 'crawler') addLane(by === 'host' ? name : row, name);
  }
  for (let event = 0; event < events.time.length; event++) {
    const key = keys.get(events.row[event]);
    if (key !== undefined) lanes.get(by === 'crawler' ? events.crawler[event] : key)?.events.push(event);
  }
  const order = [...lanes.values()];
  if (by !== 'page') order.sort((a, b) => b.events.length - a.events.length);
  return { names: order.map(({ name }) => name), events: order.map((lane) => lane.events) };
}

/** The first position in a lane whose event is not before `time`. */
export function firstEventFrom({ events }: Lanes, lane: number, times: Float64Array, time: number): number {
  let [low, high] = [0, events[lane].length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[events[lane][middle]] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The event of a lane nearest to a moment; −1 in an empty lane. */
export function findNearestEvent(lanes: Lanes, lane: number, times: Float64Array, time: number): number {
  const nextPosition = firstEventFrom(lanes, lane, times, time);
  const [previousEvent = -1, nextEvent = previousEvent] = lanes.events[lane].slice(
    Math.max(0, nextPosition - 1),
    nextPosition + 1,
  );
  if (previousEvent < 0) return -1;
  return Math.abs(times[nextEvent] - time) < Math.abs(times[previousEvent] - time) ? nextEvent : previousEvent;
}
