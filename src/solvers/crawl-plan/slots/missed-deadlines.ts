/** The longest intervals that a schedule misses by more than a slot. */
import type { Warning } from '../../answer.ts';
import type { PricedPlan } from '../price.ts';
import { named } from '../spans.ts';

/**
 * A schedule is a heuristic: a miss proves nothing, so it is a warning. What is proved to be impossible is a conflict,
 * found before any schedule.
 *
 * @param page by slot, −1 for none
 */
export function missedDeadlines({ problem, slots, age }: PricedPlan, page: Int32Array): Warning | null {
  const { now, interval, maxInterval, availability } = problem;
  if (maxInterval.every((most) => most === Number.POSITIVE_INFINITY)) return null;
  const grace = slots.longestStep * (1 + 1e-9);
  const due = maxInterval.map((most, i) => {
    const first = (age[i] === Number.POSITIVE_INFINITY ? 0 : -age[i]) + most;
    return Math.max(first < 0 ? interval : first, availability?.pageFrom[i] ?? 0);
  });
  const late = new Set<number>();
  let by = Number.POSITIVE_INFINITY;
  const miss = (i: number): void => {
    late.add(i);
    by = Math.min(by, due[i]);
  };
  for (let s = 0; s < page.length; s++) {
    const i = page[s];
    if (i < 0 || maxInterval[i] === Number.POSITIVE_INFINITY) continue;
    const time = slots.time[s];
    if (time > due[i] + grace) miss(i);
    due[i] = time + maxInterval[i];
  }
  for (let i = 0; i < due.length; i++) if (due[i] + grace < interval) miss(i);
  if (late.size === 0) return null;
  const pages = Int32Array.from(late).sort();
  const which = `${late.size} ${late.size === 1 ? 'page' : 'pages'}${named(problem, pages)}`;
  return {
    code: 'max-interval-missed',
    detail:
      `no schedule was found that keeps maxInterval to within one slot for ${which}, the first from ${now + by} on ` +
      '(whether one exists is not known); raise maxInterval, lower minDelay or add crawls',
  };
}
