/**
 * The deadlines a schedule misses by more than a slot. It is a heuristic, so this is checked; and since missing them
 * proves nothing, it is said beside the plan. What is proved to be impossible is a conflict, before any schedule.
 */
import type { Warning } from '../../answer.ts';
import type { KnownPages } from '../market/priced-plan.ts';

/** @param page the page of each slot, −1 for none */
export function missedDeadlines({ problem, slots, age }: Omit<KnownPages, 'rates'>, page: Int32Array): Warning | null {
  const { now, interval, maxInterval, availability } = problem;
  const grace = slots.longestStep * (1 + 1e-9);
  const due = maxInterval.map((most, i) => {
    const first = (age[i] === Number.POSITIVE_INFINITY ? 0 : -age[i]) + most;
    return Math.max(first < 0 ? interval : first, availability?.pageFrom[i] ?? 0);
  });
  const late = new Set<number>();
  let by = Number.POSITIVE_INFINITY;
  const missed = (i: number): void => {
    late.add(i);
    by = Math.min(by, due[i]);
  };
  for (let s = 0; s < page.length; s++) {
    const i = page[s];
    if (i < 0 || maxInterval[i] === Number.POSITIVE_INFINITY) continue;
    const time = slots.time[s];
    if (time > due[i] + grace) missed(i);
    due[i] = time + maxInterval[i];
  }
  for (let i = 0; i < due.length; i++) if (due[i] + grace < interval) missed(i);
  if (late.size === 0) return null;
  const shown = [...late].sort((a, b) => a - b).slice(0, 100);
  return {
    code: 'max-interval-missed',
    detail:
      `no schedule was found that keeps maxInterval to within one slot for ${late.size} pages, the first from ${now + by} on ` +
      `(whether one exists is not known): pages ${shown.join(', ')}; raise maxInterval, lower minDelay or add crawls`,
  };
}
