/**
 * Policies compared with existing crawlers: all pages in turn, and plans of crawl-plan followed to the letter.
 */
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { type CrawlPlanProblem, plainPages, planCrawls } from '../../src/solvers/crawl-plan/index.ts';
import { CheckLog } from './check-log.ts';
import { day, gridStep, type Policy } from './replay.ts';

/**
 * All pages in turn: the page with the oldest fetch comes next, at `crawlRate` fetches a page and day on average.
 */
export function turnsPolicy(pages: number, crawlRate: number): Policy {
  let credit = 0;
  let next = 0;
  return {
    observe: () => {},
    choose: () => {
      credit += (pages * crawlRate * gridStep) / day;
      const count = Math.floor(credit);
      credit -= count;
      return Array.from({ length: count }, () => next++ % pages);
    },
  };
}

export interface PlanOptions {
  /** Fetches a page and day. */
  readonly crawlRate: number;
  /** Length of the first plan, made without any check, and of later plans. */
  readonly firstPlan: number;
  readonly planLength: number;
  /** Rates of the pages at `now`, per second, from an oracle; by default crawl-plan estimates them from the log. */
  readonly knownRates?: (now: number) => Float64Array;
}

interface Slot {
  readonly time: number;
  readonly page: number;
}

function slotsOf(problem: CrawlPlanProblem): Slot[] {
  const result = planCrawls(problem, unlimitedBudget());
  if (result.status === 'infeasible') throw new Error(result.conflict.detail);
  const { slotTime, slotPage } = result.plan;
  return Array.from(slotTime, (time, k) => ({ time, page: slotPage[k] }));
}

/** Plans from the log alone, each followed until the next plan is made. */
export function planPolicy(pages: number, start: number, options: PlanOptions): Policy {
  const log = new CheckLog(new Float64Array(pages).fill(start));
  const fill = (value: number): Float64Array => new Float64Array(pages).fill(value);
  let slots: readonly Slot[] = [];
  let at = 0;
  let end = Number.NEGATIVE_INFINITY;
  let credit = 0;
  const plan = (now: number): void => {
    const interval = end === Number.NEGATIVE_INFINITY ? options.firstPlan : options.planLength;
    credit += (pages * options.crawlRate * interval) / day;
    const crawls = Math.floor(credit);
    credit -= crawls;
    end = now + interval;
    at = 0;
    const problem: CrawlPlanProblem = {
      ...plainPages(pages),
      now,
      interval,
      slotsByCrawler: Uint32Array.of(crawls),
      history: log.history(),
      changeRate: options.knownRates?.(now) ?? fill(Number.NaN),
      lastCrawl: log.lastFetch,
      evenShare: 0.05,
    };
    slots = crawls === 0 ? [] : slotsOf(problem);
  };
  return {
    observe: (page, time, _elapsed, changed) => {
      log.record(page, time, changed);
    },
    choose: (time) => {
      if (time >= end) plan(time);
      const now = new Set<number>();
      while (at < slots.length && slots[at].time < time + gridStep) now.add(slots[at++].page);
      return [...now];
    },
  };
}
