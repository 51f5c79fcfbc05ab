/** Fetches put into lanes, by page, host or crawler, and what of them falls into a window of time. */

import type { ResultTable } from '../table/result-table.ts';
import type { Events } from './events.ts';

export const groupings = ['host', 'page', 'crawler'] as const;
export type Grouping = (typeof groupings)[number];

export interface Lanes {
  readonly names: readonly string[];
  /** Of each lane its events, in order of time. */
  readonly events: readonly (readonly number[])[];
}

/** Groupings that tell anything: hosts where there are two, crawlers where there are two. */
export function usefulGroupings(table: ResultTable, events: Events): Grouping[] {
  const first = table.hosts(0);
  let several = false;
  for (let row = 1; row < table.length && !several; row++) several = table.hosts(row) !== first;
  return groupings.filter((each) =>
    each === 'host' ? several : each === 'crawler' ? events.crawlers.length > 1 : true,
  );
}

/**
 * The lanes of the given rows: pages in the order of the rows, hosts and crawlers with the most fetches first.
 *
 * Time O(events + rows + lanes log lanes).
 */
export function lanesOf(table: ResultTable, events: Events, rows: Int32Array, by: Grouping): Lanes {
  const laneOfRow = new Int32Array(table.length).fill(-1);
  const names: string[] = [];
  if (by === 'crawler') {
    names.push(...events.crawlers);
    for (const row of rows) laneOfRow[row] = 0;
  } else {
    const laneByKey = new Map<string, number>();
    for (const row of rows) {
      const name = by === 'host' ? table.hosts(row) || table.names(row) : table.names(row);
      const key = by === 'host' ? name : String(row);
      let lane = laneByKey.get(key);
      if (lane === undefined) {
        lane = names.length;
        laneByKey.set(key, lane);
        names.push(name);
      }
      laneOfRow[row] = lane;
    }
  }
  const laneOf = (event: number): number => {
    const lane = laneOfRow[events.row[event]];
    return lane < 0 || by !== 'crawler' ? lane : events.crawler[event];
  };
  const inLane = names.map((): number[] => []);
  for (let event = 0; event < events.time.length; event++) {
    const lane = laneOf(event);
    if (lane >= 0) inLane[lane].push(event);
  }
  const order = Array.from(names.keys());
  if (by !== 'page') order.sort((a, b) => inLane[b].length - inLane[a].length || a - b);
  return { names: order.map((lane) => names[lane]), events: order.map((lane) => inLane[lane]) };
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
