/** Policies by targets, as activation-policy answers them: crawlers to have active after an event, by queue length. */
import { list } from '../../contract/list.ts';
import { integer } from '../../contract/range.ts';
import type { Refuse } from '../../contract/refusals.ts';

export const targetList = (capacity: number, mostCrawlers: number) =>
  list(integer({ atLeast: 0, atMost: mostCrawlers }).meta({ 'x-class': 'TargetCrawlers' }), {
    minItems: 2,
    maxItems: capacity + 1,
  });

/** Refuses targets of another capacity or of more crawlers than there are, and those that never wake. */
export function checkTargets(
  targets: readonly number[],
  capacity: number,
  crawlers: number | undefined,
  refuse: Refuse,
): boolean {
  const path = ['evaluate', 'targets'];
  if (targets.length !== capacity + 1) {
    const message = `must have ${capacity + 1} items, one for each queue length 0..${capacity}; got ${targets.length}`;
    refuse(path, 'wrong-length', message, targets);
    return false;
  }
  if (targets[0] < 1) {
    const message = 'must be at least 1: a controller that idles on an empty queue never wakes';
    refuse([...path, 0], 'first-target-zero', message, targets[0]);
    return false;
  }
  const over = crawlers === undefined ? -1 : targets.findIndex((target) => target > crawlers);
  if (over < 0) return true;
  const message = `must be at most crawlers (${crawlers}); got ${targets[over]}`;
  refuse([...path, over], 'above-crawlers', message, targets[over]);
  return false;
}
