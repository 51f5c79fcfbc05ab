/**
 * Why an instance has no assignment: a Hall set, that is tasks which together can use fewer slots than they are.
 */
import type { Conflict } from '../answer.ts';
import { type SlotGrid, slotTime } from './instance/instance.ts';
import type { HallSet, MatchingProblem } from './instance/matching-problem.ts';
import type { Part } from './instance/parts.ts';

/** These tasks can use only that many slots. */
export interface SlotConflict extends Conflict {
  /** Positions of the tasks in the instance, ascending. */
  readonly tasks: Int32Array;
  /** How many slots there are that any of these tasks may use; fewer than the tasks. */
  readonly slots: number;
  /** The time from which on the tasks may run, null when the clash is not about time. */
  readonly after: number | null;
  /** The time after which none of the tasks may run, null when there is none. */
  readonly before: number | null;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** " on crawler 3" or " on crawlers 1, 4", empty when the part is the whole grid. */
function onCrawlers(grid: SlotGrid, crawlers: readonly number[]): string {
  if (crawlers.length === grid.slotCounts.length) return '';
  const shown = crawlers.slice(0, 8).join(', ');
  return ` on crawler${crawlers.length === 1 ? '' : 's'} ${shown}${crawlers.length > 8 ? ', …' : ''}`;
}

/** More tasks than slots in a part. */
export function overload(grid: SlotGrid, part: Part, tasks: Int32Array, slots: number): SlotConflict {
  const where = onCrawlers(grid, [...part.crawlers]);
  const detail = `there are ${counted(tasks.length, 'task')} and ${counted(slots, 'slot')}${where}`;
  return { detail, tasks, slots, after: null, before: null };
}

/** More release tasks from some time on than slots. */
export function releaseConflict(
  grid: SlotGrid,
  part: Part,
  tasks: Int32Array,
  slots: number,
  after: number,
): SlotConflict {
  const where = onCrawlers(grid, [...part.crawlers]);
  const detail = `after t = ${after} there are ${counted(tasks.length, 'release task')} and ${counted(slots, 'slot')}${where}`;
  return { detail, tasks: tasks.sort(), slots, after, before: null };
}

/** The Hall set a failed search has found. @param tasks its tasks as positions in the instance */
export function hallConflict(
  grid: SlotGrid,
  part: Part,
  problem: MatchingProblem,
  set: HallSet,
  tasks: Int32Array,
): SlotConflict {
  const { lines, low, high, lineFrom, lineOf } = problem;
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  const usable = new Set<number>();
  for (const j of set.tasks) {
    earliest = Math.min(earliest, low[j]);
    latest = Math.max(latest, high[j]);
    for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) usable.add(lineOf[i]);
  }
  const crawlers = usable.has(lines.merged)
    ? [...part.crawlers]
    : [...usable].map((line) => part.crawlers[line - lines.firstCrawlerLine]).sort((a, b) => a - b);
  const last = crawlers.reduce((time, k) => {
    const slots = grid.slotCounts[k];
    return slots > 0 ? Math.max(time, slotTime(grid.interval, slots, slots - 1)) : time;
  }, 0);
  const before = latest < last ? latest : null;
  const after = earliest > 0 ? earliest : before === null ? null : 0;
  const when = `${after === null ? '' : `after t = ${after} `}${before === null ? '' : `and until t = ${before} `}`;
  return {
    detail: `${when}there are ${counted(tasks.length, 'task')} and ${counted(set.slots.length, 'slot')}${onCrawlers(grid, crawlers)} that any of them may use`,
    tasks: tasks.sort(),
    slots: set.slots.length,
    after,
    before,
  };
}
