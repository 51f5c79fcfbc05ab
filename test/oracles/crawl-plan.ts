/**
 * Whether an answer keeps what was asked, checked from the schedule alone, by code that shares nothing with the
 * planner.
 */

import { Findings } from '../../src/certificates/findings.ts';
import { checkSlots } from '../../src/certificates/slots.ts';
import { readNumber, type WireObject, WireTable } from '../../src/certificates/wire.ts';
import { type Objective, relativeGap } from '../../src/solvers/answer.ts';
import type { CrawlPlan, CrawlPlanProblem, PlanConflict } from '../../src/solvers/crawl-plan/problem.ts';

/** A problem, and whether windows restrict fetches. */
export interface PlanRequest {
  readonly problem: CrawlPlanProblem;
  readonly windows: boolean;
}

/** What a schedule is, without what it is said to cost. */
type ScheduledPlan = Pick<
  CrawlPlan,
  | 'changeRate'
  | 'crawls'
  | 'fetchInterval'
  | 'nextFetch'
  | 'slotTime'
  | 'slotCrawler'
  | 'slotPage'
  | 'idleSlots'
  | 'withoutCrawl'
>;

/**
 * What a schedule violates of what was asked, in words: slots used once and at their times, minInterval and minDelay,
 * maxInterval to within one slot. Also counts and next fetches as scheduled, every page without a fetch named, no more
 * items lost than allowed. Where windows close slots, the pauses between those left are of unknown
 * length. Only what holds in any case is checked.
 */
export function certifyPlan({ problem, windows }: PlanRequest, plan: ScheduledPlan, proved?: ProvedPlan): string[] {
  const faults = windows ? certifySlots(problem, plan) : certifySchedule(problem, plan);
  return [
    ...faults,
    ...(windows || proved === undefined ? [] : certifyBound(proved)),
    ...certifyWindows(problem, plan),
    ...certifyAvailability(problem, plan),
    ...certifyHostRates(problem, plan),
  ];
}

/** Whether the numbers of a conflict of the contract follow from the request. */
export function certifyConflictOf(problem: CrawlPlanProblem, conflict: WireObject): string[] {
  const host = typeof conflict.host === 'string' ? conflict.host : null;
  const [crawlsNeeded, slots, by] = ['crawlsNeeded', 'slots', 'by'].map((name) => readNumber(conflict, name));
  return certifyConflict(problem, { host, crawlsNeeded, slots, by });
}

/** Stretches in which a host is fetched more often than its largest rate and eleven fetches allow. */
function certifyHostRates({ host, hostRate }: CrawlPlanProblem, plan: ScheduledPlan): string[] {
  if (hostRate === undefined) return [];
  const times = Array.from(hostRate, (): number[] => []);
  for (const [k, time] of plan.slotTime.entries()) times[host[plan.slotPage[k]]]?.push(time);
  const faults: string[] = [];
  for (const [h, list] of times.entries()) {
    let lowest = Number.POSITIVE_INFINITY;
    for (const [k, time] of list.entries()) {
      // fetches from any earlier one on, less what the rate allows in the time between
      lowest = Math.min(lowest, k - hostRate[h] * (time - list[0]));
      const excess = k + 1 - hostRate[h] * (time - list[0]) - lowest;
      if (excess > 11 + 1e-6) faults.push(`host ${h} is fetched ${excess} times more than its rate allows by ${time}`);
    }
  }
  return faults;
}

/** Fetches at times at which the page or all are not to be fetched: each is compared with every span. */
function certifyAvailability({ now, availability }: CrawlPlanProblem, plan: ScheduledPlan): string[] {
  if (availability === undefined) return [];
  const { spans, pageFrom } = availability;
  const inside = (list: Float64Array | null, time: number): boolean => {
    if (list === null) return true;
    for (let k = 0; k < list.length; k += 2) if (time >= list[k] - 1e-6 && time < list[k + 1]) return true;
    return false;
  };
  const faults: string[] = [];
  for (const [k, at] of plan.slotTime.entries()) {
    const time = at - now;
    const i = plan.slotPage[k];
    if (!inside(spans, time)) faults.push(`a fetch at ${at} is outside the windows`);
    if (time < pageFrom[i] - 1e-6) faults.push(`page ${i} is fetched at ${at}, before its notBefore`);
  }
  return faults;
}

/** Fetch intervals that lose items of a window more often than allowed, by the sum of the Poisson law. */
function certifyWindows({ feedItems, feedLoss, minInterval }: CrawlPlanProblem, plan: ScheduledPlan): string[] {
  const faults: string[] = [];
  for (const [i, items] of (feedItems ?? []).entries()) {
    if (Number.isNaN(items) || plan.fetchInterval[i] <= minInterval[i]) continue;
    const mean = plan.changeRate[i] * plan.fetchInterval[i];
    let keptChance = 0;
    let logTerm = -mean;
    for (let n = 0; n <= items; n++) {
      keptChance += Math.exp(logTerm);
      logTerm += Math.log(mean / (n + 1));
    }
    const maxLoss = feedLoss?.[i] ?? 0.01;
    if (!(1 - keptChance <= maxLoss + 1e-9)) faults.push(`page ${i} loses items with chance ${1 - keptChance}`);
  }
  return faults;
}

function certifySchedule(problem: CrawlPlanProblem, plan: ScheduledPlan): string[] {
  const { now, interval, lastCrawl, minInterval, maxInterval, host, hostDelay } = problem;
  const pageFrom = (i: number): number => now + (problem.availability?.pageFrom[i] ?? 0);
  const faults = certifySlots(problem, plan);
  const end = now + interval;
  const tolerance = toleranceOf(problem);
  const grace = longestPause(problem);
  const last = Float64Array.from(lastCrawl, (time) => Math.min(time, now));
  // a page never fetched, or overdue at now, counts from now
  const due = maxInterval.map((limit, i) => Math.max((last[i] + limit >= now ? last[i] : now) + limit, pageFrom(i)));
  const hostLast = new Float64Array(hostDelay.length).fill(Number.NEGATIVE_INFINITY);
  for (const [i, time] of last.entries()) {
    if (Number.isNaN(time)) continue;
    if (host[i] >= 0) hostLast[host[i]] = Math.max(hostLast[host[i]], time);
  }
  const counts = new Uint32Array(lastCrawl.length);
  const first = new Float64Array(lastCrawl.length).fill(Number.NaN);
  for (const [k, time] of plan.slotTime.entries()) {
    const i = plan.slotPage[k];
    if (time - last[i] < minInterval[i] - tolerance)
      faults.push(`page ${i} is fetched ${time - last[i]} s after the last`);
    if (time > due[i] + grace + tolerance) faults.push(`page ${i} waits until ${time}, due ${due[i]}`);
    due[i] = Math.min(time, due[i]) + maxInterval[i];
    if (counts[i]++ === 0) first[i] = time;
    last[i] = time;
    const h = host[i];
    if (h >= 0) {
      const since = time - hostLast[h];
      if (since < hostDelay[h] - tolerance) faults.push(`host ${h} is fetched ${since} s after the last`);
      hostLast[h] = time;
    }
  }
  for (const i of last.keys()) {
    if (due[i] + grace + tolerance < end) faults.push(`page ${i} is not fetched by ${due[i]}`);
    if (counts[i] !== plan.crawls[i]) faults.push(`page ${i} has ${counts[i]} slots and says ${plan.crawls[i]}`);
    if (counts[i] > 0 && first[i] !== plan.nextFetch[i]) faults.push(`page ${i} is next fetched at ${first[i]}`);
    if (counts[i] === 0 && plan.nextFetch[i] < end - tolerance) faults.push(`page ${i} says a fetch it does not get`);
  }
  const unfetched = Array.from(counts.keys()).filter((i) => counts[i] === 0);
  if (unfetched.join() !== Array.from(plan.withoutCrawl).join())
    faults.push('withoutCrawl does not name the unfetched');
  const slots = openStarts(problem).length;
  if (plan.slotTime.length + plan.idleSlots !== slots) faults.push(`${plan.idleSlots} idle slots do not add up`);
  return faults;
}

/** Slots that are no slots, are used twice, or come out of order, by the certificate of answers. */
function certifySlots({ now, interval, slotsByCrawler, lastCrawl }: CrawlPlanProblem, plan: ScheduledPlan): string[] {
  const schedule = new WireTable({ time: plan.slotTime, crawler: plan.slotCrawler, page: plan.slotPage }, 'schedule');
  const findings = new Findings();
  checkSlots(schedule, { counts: slotsByCrawler, start: now, interval }, lastCrawl.length, findings);
  return findings.faults;
}

/** What rounding leaves of a time: some digits of the interval, and the last of the clock. */
function toleranceOf({ now, interval }: CrawlPlanProblem): number {
  return 1e-9 * interval + 1e-14 * Math.abs(now) + 1e-9;
}

/** The longest pause between two slots of all crawlers: one slot of grace. */
function longestPause(problem: CrawlPlanProblem): number {
  const starts = [0, problem.interval, ...openStarts(problem)].sort((a, b) => a - b);
  let pause = 0;
  for (let k = 1; k < starts.length; k++) pause = Math.max(pause, starts[k] - starts[k - 1]);
  return pause;
}

/** When the slots start that lie in the windows for all. */
function openStarts({ interval, slotsByCrawler, availability }: CrawlPlanProblem): number[] {
  const starts: number[] = [];
  const spans = availability?.spans ?? Float64Array.of(0, Number.POSITIVE_INFINITY);
  for (const count of slotsByCrawler) {
    for (let l = 0; l < count; l++) {
      const time = (l * interval) / count;
      if (spans.some((open, k) => k % 2 === 0 && time >= open && time < spans[k + 1])) starts.push(time);
    }
  }
  return starts;
}

/** Counts what is due by the time the conflict names, page by page, and what is possible by then. */
function certifyConflict(
  problem: CrawlPlanProblem,
  conflict: Pick<PlanConflict, 'host' | 'crawlsNeeded' | 'slots' | 'by'>,
): string[] {
  const { now, interval, slotsByCrawler, lastCrawl, maxInterval, hostName, hostDelay, host } = problem;
  const faults: string[] = [];
  // a conflict of windows rests on estimated rates, which an infeasible answer does not carry
  if (openStarts(problem).length === 0) return conflict.slots === 0 ? [] : ['no slot is open'];
  if (problem.feedItems?.some((items) => !Number.isNaN(items)) === true) return faults;
  const tolerance = toleranceOf(problem);
  const by = conflict.by - now + tolerance;
  const h = conflict.host === null ? null : hostName.indexOf(conflict.host);
  let due = 0;
  for (const [i, longest] of maxInterval.entries()) {
    if (longest === Number.POSITIVE_INFINITY) continue;
    if (h !== null && host[i] !== h) continue;
    const last = Number.isNaN(lastCrawl[i]) ? 0 : Math.min(0, lastCrawl[i] - now);
    const start = last + longest < 0 ? 0 : last;
    due += Math.max(0, Math.floor((by - start) / longest));
  }
  const until = by + longestPause(problem);
  let possible = 0;
  if (h !== null) {
    const byRate = problem.hostRate === undefined ? Infinity : 11 + Math.floor(until * problem.hostRate[h]);
    possible = Math.min(hostDelay[h] > 0 ? 1 + Math.floor(until / hostDelay[h]) : Infinity, byRate);
  } else {
    if (problem.availability === undefined) {
      for (const count of slotsByCrawler) {
        if (count > 0) possible += Math.min(count, 1 + Math.floor((until / interval) * count));
      }
    } else possible = openStarts(problem).filter((time) => time <= until).length;
  }
  if (due < conflict.crawlsNeeded) faults.push(`${due} fetches are due, not ${conflict.crawlsNeeded}`);
  if (possible > conflict.slots + 1) faults.push(`${possible} fetches are possible, not ${conflict.slots}`);
  if (conflict.crawlsNeeded <= conflict.slots) faults.push('no more fetches are due than are possible');
  return faults;
}

interface ProvedPlan {
  readonly status: string;
  readonly objective: Objective;
  readonly longRun: Objective | null;
}

/** Bounds above their values, and gaps that are not theirs. */
function certifyBound(answer: ProvedPlan): string[] {
  const faults: string[] = [];
  for (const { value, bound, gap } of [answer.objective, ...(answer.longRun === null ? [] : [answer.longRun])]) {
    if (bound === null) continue;
    if (bound > value * (1 + 1e-7)) faults.push(`the bound ${bound} is above the value ${value}`);
    if (gap !== relativeGap(value, bound)) faults.push(`the gap ${gap} is not that of ${value} and ${bound}`);
  }
  const { gap } = answer.objective;
  if ((answer.status === 'optimal') !== (gap !== null && gap < 1e-9))
    faults.push(`${answer.status} with a gap of ${gap}`);
  return faults;
}
