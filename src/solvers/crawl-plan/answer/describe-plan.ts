/** From a schedule to the plan as it is answered: every page's figures, the slots used, and what is left over. */

import type { Budget } from '../../budget.ts';
import { isNever, never } from '../../pages/never.ts';
import type { PageRates } from '../evidence.ts';
import type { PricedPlan } from '../price.ts';
import type { CrawlPlan } from '../problem.ts';
import type { GivenSlots } from '../slots/give-slots.ts';

/** What was found: the price and the schedule. */
export interface PlanFindings extends PricedPlan, Pick<GivenSlots, 'page' | 'staleTime' | 'costTime' | 'inTurn'> {
  readonly rates: PageRates;
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

/** Pages, and sixteens of their checks, between two looks at the budget: signals are read again with the checks. */
const stepsPerPoll = 256;

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
  let steps = stepsPerPoll;
  for (let i = 0; i < pages; i++) {
    steps += 1 + (rates.signalled === null ? 0 : (history.offsets[i + 1] - history.offsets[i]) / 16);
    if (notRevised === 0 && steps >= stepsPerPoll) {
      steps = 0;
      if (budget.stopRequested()) notRevised = pages - i;
    }
    const gap = isNever(age[i]) ? age[i] : nextFetch[i] - now + age[i];
    let nextIntervals: readonly [number, number] = [never, never];
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
