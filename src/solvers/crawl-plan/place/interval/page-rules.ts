/**
 * When a page may be fetched in the interval, whatever the others do: intervals, windows and waits as rules of a
 * timetable.
 */
import { fromStart, type HostDelays, type PageRules } from '../../../crawl-schedule/index.ts';
import { nextOpen } from '../../limits/allowed.ts';
import type { CrawlPlanProblem } from '../../problem.ts';
import type { ScheduleProblem } from '../by-index/schedule-problem.ts';

const rounding = 1e-12;

interface KeptLimits {
  /** Null, and undefined, where there are none. */
  readonly hosts: HostDelays | null;
  readonly rules: PageRules | undefined;
}

/** A schedule that is to be bettered: what is overdue is put off no further than there. */
interface KnownSchedule {
  /** Of each slot, −1 for none. */
  readonly page: Int32Array;
  /** By how much longest intervals may be missed: one slot. */
  readonly grace: number;
}

export function keptLimits(plan: ScheduleProblem, known: KnownSchedule): KeptLimits {
  return { hosts: hostDelaysOf(plan, plan.age), rules: pageRules(plan, known) };
}

function pageRules(plan: ScheduleProblem, { page, grace }: KnownSchedule): PageRules | undefined {
  const { slots, age, interval, minInterval, maxInterval, host, availability } = plan;
  const bounded = maxInterval.some((most) => most < Number.POSITIVE_INFINITY) || minInterval.some((least) => least > 0);
  if (!bounded && availability === undefined) return undefined;
  const firstFetch = new Float64Array(age.length).fill(Number.POSITIVE_INFINITY);
  for (let s = page.length - 1; s >= 0; s--) if (page[s] >= 0) firstFetch[page[s]] = slots.time[s];
  const firstDue = maxInterval.map((most, i) => {
    const due = (age[i] === Number.POSITIVE_INFINITY ? 0 : -age[i]) + most;
    const kept = due < 0 ? firstFetch[i] : due + grace;
    return Math.max(kept, (availability?.pageFrom[i] ?? 0) + grace);
  });
  const due = (i: number, from: number): number => (from === fromStart ? firstDue[i] : from + maxInterval[i] + grace);
  const ready = (i: number, from: number): number =>
    (from === fromStart ? -age[i] : from) + minInterval[i] * (1 - rounding);
  const open = (i: number, time: number): boolean => {
    if (availability === undefined) return true;
    const spans = host[i] < 0 ? null : availability.hostSpans[host[i]];
    return time >= availability.pageFrom[i] && nextOpen(spans, time) === time;
  };
  const reaches = (i: number, from: number, to: number): boolean => to <= due(i, from);
  return {
    allows: (i, from, time, to) =>
      time >= ready(i, from) &&
      (to === interval || to >= ready(i, time)) &&
      reaches(i, from, time) &&
      reaches(i, time, to) &&
      open(i, time),
    allowsNone: reaches,
  };
}

/**
 * Hosts' delays, a largest rate being kept as a delay without the fetches it may be ahead; null where none asks for
 * any.
 */
export function hostDelaysOf(
  { host, hostDelay, hostRate }: Pick<CrawlPlanProblem, 'host' | 'hostDelay' | 'hostRate'>,
  age: Float64Array,
): HostDelays | null {
  const delay = hostDelay.map((own, h) => Math.max(own, hostRate === undefined ? 0 : 1 / hostRate[h]));
  if (!host.some((h) => h >= 0 && delay[h] > 0)) return null;
  const from = new Float64Array(delay.length);
  for (const [i, h] of host.entries()) if (h >= 0) from[h] = Math.max(from[h], delay[h] - age[i]);
  return { of: host.map((h) => (h >= 0 && delay[h] > 0 ? h : -1)), delay, from };
}
