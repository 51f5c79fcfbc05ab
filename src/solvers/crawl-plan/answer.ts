/**
 * From a schedule to the plan as it is answered: every page's figures, the slots used, what is left over, and warnings.
 *
 * Warnings are what a caller should know before relying on a plan: what the end of the time left undone, pages that the
 * plan leaves out or knows little of, and values that fit the model and are surely not meant (hosts that no page has,
 * another unit, interval and crawls in each other's place). A plan is made all the same. O(pages + checks + hosts).
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

/** An interval shorter than the time between two fetches by this factor is in another unit. */
const implausibleRatio = 100;
/** The minutes of a day: people who count in minutes, hours or days write no larger number. */
const maxMinutes = 1440;
/** More changes a day than this are no page's, in the middle of all pages with a given rate. */
const maxChangesPerDay = 1000;

/** What was found: the price and the schedule. */
export interface PlanFindings extends PricedPlan, Pick<GivenSlots, 'page' | 'staleTime' | 'costTime' | 'inTurn'> {
  /** Positions of the pages fetched for what that teaches. */
  readonly probed: Uint32Array;
}

/** The plan, and how many pages got the plan's own fetch interval where the ones after a check were to be. */
interface PlanDescription {
  readonly plan: CrawlPlan;
  /** Σ weight·cost. */
  readonly value: number;
  readonly notRevised: number;
}

export function describePlan(findings: PlanFindings, budget: Budget): PlanDescription {
  const { problem, age, rates, steady, page, inTurn } = findings;
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
  // the even share of a page given up comes once in years: no interval to keep to
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
    uniformObjective: inTurn === null ? null : inTurn / interval,
  };
  return { plan, value, notRevised };
}

/** Whether no fetch of a page is worth its price, no longest interval keeps it, and no target counts on its even share. */
function isGivenUp({ problem, pages, steady, isPromised = false }: PlanFindings, i: number): boolean {
  if (isPromised || problem.maxInterval[i] < Number.POSITIVE_INFINITY) return false;
  const price = steady.pagePrice[i];
  return problem.weight[i] > 0 && price > 0 && isNever(pages.now.intervalAt(i, price));
}

/**
 * How long a change of the interval waits in the mean. It is the time since the last fetch, over the interval, whatever
 * the rate (Little's formula on λa items that wait at age a). A page never fetched has waited since now.
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
 * What the next fetch teaches: the interval to the fetch after it, by its outcome; NaN for none. Once the budget has
 * ended, the fetch interval stands for both.
 */
function intervalsAfterNext(findings: PlanFindings, nextFetch: Float64Array, budget: Budget) {
  const { problem, age, steady, longest, rates, pages: models, isPromised = false } = findings;
  const { now, minInterval, maxInterval, weight, history } = problem;
  const pages = age.length;
  const [intervalIfUnchanged, intervalIfChanged] = [new Float64Array(pages), new Float64Array(pages)];
  let notRevised = 0;
  const isStopped = stopCheck(budget);
  for (let i = 0; i < pages; i++) {
    // signals are read again with the checks
    const steps = 1 + (rates.signalHistory === null ? 0 : history.offsets[i + 1] - history.offsets[i]);
    if (isStopped(steps) && notRevised === 0) notRevised = pages - i;
    const gap = isNever(age[i]) ? age[i] : nextFetch[i] - now + age[i];
    let nextIntervals: readonly [number, number] = [infiniteTime, infiniteTime];
    if (notRevised > 0) nextIntervals = [steady.fetchInterval[i], steady.fetchInterval[i]];
    else if (!Number.isNaN(gap)) nextIntervals = models.now.intervalAfter(i, gap, steady.pagePrice[i]);
    // what an outcome gives up has no even share that a crawler should keep to, unless it was promised
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
  readonly inTurn: number | null;
  readonly notRevised: number;
}

export function stoppedWarnings({ isStopped, inTurn, notRevised }: UnfinishedWork): Warning[] {
  const details: string[] = [];
  if (isStopped)
    details.push(
      'the time limit came before all slots were given: the rest went to the pages in turn, each at its fetch interval',
    );
  if (inTurn === null) details.push('baselines are left out');
  if (notRevised > 0)
    details.push(`intervalIfUnchanged and intervalIfChanged of the last ${notRevised} pages are their fetchInterval`);
  if (details.length === 0) return [];
  return [{ code: 'stopped-early', detail: `${details.join('; ')}; raise options.timeLimitMs` }];
}

/** The problem, and the age of each page at the start, Infinity for never fetched. */
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
  const forGood =
    neverFetched.length > 0 ? `; ${neverFetched.length} never${listPages(problem, neverFetched)}: raise evenShare` : '';
  const byHistory = pagesByHistory(problem, age);
  const overdue = pages.filter((i) => !isNever(age[i]) && age[i] > maxInterval[i]);
  const of = (list: ArrayLike<number>, code: string, detail: (which: string) => string): Warning[] =>
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
            detail: `${withoutCrawl.length} of ${age.length} pages without a crawl ${inTheNext(problem.interval)}${forGood}`,
          },
        ]),
    ...of(
      plan.givenUp,
      'given-up',
      (which) =>
        `${which} given up: in the long run no fetch is worth its price, so that fetchInterval is null and only the even share, if any, brings a fetch; a maxInterval or a larger weight keeps a page`,
    ),
    ...of(
      byHistory.unidentified,
      'rate-not-identified',
      (which) => `${which} changed at every check: faster than fetched, and how much faster is not known`,
    ),
    ...of(
      byHistory.unseen,
      'prior-only',
      (which) => `${which} without a check yet: the rate is the prior’s, from the other pages`,
    ),
    ...of(
      byHistory.undated,
      'last-crawl-missing',
      (which) =>
        `${which} with checks and no lastCrawl: planned as never fetched, the copy taken to be stale, and, under an evenShare or a maxInterval, fetched first, with pages that waited longer than these allow; give lastCrawl, or observations in place of checks`,
    ),
    ...of(
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

/** Pages whose rate no check shows, pages without any check, and pages with checks whose last fetch is not known. */
function pagesByHistory({ history, changeRate, knownEvents }: CrawlPlanProblem, age: Float64Array) {
  const [unseen, unidentified, undated]: number[][] = [[], [], []];
  for (let i = 0; i < age.length; i++) {
    const [from, to] = [history.offsets[i], history.offsets[i + 1]];
    if (to > from && isNever(age[i])) undated.push(i);
    if (!Number.isNaN(changeRate[i])) continue;
    if (from === to) unseen.push(i);
    else if (knownEvents?.[i] !== 1 && !history.outcome.subarray(from, to).includes(unchangedOutcome))
      unidentified.push(i);
  }
  return { unseen, unidentified, undated };
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

/** A short interval with as many crawls as a day, an hour or a week has seconds. */
function swappedWarning({ interval, slotsByCrawler }: CrawlPlanProblem): Warning[] {
  const crawls = slotsByCrawler.reduce((sum, each) => sum + each, 0);
  if (crawls < 3600 || crawls % 3600 !== 0 || interval * 100 > crawls) return [];
  const detail = `${crawls} crawls in ${interval} s look swapped: interval ${crawls} (${duration(crawls)}) with ${interval} crawls?`;
  return [{ code: 'implausible-interval', detail }];
}

/** An interval far below every gap of the log, or one in small numbers far below the middle gap. */
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
  const middle = givenRates[Math.floor(givenRates.length / 2)];
  const largest = givenRates.at(-1);
  if (largest === undefined || (largest <= 1 && middle * day <= maxChangesPerDay)) return [];
  const rate = largest > 1 ? largest : middle;
  const perDay = Number((rate / day).toPrecision(4));
  const detail = `changeRate ${rate} means ${rate} changes a second; ${rate} a day is ${perDay}`;
  return [{ code: 'implausible-rate', detail }];
}
