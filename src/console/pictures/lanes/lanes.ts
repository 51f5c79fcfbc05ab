/** Fetches put into lanes, by page, host or crawler, and what of them falls into a window of time. */

import type { ResultTable } from '../table/result-table.ts';
import type { Events } from './events.ts';

export const groupings = ['host', 'page', 'crawler'] as const;
export type Grouping = (typeof groupings)[number];

export interface Lanes {
  readonly names: readonly string[];
  /** Events of lane i: `events[start[i]]` to `events[start[i + 1] − 1]`, in order of time. */
  readonly start: Int32Array;
  readonly events: Int32Array;
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
    const known = new Map<string, number>();
    for (const row of rows) {
      const name = by === 'host' ? table.hosts(row) || table.names(row) : table.names(row);
      const key = by === 'host' ? name : String(row);
      let lane = known.get(key);
      if (lane === undefined) {
        lane = names.length;
        known.set(key, lane);
        names.push(name);
      }
      laneOfRow[row] = lane;
    }
  }
  const laneOf = (event: number): number => {
    const lane = laneOfRow[events.row[event]];
    return lane < 0 || by !== 'crawler' ? lane : events.crawler[event];
  };
  return gathered(names, events.time.length, laneOf, by !== 'page');
}

/** Counting sort of the events by lane. */
function gathered(
  names: readonly string[],
  size: number,
  laneOf: (event: number) => number,
  busyFirst: boolean,
): Lanes {
  const counts = new Int32Array(names.length);
  for (let event = 0; event < size; event++) {
    const lane = laneOf(event);
    if (lane >= 0) counts[lane]++;
  }
  const order = Array.from(names, (_, lane) => lane);
  if (busyFirst) order.sort((a, b) => counts[b] - counts[a] || a - b);
  const place = new Int32Array(names.length);
  const start = new Int32Array(names.length + 1);
  for (let i = 0; i < order.length; i++) {
    place[order[i]] = i;
    start[i + 1] = start[i] + counts[order[i]];
  }
  const next = start.slice(0, -1);
  const events = new Int32Array(start[names.length]);
  for (let event = 0; event < size; event++) {
    const lane = laneOf(event);
    if (lane >= 0) events[next[place[lane]]++] = event;
  }
  return { names: order.map((lane) => names[lane]), start, events };
}

/** The first position in a lane whose event is not before `time`. */
export function firstAt(lanes: Lanes, lane: number, times: Float64Array, time: number): number {
  let low = lanes.start[lane];
  let high = lanes.start[lane + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[lanes.events[middle]] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The event of a lane nearest to a moment; −1 in an empty lane. */
export function nearest(lanes: Lanes, lane: number, times: Float64Array, time: number): number {
  const after = firstAt(lanes, lane, times, time);
  const candidates = [after - 1, after].filter((at) => at >= lanes.start[lane] && at < lanes.start[lane + 1]);
  let best = -1;
  for (const at of candidates) {
    const event = lanes.events[at];
    if (best < 0 || Math.abs(times[event] - time) < Math.abs(times[best] - time)) best = event;
  }
  return best;
}
