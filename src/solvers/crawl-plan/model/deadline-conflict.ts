/**
 * Whether the longest intervals asked for can be kept at all: a necessary condition, so that a conflict is a proof.
 *
 * Fetched as late as allowed, page i is due at last + M, last + 2M, …; any schedule that keeps the deadlines has made at
 * least as many fetches by every time t. So Σ (deadlines by t) ≤ slots by t must hold, for all pages, and within each
 * host that asks for a delay with 1 + t/delay in place of the slots. One slot of grace is allowed, as for the plan. A page
 * already overdue (or never fetched) counts from the first slot on, not before: that is a fact, not a demand.
 * Complexity: O(D log D), D the deadlines inside the interval (at most one past the slots is looked at).
 */
import type { CrawlSlots } from './crawl-slots.ts';
import type { PlanConflict, PlanProblem } from './plan-problem.ts';

interface Deadlines {
  readonly time: Float64Array;
  readonly page: Int32Array;
}

/** The first time at which more fetches are due than can have been made, or null. */
export function deadlineConflict(problem: PlanProblem, slots: CrawlSlots, age: Float64Array): PlanConflict | null {
  const pages = Int32Array.from(age.keys()).filter((i) => problem.maxInterval[i] < Number.POSITIVE_INFINITY);
  if (pages.length === 0) return null;
  const grace = longestStep(slots, problem.interval);
  const total = slots.time.length;
  const all = deadlinesOf(pages, problem, age, total);
  let made = 0;
  for (const [k, due] of all.time.entries()) {
    while (made < total && slots.time[made] <= due + grace) made++;
    if (k + 1 > made) {
      const detail = `${k + 1} fetches are due by ${problem.now + due} to keep maxInterval, and ${made} slots start by then (one slot of grace included)`;
      return conflict(detail, all, k, null, made, problem, due);
    }
  }
  for (const [h, delay] of problem.hostDelay.entries()) {
    if (!(delay > 0)) continue;
    const members = pages.filter((i) => problem.host[i] === h);
    const own = deadlinesOf(members, problem, age, total);
    for (const [k, due] of own.time.entries()) {
      const possible = 1 + Math.floor((due + grace) / delay);
      if (k + 1 > possible) {
        const name = problem.hostName[h];
        const detail = `${k + 1} fetches of host ${name} are due by ${problem.now + due} to keep maxInterval, and its minDelay of ${delay} s allows ${possible}`;
        return conflict(detail, own, k, name, possible, problem, due);
      }
    }
  }
  return null;
}

/** The longest time between two slots that follow each other: what "to within one slot" means. */
export function longestStep({ time }: CrawlSlots, interval: number): number {
  let step = interval - (time[time.length - 1] ?? 0);
  for (let k = 1; k < time.length; k++) step = Math.max(step, time[k] - time[k - 1]);
  return step;
}

function deadlinesOf(pages: Int32Array, problem: PlanProblem, age: Float64Array, most: number): Deadlines {
  const times: number[] = [];
  const owners: number[] = [];
  for (const i of pages) {
    const longest = problem.maxInterval[i];
    // never fetched: within one interval from now; overdue: no deadline before the end, then as any other
    const last = age[i] === Number.POSITIVE_INFINITY ? 0 : -age[i];
    let due = last + longest;
    if (due < 0) due = longest;
    for (let count = 0; due < problem.interval && count <= most; count++) {
      times.push(due);
      owners.push(i);
      due += longest;
    }
  }
  const order = Uint32Array.from(times.keys()).sort((a, b) => times[a] - times[b]);
  return { time: Float64Array.from(order, (k) => times[k]), page: Int32Array.from(order, (k) => owners[k]) };
}

function conflict(
  detail: string,
  { page }: Deadlines,
  last: number,
  host: string | null,
  slots: number,
  problem: PlanProblem,
  due: number,
): PlanConflict {
  const pages = [...new Set(page.subarray(0, last + 1))].sort((a, b) => a - b).slice(0, 100);
  return { detail, pages, host, crawlsNeeded: last + 1, slots, by: problem.now + due };
}
