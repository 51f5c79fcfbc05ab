import { lineAlignment, type MatchingProblem } from '../instance/matching-problem.ts';
import { positions } from '../instance/positions.ts';

/**
 * The lines of a matching problem as the auction and the bound see them: slots that no task can tell apart are one good with several
 * places. Where every task may use every crawler these are the slots of one time; else every slot is a good of its own.
 */
export interface GoodLines {
  /** Time of each entry; padding: +∞. */
  readonly time: Float64Array;
  /** Good of each entry; padding: −1. */
  readonly good: Int32Array;
  readonly lineStart: Int32Array;
  readonly lineEnd: Int32Array;
  /** Where each pair of task and line starts its scan, as in the problem. */
  readonly anchors: Int32Array;
  /** The places (dense slot numbers) of good g: place[placeFrom[g] .. placeFrom[g + 1] − 1]. */
  readonly placeFrom: Int32Array;
  readonly place: Int32Array;
  /** Entry of each good, and its other entry or −1. */
  readonly entry: Int32Array;
  readonly otherEntry: Int32Array;
}

/** O(M + pairs of task and line). */
export function goodLines({ lines, anchors }: MatchingProblem): GoodLines {
  const m = lines.entry.length;
  const { merged, lineStart, lineEnd, time, slot } = lines;
  if (merged < 0 || lineStart.length > 1) {
    const { entry, otherEntry } = lines;
    return {
      time,
      good: slot,
      lineStart,
      lineEnd,
      anchors,
      placeFrom: positions(m + 1),
      place: positions(m),
      entry,
      otherEntry,
    };
  }
  const start = lineStart[merged];
  const goodAt = new Int32Array(m + 1);
  let goods = 0;
  for (let s = 0; s < m; s++) {
    if (s > 0 && time[start + s] !== time[start + s - 1]) goods++;
    goodAt[s] = goods;
  }
  if (m > 0) goods++;
  goodAt[m] = goods;
  const placeFrom = new Int32Array(goods + 1);
  for (let s = 0; s < m; s++) placeFrom[goodAt[s] + 1] = s + 1;
  const goodTime = new Float64Array(2 * lineAlignment + goods).fill(Number.POSITIVE_INFINITY);
  const good = new Int32Array(goodTime.length).fill(-1);
  for (let g = 0; g < goods; g++) {
    goodTime[lineAlignment + g] = time[start + placeFrom[g]];
    good[lineAlignment + g] = g;
  }
  return {
    time: goodTime,
    good,
    lineStart: Int32Array.of(lineAlignment),
    lineEnd: Int32Array.of(lineAlignment + goods),
    anchors: anchors.map((e) => lineAlignment + goodAt[e - start]),
    placeFrom,
    place: positions(m),
    entry: positions(lineAlignment + goods).subarray(lineAlignment),
    otherEntry: new Int32Array(goods).fill(-1),
  };
}

/** The lowest price of the places of each good. */
export function leastByGood({ placeFrom, place }: GoodLines, price: Float64Array): Float64Array {
  const least = new Float64Array(placeFrom.length - 1).fill(Number.POSITIVE_INFINITY);
  for (let g = 0; g < least.length; g++) {
    for (let i = placeFrom[g]; i < placeFrom[g + 1]; i++) least[g] = Math.min(least[g], price[place[i]]);
  }
  return least;
}
