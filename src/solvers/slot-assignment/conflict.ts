/**
 * Why an instance has no assignment: a Hall set, that is a set of tasks that together can use fewer slots than there
 * are tasks.
 */
import type { Conflict } from '../answer.ts';
import { earliestStart, latestStart, type SlotGrid, slotTime } from './instance/instance.ts';
import type { SlotAssignmentProblem } from './problem.ts';

/** Tasks that can use only so few slots that one of them has none. */
export interface SlotConflict extends Conflict {
  /** Positions of the tasks in the instance, ascending. */
  readonly tasks: Int32Array;
  /** How many slots there are that any of these tasks may use; fewer than the tasks. */
  readonly slots: number;
  /** The time from which on the tasks may run, null when windows have no part in the conflict. */
  readonly after: number | null;
  /** The time after which none of the tasks may run, null when there is none. */
  readonly before: number | null;
}

const countText = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/**
 * The conflict that a Hall set proves. O(pairs of these tasks and their crawlers).
 *
 * @param tasks positions of the set's tasks in the instance
 * @param slots how many slots any of the tasks may use
 */
export function slotConflict(
  instance: SlotAssignmentProblem,
  grid: SlotGrid,
  tasks: Int32Array,
  slots: number,
): SlotConflict {
  const { allowed } = instance;
  const all = Array.from(grid.slotCounts.keys());
  const usableCrawlers = new Set<number>();
  let earliest = Number.POSITIVE_INFINITY;
  let latest = Number.NEGATIVE_INFINITY;
  for (const j of tasks) {
    earliest = Math.min(earliest, earliestStart(instance, j));
    latest = Math.max(latest, latestStart(instance, j));
    if (usableCrawlers.size === all.length) continue;
    const ownCrawlers = allowed === null ? [] : allowed.crawlers.subarray(allowed.start[j], allowed.start[j + 1]);
    for (const k of ownCrawlers.length > 0 ? ownCrawlers : all) usableCrawlers.add(k);
  }
  const crawlers = all.filter((k) => usableCrawlers.has(k));
  const last = crawlers.reduce((time, k) => {
    const count = grid.slotCounts[k];
    return count > 0 ? Math.max(time, slotTime(grid.interval, count, count - 1)) : time;
  }, 0);
  const before = latest < last ? latest : null;
  const after = earliest > 0 ? earliest : before === null ? null : 0;
  const timeText = `${after === null ? '' : `after t = ${after} `}${before === null ? '' : `and until t = ${before} `}`;
  const crawlerList = crawlers.length > 8 ? `${crawlers.slice(0, 8).join(', ')}, …` : crawlers.join(', ');
  const placeText = crawlers.length < all.length ? ` on crawler${crawlers.length === 1 ? '' : 's'} ${crawlerList}` : '';
  return {
    detail: `${timeText}there are ${countText(tasks.length, 'task')} and ${countText(slots, 'slot')}${placeText} that any of them may use`,
    tasks: tasks.sort(),
    slots,
    after,
    before,
  };
}
