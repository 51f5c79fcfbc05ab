/**
 * The assignment of the shortest rule: the heaviest task first, each to the nearest free slot, then exchanges of
 * neighbours. No answer is worse.
 *
 * Where tasks may use some crawlers only, there is another one: the rule is followed as if they could use all, and they
 * are dealt to their crawlers near the times that this gives them. At full load a light task at the end of the rule
 * itself finds slots far away only.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { heaviestFirst } from '../instance/insertion-order.ts';
import { dropped } from '../instance/instance.ts';
import type { MatchingProblem } from '../instance/matching-problem.ts';
import { anchor, lineAlignment, positions, type SlotLines } from '../instance/slot-lines.ts';
import { completeMatching } from './completion.ts';
import { dealtNear } from './dealing.ts';
import { improveByExchange } from './local-exchange.ts';

/** The slot of each task; null where the budget ends first. O(n log M) where windows are wide. */
export function placedByWeight(problem: MatchingProblem, budget: Budget): Int32Array | null {
  return unlessStopped(null, () => completed(problem, new Int32Array(problem.weight.length).fill(dropped), budget));
}

/** The same dealt to crawlers; null where all may use all, have windows of their own or may be dropped, or time is up. */
export function dealtByWeight(problem: MatchingProblem, budget: Budget): Int32Array | null {
  return unlessStopped(null, () => {
    const slotOf = dealt(problem, budget);
    return slotOf && completed(problem, slotOf, budget);
  });
}

/** Every task without a slot gets one, the heaviest first; then neighbours exchange theirs. */
function completed(problem: MatchingProblem, slotOf: Int32Array, budget: Budget): Int32Array | null {
  const owner = new Int32Array(problem.lines.entry.length).fill(-1);
  for (const [j, s] of slotOf.entries()) if (s !== dropped) owner[s] = j;
  const rest = heaviestFirst(problem.weight).filter((j) => slotOf[j] === dropped);
  if (completeMatching(problem, rest, { slotOf, owner }, budget) !== null) return null;
  improveByExchange(problem, slotOf, owner, () => budget.stopRequested());
  return slotOf;
}

function dealt(problem: MatchingProblem, budget: Budget): Int32Array | null {
  const { ideal, low, high, lines, dropPenalty } = problem;
  if (dropPenalty < Number.POSITIVE_INFINITY || lines.lineStart.length < 2) return null;
  if (low.some((each) => each > 0) || high.some((each) => each < Number.POSITIVE_INFINITY)) return null;
  const merged = oneLine(lines);
  const free: MatchingProblem = {
    ...problem,
    lines: merged,
    lineFrom: positions(ideal.length + 1),
    lineOf: new Int32Array(ideal.length),
    anchors: Int32Array.from(ideal, (t) => anchor(merged, 0, t, false)),
  };
  const slotOf = completed(free, new Int32Array(ideal.length).fill(dropped), budget);
  if (slotOf === null) return null;
  const target = Float64Array.from(slotOf, (s) => merged.time[merged.entry[s]]);
  return dealtNear(problem, target, () => budget.stopRequested());
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
