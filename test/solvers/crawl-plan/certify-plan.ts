/**
 * Whether a plan keeps the limits of its problem, by code that shares nothing with the planner: slots, intervals, delays
 * and the lists of pages by the certificate of answers; here rates of hosts, windows, feeds, idle slots, and conflicts,
 * which that certificate leaves out.
 */
import { checkIntervals, checkPages } from '../../../src/certificates/crawl-plan.ts';
import { checkObjective, Findings } from '../../../src/certificates/findings.ts';
import { checkDelays } from '../../../src/certificates/hosts.ts';
import { checkSlots } from '../../../src/certificates/slots.ts';
import { WireTable } from '../../../src/certificates/wire.ts';
import type {
  CrawlPlan,
  CrawlPlanAnswer,
  CrawlPlanProblem,
  PlanConflict,
} from '../../../src/solvers/crawl-plan/index.ts';

/** The faults of an answer, one sentence each. */
export function certifyCrawlPlan(problem: CrawlPlanProblem, answer: CrawlPlanAnswer): string[] {
  if (answer.status === 'infeasible') return certifyConflict(problem, answer.conflict);
  const { plan, objective, longRun } = answer;
  const findings = new Findings();
  checkLimits(problem, plan, findings);
  if (longRun !== null) checkObjective(findings, longRun, 'longRun');
  const value = plan.cost.reduce((sum, cost, i) => sum + problem.weight[i] * cost, 0);
  findings.compare('objective.value', objective.value, value);
  return [
    ...findings.faults,
    ...certifyFeeds(problem, plan),
    ...certifyWindows(problem, plan),
    ...certifyHostRates(problem, plan),
  ];
}

/** Checks slots, intervals to within one slot, delays, and the counts and lists of pages. */
function checkLimits(problem: CrawlPlanProblem, plan: CrawlPlan, findings: Findings): void {
  const { now, interval, slotsByCrawler, availability, host, hostName, hostDelay } = problem;
  const schedule = new WireTable({ time: plan.slotTime, crawler: plan.slotCrawler, page: plan.slotPage }, 'schedule');
  const slots = { counts: slotsByCrawler, start: now, interval };
  const times = checkSlots(schedule, slots, problem.lastCrawl.length, findings);
  if (times === null) return;
  const fetches = { times, now, interval, pause: longestPause(problem) };
  const lastCrawl = problem.lastCrawl.map((time) => Math.min(time, now));
  const notBefore = lastCrawl.map((_, i) => now + (availability?.pageFrom[i] ?? 0));
  const hosts = { names: hostName, of: host, limit: () => hostDelay };
  checkIntervals(fetches, { ...problem, lastCrawl, notBefore, hosts }, findings);
  checkDelays(hosts, times, lastCrawl, toleranceOf(problem), findings);
  const pages = new WireTable({ crawls: plan.crawls, nextFetch: plan.nextFetch }, 'pages');
  checkPages(fetches, pages, { withoutCrawl: plan.withoutCrawl }, findings);
  findings.compare('solution.idleSlots', plan.idleSlots, openStarts(problem).length - schedule.length);
}

/** Stretches in which a host is fetched more often than its largest rate and eleven fetches allow. */
function certifyHostRates({ host, hostRate }: CrawlPlanProblem, plan: CrawlPlan): string[] {
  if (hostRate === undefined) return [];
  const times = Array.from(hostRate, (): number[] => []);
  for (const [k, time] of plan.slotTime.entries()) times[host[plan.slotPage[k]]]?.push(time);
  const faults: string[] = [];
  for (const [h, list] of times.entries()) {
    let lowest = Number.POSITIVE_INFINITY;
    for (const [k, time] of list.entries()) {
      // minimum over the starts of a stretch: fetches before the start, less what the rate allows until it
      lowest = Math.min(lowest, k - hostRate[h] * (time - list[0]));
      const excess = k + 1 - hostRate[h] * (time - list[0]) - lowest;
      if (excess > 11 + 1e-6) faults.push(`host ${h} is fetched ${excess} times more than its rate allows by ${time}`);
    }
  }
  return faults;
}

/** Fetches outside the windows: each is compared with every span. */
function certifyWindows({ now, availability }: CrawlPlanProblem, plan: CrawlPlan): string[] {
  const spans = availability?.spans ?? null;
  if (spans === null) return [];
  const isOpen = (time: number): boolean =>
    spans.some((opening, k) => k % 2 === 0 && time >= opening - 1e-6 && time < spans[k + 1]);
  return Array.from(plan.slotTime)
    .filter((time) => !isOpen(time - now))
    .map((time) => `a fetch at ${time} is outside the windows`);
}

/** Fetch intervals that lose items of a feed more often than allowed, by the sum of the Poisson law. */
function certifyFeeds({ feedItems, feedLoss, minInterval }: CrawlPlanProblem, plan: CrawlPlan): string[] {
  const faults: string[] = [];
  for (const [i, items] of (feedItems ?? []).entries()) {
    if (Number.isNaN(items) || plan.fetchInterval[i] <= minInterval[i]) continue;
    const mean = plan.changeRate[i] * plan.fetchInterval[i];
    let noLossProbability = 0;
    let logTerm = -mean;
    for (let n = 0; n <= items; n++) {
      noLossProbability += Math.exp(logTerm);
      logTerm += Math.log(mean / (n + 1));
    }
    const loss = 1 - noLossProbability;
    if (!(loss <= (feedLoss?.[i] ?? 0.01) + 1e-9)) faults.push(`page ${i} loses items with probability ${loss}`);
  }
  return faults;
}

/** Rounding of a time in seconds: some digits of the interval, and the last digit of the clock. */
function toleranceOf({ now, interval }: CrawlPlanProblem): number {
  return 1e-9 * interval + 1e-14 * Math.abs(now) + 1e-9;
}

/** The longest pause between two slots of all crawlers, closed times included: the tolerance of deadlines. */
function longestPause(problem: CrawlPlanProblem): number {
  const starts = [0, problem.interval, ...openStarts(problem)].sort((a, b) => a - b);
  return Math.max(...starts.slice(1).map((start, k) => start - starts[k]));
}

/** Starts of the slots in the windows, in seconds from now. */
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

/** Counts the fetches due by the time of the conflict, page by page, and those possible by then. */
function certifyConflict(problem: CrawlPlanProblem, conflict: PlanConflict): string[] {
  const { now, interval, slotsByCrawler, lastCrawl, maxInterval, hostName, hostDelay, host } = problem;
  const faults: string[] = [];
  if (openStarts(problem).length === 0) return conflict.slots === 0 ? [] : ['no slot is open'];
  // a conflict of feeds rests on estimated rates, which an infeasible answer does not have
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
