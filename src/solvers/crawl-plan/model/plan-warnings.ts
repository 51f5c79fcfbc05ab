/** What a caller should know before relying on a plan. */
import { unchanged } from '../../estimation/changes/check-history.ts';
import type { PlanProblem, PlanWarning } from './plan-problem.ts';

/** A page with at least this many checks, this share of them with a change, has no identified rate. */
const fewestChecks = 4;
const mostlyChanged = 0.8;

export function planWarnings(
  problem: PlanProblem,
  age: Float64Array,
  withoutCrawl: Uint32Array,
  idleSlots: number,
  nextFetch: Float64Array,
): PlanWarning[] {
  const { history, changeRate, maxInterval, interval } = problem;
  const pages = age.length;
  const warnings: PlanWarning[] = [];
  let unseen = 0;
  let overdue = 0;
  const unidentified: number[] = [];
  for (let i = 0; i < pages; i++) {
    const from = history.offsets[i];
    const to = history.offsets[i + 1];
    if (age[i] < Number.POSITIVE_INFINITY && age[i] > maxInterval[i]) overdue++;
    if (!Number.isNaN(changeRate[i])) continue;
    if (from === to) unseen++;
    let changes = 0;
    for (let k = from; k < to; k++) if (history.outcome[k] !== unchanged) changes++;
    if (to - from >= fewestChecks && changes >= mostlyChanged * (to - from)) unidentified.push(i);
  }
  if (withoutCrawl.length > 0) {
    const never = withoutCrawl.filter((i) => Number.isNaN(nextFetch[i]));
    const forGood =
      never.length > 0 ? `; ${never.length} of them never get one (first: ${list(never)}): raise floor` : '';
    warnings.push({
      code: 'pages-without-crawl',
      detail: `${withoutCrawl.length} of ${pages} pages get no crawl in these ${interval} s (positions in solution.withoutCrawl)${forGood}`,
    });
  }
  if (unidentified.length > 0) {
    warnings.push({
      code: 'rate-not-identified',
      detail: `${unidentified.length} pages had changed at ${100 * mostlyChanged}% or more of their checks (first: ${list(unidentified)}): they change faster than they are fetched, how much faster is not known, and they attract crawls`,
    });
  }
  if (unseen > 0) {
    warnings.push({
      code: 'prior-only',
      detail: `${unseen} pages have no check yet: their rate is the prior's, from the other pages`,
    });
  }
  if (overdue > 0) {
    warnings.push({
      code: 'overdue-at-start',
      detail: `${overdue} pages were already past their maxInterval at now: they are fetched as soon as slots allow`,
    });
  }
  if (idleSlots > 0) {
    warnings.push({
      code: 'idle-slots',
      detail: `${idleSlots} slots stay empty: minInterval and minDelay allow no fetch then`,
    });
  }
  return warnings;
}

function list(positions: ArrayLike<number>): string {
  const shown = Array.from({ length: Math.min(5, positions.length) }, (_, k) => positions[k]).join(', ');
  return positions.length > 5 ? `${shown}, …` : shown;
}
