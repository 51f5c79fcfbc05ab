/**
 * What an empty log costs on a trace, month by month. A plan that knows nothing of the pages stands beside the same
 * plan with the log that it would have kept since the trace began. Both begin with all pages just fetched, so that only
 * what they know differs.
 */
import { standardError } from './bootstrap.ts';
import type { PageHistory } from './page-history.ts';
import { type PlanOptions, plannedAhead } from './policies.ts';
import { day, type Policy, replay } from './replay.ts';

export interface CurveQuestion {
  readonly pages: readonly PageHistory[];
  /** Where the trace begins, and the moments at which logs are emptied; Unix seconds. */
  readonly from: number;
  readonly starts: readonly number[];
  /** Days in a window, and how many windows follow each start. */
  readonly window: number;
  readonly windows: number;
  /** Fetches a page and day, and days a plan. */
  readonly crawlRate: number;
  readonly planDays: number;
}

/** By window, in the mean over pages and starts: how much fresher the plan with the log was, and the error of that. */
export type Shortfall = readonly { readonly mean: number; readonly error: number }[];

/** A fetch as its policy learnt of it. */
interface Observation {
  readonly page: number;
  readonly time: number;
  readonly elapsed: number;
  readonly changed: boolean;
}

/** The policy, and what it learns written down. */
function noted(policy: Policy, log: Observation[]): Policy {
  return {
    choose: (time) => policy.choose(time),
    observe: (page, time, elapsed, changed) => {
      log.push({ page, time, elapsed, changed });
      policy.observe(page, time, elapsed, changed);
    },
  };
}

/** The changes of each page after `start` and before `end`. */
function within(pages: readonly PageHistory[], start: number, end: number): PageHistory[] {
  return pages.map((page) => ({ ...page, changes: page.changes.filter((time) => time > start && time < end) }));
}

/** Stale time of each page by window, where all pages are fetched at `start` and then as observed. */
export function staleByWindow(
  pages: readonly PageHistory[],
  fetches: readonly Observation[],
  { start, windows, seconds }: { readonly start: number; readonly windows: number; readonly seconds: number },
): Float64Array[] {
  const stale = Array.from({ length: windows }, () => new Float64Array(pages.length));
  const end = start + windows * seconds;
  const last = new Float64Array(pages.length).fill(start);
  const account = (page: number, until: number): void => {
    const since = pages[page].changes.find((time) => time > last[page]) ?? until;
    for (let at = since; at < until; ) {
      const w = Math.floor((at - start) / seconds);
      const next = Math.min(until, start + (w + 1) * seconds);
      stale[w][page] += next - at;
      at = next;
    }
    last[page] = until;
  };
  for (const { page, time } of fetches) account(page, Math.min(time, end));
  for (let page = 0; page < pages.length; page++) account(page, end);
  return stale;
}

/** The shortfall of a plan from an empty log. */
export function learningCurve(question: CurveQuestion): Shortfall {
  const { pages, from, starts, window, windows, crawlRate, planDays } = question;
  const span = window * windows * day;
  const options: PlanOptions = {
    crawlRate,
    firstPlan: planDays * day,
    planLength: planDays * day,
  };
  const kept: Observation[] = [];
  const until = Math.max(...starts);
  replay(within(pages, from, until), noted(plannedAhead(pages.length, from, options), kept), from, until);

  const gaps = Array.from({ length: windows }, () => new Float64Array(pages.length));
  for (const start of starts) {
    const ahead = within(pages, start, start + span);
    const followed = (policy: Policy): Float64Array[] => {
      const fetches: Observation[] = [];
      replay(ahead, noted(policy, fetches), start, start + span);
      return staleByWindow(ahead, fetches, { start, windows, seconds: window * day });
    };
    const settled = followed(withLog(question, kept, start, options));
    const empty = followed(plannedAhead(pages.length, start, options));
    for (let w = 0; w < windows; w++) {
      for (let i = 0; i < pages.length; i++) {
        gaps[w][i] += (empty[w][i] - settled[w][i]) / (window * day * starts.length);
      }
    }
  }
  return gaps.map((gap) => ({
    mean: gap.reduce((sum, each) => sum + each / pages.length, 0),
    error: standardError(pages, gap),
  }));
}

/** A plan that has seen what was observed before `start`, and then a fetch of every page. */
function withLog(
  { pages, from }: CurveQuestion,
  kept: readonly Observation[],
  start: number,
  options: PlanOptions,
): Policy {
  const policy = plannedAhead(pages.length, from, options);
  const last = new Float64Array(pages.length).fill(from);
  const seen = kept.filter(({ time }) => time < start);
  for (const { page, time, elapsed, changed } of seen) {
    policy.observe(page, time, elapsed, changed);
    last[page] = time;
  }
  for (const [i, { changes }] of pages.entries()) {
    policy.observe(
      i,
      start,
      start - last[i],
      changes.some((time) => time > last[i] && time <= start),
    );
  }
  return policy;
}
