import type { MatchingProblem } from '../instance/matching-problem.ts';
import { anchor, lineAlignment, positions, type SlotLines } from '../instance/slot-lines.ts';

/** Whether some tasks may use some crawlers only. */
export function isKept({ lines }: MatchingProblem): boolean {
  return lines.lineStart.length > 1;
}

/** The same tasks as if each could use every crawler: what costs no more. O(n log M). */
export function relaxation(problem: MatchingProblem): MatchingProblem {
  const { ideal, low, high } = problem;
  const lines = oneLine(problem.lines);
  const start = (t: number, j: number): number =>
    high[j] < t ? anchor(lines, 0, high[j], true) : anchor(lines, 0, Math.max(t, low[j]), false);
  return {
    ...problem,
    lines,
    lineFrom: positions(ideal.length + 1),
    lineOf: new Int32Array(ideal.length),
    anchors: Int32Array.from(ideal, start),
  };
}

/** The slots of all crawlers in one line. */
function oneLine({ time, entry, gridSlot }: SlotLines): SlotLines {
  const slots = entry.length;
  const padded = new Float64Array(slots + 2 * lineAlignment).fill(Number.POSITIVE_INFINITY);
  const slot = new Int32Array(padded.length).fill(-1);
  for (let s = 0; s < slots; s++) {
    padded[lineAlignment + s] = time[entry[s]];
    slot[lineAlignment + s] = s;
  }
  return {
    merged: 0,
    firstCrawlerLine: 1,
    lineStart: Int32Array.of(lineAlignment),
    lineEnd: Int32Array.of(lineAlignment + slots),
    time: padded,
    slot,
    entry: Int32Array.from(entry, (_, s) => lineAlignment + s),
    otherEntry: new Int32Array(slots).fill(-1),
    gridSlot,
  };
}
