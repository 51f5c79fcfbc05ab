/**
 * From a schedule to the plan in the answer: the figures of every page, the slots used, the idle slots, and warnings.
 *
 * A warning tells a caller what to know before relying on a plan: work that the time limit cut short, pages without a
 * fetch or with little evidence, and values that are valid but probably mistaken (hosts without pages, a wrong unit,
 * interval and crawls swapped). Warnings do not change the plan. O(pages + checks + hosts).
 */
import type { Warning } from '../answer.ts';
import { type Budget, stopCheck } from '../budget.ts';
import { day } from '../day.ts';
import { unchangedOutcome } from '../estimation/changes/check-history.ts';
import { duration, inTheNext } from '../figures.ts';
import { infiniteTime, isNever } from '../pages/never.ts';
import type { PricedPlan } from './price.ts';
import type { CrawlPlan, CrawlPlanProblem } from './problem.ts';
import type { GivenSlots } from './slots/give-slots.ts';
import { firstOf, listPages } from './spans.ts';

/** Gaps between checks over the interval above which the interval is probably given in another unit. */
const implausibleRatio = 100;
/** Minutes of a day: a larger interval is not one that was meant in minutes, hours or days. */
const maxMinutes = 1440;
/** Changes a day above which the median of the given rates is implausible for pages. */
const maxChangesPerDay = 1000;

/** The results of planning: the price and the schedule. */
export interface PlanFindings
  extends PricedPlan,
    Pick<GivenSlots, 'page' | 'staleTime' | 'costTime' | 'roundRobinCost'> {
  /** Positions of the pages fetched for what that teaches. */
  readonly probed: Uint32Array;
}

/** The plan, and the number of pages whose intervals after a check could not be computed in time. */
interface PlanDescription {
  readonly plan: CrawlPlan;
  /** Σ weight·cost. */
  readonly value: number;
  readonly notRevised: number;
}

export function describePlan(findings: PlanFindings, budget: Budget): PlanDescription {
  const { problem, age, rates, steady, page, roundRobinCost } = findings;
  const { now, interval, weight } = problem;
  const { low, high } = rates.intervals;
  const pages = age.length;
  const crawls = new Uint32Array(pages);
  const nextFetch = new Float64Array(pages).fill(Number.NaN);
  const schedule = usedSlots(findings);
  const { slotPage, slotTime } = schedule;
  for (let k = 0; k < slotPage.length; k++) if (crawls[slotPage[k]]++ === 0) nextFetch[slotPage[k]] = slotTime[k];
  const fetchInterval = steady.fetchInterval.map((value) => (isNever(value) ? Number.NaN : value));
  for (let i = 0; i < pages; i++) {
    if (crawls[i] > 0 || Number.isNaN(fetchInterval[i])) continue;
    const due = isNever(age[i]) ? 0 : fetchInterval[i] - age[i];
    nextFetch[i] = now + Math.max(interval, due);
  }
  const staleness = findings.staleTime.map((time) => time / interval);
  const cost = findings.costTime.map((time) => time / interval);
  let value = 0;
  for (let i = 0; i < pages; i++) value += weight[i] * cost[i];
  const { intervalIfUnchanged, intervalIfChanged, notRevised } = intervalsAfterNext(findings, nextFetch, budget);
  const positions = new Uint32Array(pages).map((_, i) => i);
  const givenUp = positions.filter((i) => isGivenUp(findings, i));
  // a page given up is fetched by its even share alone, once in years: no interval that a crawler should keep to
  for (const i of givenUp) {
    fetchInterval[i] = Number.NaN;
    intervalIfUnchanged[i] = Number.NaN;
    intervalIfChanged[i] = Number.NaN;
  }
  const plan: CrawlPlan = {
    changeRate: rates.rate,
    changeRateLow: low,
    changeRateHigh: high,
    crawls,
    fetchInterval,
    intervalIfUnchanged,
    intervalIfChanged,
    nextFetch,
    staleness,
    cost,
    meanDelay: problem.objective === 'delay' ? meanWait(findings) : null,
    probed: findings.probed,
    givenUp,
    ...schedule,
    idleSlots: page.length - slotPage.length,
    withoutCrawl: positions.filter((i) => crawls[i] === 0),
    shadowPrice: steady.price / interval,
    uniformObjective: roundRobinCost === null ? null : roundRobinCost / interval,
  };
  return { plan, value, notRevised };
}

/** Whether no fetch of page i is worth its price, while neither a longest interval nor a target requires one. */
function isGivenUp({ problem, pages, steady, isPromised = false }: PlanFindings, i: number): boolean {
  if (isPromised || problem.maxInterval[i] < Number.POSITIVE_INFINITY) return false;
  const price = steady.pagePrice[i];
  return problem.weight[i] > 0 && price > 0 && isNever(pages.now.intervalAt(i, price));
}

/**
 * By page: the mean time in seconds that a change in the interval waits for its fetch. By Little's formula on the λa
 * items that wait at age a this is the mean age over the interval, whatever the rate. A page never fetched has age 0 at
 * now.
 */
function meanWait({ problem, slots, age, page }: PlanFindings): Float64Array {
  const { interval } = problem;
  const last = age.map((old) => (isNever(old) ? 0 : -old));
  const wait = new Float64Array(age.length);
  const account = (i: number, time: number): void => {
    const from = Math.max(0, -last[i]);
    const to = time - last[i];
    wait[i] += (0.5 * (to - from) * (to + from)) / interval;
    last[i] = time;
  };
  for (let s = 0; s < page.length; s++) if (page[s] >= 0) account(page[s], slots.time[s]);
  for (let i = 0; i < age.length; i++) account(i, interval);
  return wait;
}

/** The slots that have a page, in time order. */
function usedSlots({ problem, slots, page }: PlanFindings): Pick<CrawlPlan, 'slotTime' | 'slotCrawler' | 'slotPage'> {
  let count = 0;
  for (let s = 0; s < page.length; s++) if (page[s] >= 0) count++;
  const slotTime = new Float64Array(count);
  const [slotCrawler, slotPage] = [new Uint32Array(count), new Uint32Array(count)];
  for (let s = 0, k = 0; s < page.length; s++) {
    if (page[s] < 0) continue;
    slotTime[k] = problem.now + slots.time[s];
    slotCrawler[k] = slots.crawler[s];
    slotPage[k++] = page[s];
  }
  return { slotTime, slotCrawler, slotPage };
}

/**
 * The intervals from the next fetch to the one after, if the next fetch finds no change, and if it finds one; NaN for
 * no further fetch. Both are the fetch interval for pages that are not reached before the budget ends.
 */
function intervalsAfterNext(findings: PlanFindings, nextFetch: Float64Array, budget: Budget) {
  const { problem, age, steady, longest, rates, pages: models, isPromised = false } = findings;
  const { now, minInterval, maxInterval, weight, history } = problem;
  const pages = age.length;
  const [intervalIfUnchanged, intervalIfChanged] = [new Float64Array(pages), new Float64Array(pages)];
  let notRevised = 0;
  const isStopped = stopCheck(budget);
  for (let i = 0; i < pages; i++) {
    // a page with signals takes one step for each of its checks
    const steps = 1 + (rates.signalHistory === null ? 0 : history.offsets[i + 1] - history.offsets[i]);
    if (isStopped(steps) && notRevised === 0) notRevised = pages - i;
    const gap = isNever(age[i]) ? age[i] : nextFetch[i] - now + age[i];
    let nextIntervals: readonly [number, number] = [infiniteTime, infiniteTime];
    if (notRevised > 0) nextIntervals = [steady.fetchInterval[i], steady.fetchInterval[i]];
    else if (!Number.isNaN(gap)) nextIntervals = models.now.intervalAfter(i, gap, steady.pagePrice[i]);
    // a page given up after this outcome is not capped by the even share, unless a target counts on the even share
    const isPriced = !isPromised && weight[i] > 0 && steady.pagePrice[i] > 0;
    const clampInterval = (wait: number): number => {
      const upperLimit = isPriced && isNever(wait) ? maxInterval[i] : longest[i];
      const clampedWait = Math.min(upperLimit, Math.max(minInterval[i], wait));
      return isNever(clampedWait) ? Number.NaN : clampedWait;
    };
    intervalIfUnchanged[i] = clampInterval(nextIntervals[0]);
    intervalIfChanged[i] = clampInterval(nextIntervals[1]);
  }
  return { intervalIfUnchanged, intervalIfChanged, notRevised };
}

/** Work that the time limit cut short: the schedule, the baseline, and the figures of pages. */
interface UnfinishedWork {
  readonly isStopped: boolean;
  readonly roundRobinCost: number | null;
  readonly notRevised: number;
}

export function stoppedWarnings({ isStopped, roundRobinCost, notRevised }: UnfinishedWork): Warning[] {
  const details: string[] = [];
  if (isStopped)
    details.push(
      'the time limit came before all slots were given: the rest went to the pages in turn, each at its fetch interval',
    );
  if (roundRobinCost === null) details.push('baselines are left out');
  if (notRevised > 0)
    details.push(`intervalIfUnchanged and intervalIfChanged of the last ${notRevised} pages are their fetchInterval`);
  if (details.length === 0) return [];
  return [{ code: 'stopped-early', detail: `${details.join('; ')}; raise options.timeLimitMs` }];
}

/** The problem, and the age of each copy at the start in seconds, Infinity for a page never fetched. */
interface ProblemWithAges {
  readonly problem: CrawlPlanProblem;
  readonly age: Float64Array;
}

/** The warnings of a problem as a whole, then those of its pages. */
export function planWarnings({ problem, age }: ProblemWithAges, plan: CrawlPlan): Warning[] {
  const { withoutCrawl, nextFetch, idleSlots } = plan;
  const { maxInterval } = problem;
  const pages = Array.from(age.keys());
  const neverFetched = withoutCrawl.filter((i) => Number.isNaN(nextFetch[i]));
  const neverClause =
    neverFetched.length > 0 ? `; ${neverFetched.length} never${listPages(problem, neverFetched)}: raise evenShare` : '';
  const byHistory = pagesByHistory(problem, age);
  const overdue = pages.filter((i) => !isNever(age[i]) && age[i] > maxInterval[i]);
  const pagesWarning = (list: ArrayLike<number>, code: string, detail: (which: string) => string): Warning[] =>
    list.length === 0 ? [] : [{ code, detail: detail(`${countOf(list.length, 'page')}${listPages(problem, list)}`) }];
  return [
    ...hostWarnings(problem),
    ...swappedWarning(problem),
    ...intervalWarning(problem),
    ...rateWarning(problem),
    ...(withoutCrawl.length === 0
      ? []
      : [
          {
            code: 'pages-without-crawl',
            detail: `${withoutCrawl.length} of ${age.length} pages without a crawl ${inTheNext(problem.interval)}${neverClause}`,
          },
        ]),
    ...pagesWarning(
      plan.givenUp,
      'given-up',
      (which) =>
        `${which} given up: in the long run no fetch is worth its price, so that fetchInterval is null and only the even share, if any, brings a fetch; a maxInterval or a larger weight keeps a page`,
    ),
    ...pagesWarning(
      byHistory.unidentifiedPages,
      'rate-not-identified',
      (which) => `${which} changed at every check: faster than fetched, and how much faster is not known`,
    ),
    ...pagesWarning(
      byHistory.uncheckedPages,
      'prior-only',
      (which) => `${which} without a check yet: the rate is the prior’s, from the other pages`,
    ),
    ...pagesWarning(
      byHistory.undatedPages,
      'last-crawl-missing',
      (which) =>
        `${which} with checks and no lastCrawl: planned as never fetched, the copy taken to be stale, and, under an evenShare or a maxInterval, fetched first, with pages that waited longer than these allow; give lastCrawl, or observations in place of checks`,
    ),
    ...pagesWarning(
      overdue,
      'overdue-at-start',
      (which) => `${which} past maxInterval already at now: fetched as soon as slots allow`,
    ),
    ...(idleSlots === 0
      ? []
      : [
          {
            code: 'idle-slots',
            detail: `${countOf(idleSlots, 'slot')} empty: minInterval and minDelay allow no fetch then`,
          },
        ]),
  ];
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Pages without a check, pages found changed by all checks, and pages with checks but without a last fetch. */
function pagesByHistory({ history, changeRate, knownEvents }: CrawlPlanProblem, age: Float64Array) {
  const [uncheckedPages, unidentifiedPages, undatedPages]: number[][] = [[], [], []];
  for (let i = 0; i < age.length; i++) {
    const [from, to] = [history.offsets[i], history.offsets[i + 1]];
    if (to > from && isNever(age[i])) undatedPages.push(i);
    if (!Number.isNaN(changeRate[i])) continue;
    if (from === to) uncheckedPages.push(i);
    else if (knownEvents?.[i] !== 1 && !history.outcome.subarray(from, to).includes(unchangedOutcome))
      unidentifiedPages.push(i);
  }
  return { uncheckedPages, unidentifiedPages, undatedPages };
}

function hostWarnings({ host, hostName }: CrawlPlanProblem): Warning[] {
  if (hostName.length === 0) return [];
  const hostsOfPages = new Set(host);
  const emptyHosts = hostName.filter((_, h) => !hostsOfPages.has(h));
  const unlistedPages = host.reduce((sum, h) => sum + (h < 0 ? 1 : 0), 0);
  const warnings: Warning[] = [];
  if (emptyHosts.length > 0) {
    const which = `${countOf(emptyHosts.length, 'host')}${firstOf(emptyHosts, (name) => JSON.stringify(name))}`;
    const detail = `${which} without pages: the limits bind nothing; a page's host must be written the same`;
    warnings.push({ code: 'host-without-pages', detail });
  }
  if (unlistedPages > 0) {
    const detail = `${countOf(unlistedPages, 'page')} whose host is not listed in hosts: no host's limits bind there`;
    warnings.push({ code: 'host-not-listed', detail });
  }
  return warnings;
}

/** Warns of a short interval with a multiple of 3,600 crawls: interval and crawls may be swapped. */
function swappedWarning({ interval, slotsByCrawler }: CrawlPlanProblem): Warning[] {
  const crawls = slotsByCrawler.reduce((sum, each) => sum + each, 0);
  if (crawls < 3600 || crawls % 3600 !== 0 || interval * 100 > crawls) return [];
  const detail = `${crawls} crawls in ${interval} s look swapped: interval ${crawls} (${duration(crawls)}) with ${interval} crawls?`;
  return [{ code: 'implausible-interval', detail }];
}

/** Warns of an interval far below every gap of the log, or, for a small number, far below the median gap. */
function intervalWarning({ interval, history: { elapsed } }: CrawlPlanProblem): Warning[] {
  if (elapsed.length === 0) return [];
  const isFewMinutes = interval <= maxMinutes;
  if (!isFewMinutes && elapsed.some((each) => each < interval * implausibleRatio)) return [];
  const gap = isFewMinutes ? elapsed.slice().sort()[elapsed.length >> 1] : elapsed.reduce((a, b) => Math.min(a, b));
  if (interval * implausibleRatio > gap) return [];
  const which = isFewMinutes ? 'middle' : 'shortest';
  const conversions = `${interval * 60} if minutes are meant, ${interval * 3600} if hours are meant, ${interval * day} if days are meant`;
  const detail = `an interval of ${duration(interval)} is far below the ${which} time between two fetches of a page in the log, ${duration(gap)}; interval is in seconds: ${conversions}`;
  return [{ code: 'implausible-interval', detail }];
}

function rateWarning({ changeRate }: CrawlPlanProblem): Warning[] {
  const givenRates = changeRate.filter((rate) => !Number.isNaN(rate)).sort();
  const median = givenRates[Math.floor(givenRates.length / 2)];
  const largest = givenRates.at(-1);
  if (largest === undefined || (largest <= 1 && median * day <= maxChangesPerDay)) return [];
  const rate = largest > 1 ? largest : median;
  const perDay = Number((rate / day).toPrecision(4));
  const detail = `changeRate ${rate} means ${rate} changes a second; ${rate} a day is ${perDay}`;
  return [{ code: 'implausible-rate', detail }];
}
