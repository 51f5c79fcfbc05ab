/**
 * Whether a target is kept once limits give way, down to the longest intervals of late pages. The question is asked
 * again with the limits changed, as a caller would. What is found so may be offered as a repair.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import type { PageRates } from '../evidence/page-rates.ts';
import { type CrawlSlots, meanHostDelay, openSlots, withFeedWindows } from '../limits/allowed.ts';
import { conflictIn, maxPlanCrawls, wordsOf } from '../limits/conflict-repair.ts';
import type { CrawlPlanProblem, PlanChange, PlanConflict, PlanRepair } from '../problem.ts';
import { pagesByEvidence } from '../rates/pages-by-evidence.ts';
import { closedTimes } from './closed-times.ts';
import { type LeftAtMost, neededRate, type TargetedPages } from './needed-rate.ts';

/** Slots by which the share of the time that windows leave is told. */
const grid = 2016;
export const nearlyWhole = 1e-9;
/** A repair that takes more is no advice. */
const mostRepaired = maxPlanCrawls / 10;

/** The pages of a problem and the rates of what the evidence says. */
interface Known {
  readonly age: Float64Array;
  readonly rates: PageRates;
}

/** What a target is asked of, and the slots of a fine grid that windows leave. */
export function targetedPages(
  given: CrawlPlanProblem,
  { age, rates }: Known,
  budget: Budget,
): { readonly pages: TargetedPages; readonly open: CrawlSlots } {
  const problem = withFeedWindows(given, rates.rate, budget);
  const open = openSlots({ ...problem, slotsByCrawler: Uint32Array.of(grid) });
  const model = pagesByEvidence(problem, rates, age).now;
  const hostDelay = meanHostDelay(problem, open);
  return { pages: { problem, model, rate: rates.rate, hostDelay, closed: closedTimes(problem) }, open };
}

/** Crawls in the interval, rounded up, and the slots among which windows leave as many. */
export function wholeCrawls(exact: number, open: CrawlSlots): { readonly crawls: number; readonly slots: number } {
  const crawls = Math.max(0, Math.ceil(exact - nearlyWhole * Math.max(1, exact)));
  return { crawls, slots: Math.ceil((crawls * grid) / Math.max(1, open.time.length)) };
}

/** The slots that mend a conflict by themselves; null where they do not. */
export function slotsThatDo({ repairs }: PlanConflict): number | null {
  const more = repairs.flatMap(({ changes }) => (changes.length === 1 ? changes : []));
  return more.find(({ change }) => change === 'crawls')?.to ?? null;
}

/** The repairs of a question that has no number of crawls, which are as many as are needed; at last all together. */
function withoutCrawls({ repairs }: PlanConflict): PlanRepair[] {
  const each = repairs.map(({ changes }) => changes.filter(({ change }) => change !== 'crawls'));
  const some = each.filter((changes) => changes.length > 0);
  return [...some, ...(some.length > 1 ? [some.flat()] : [])].map(repairOf);
}

const repairOf = (changes: readonly PlanChange[]): PlanRepair => ({
  detail: changes.map(wordsOf).join(' and '),
  changes,
});

/** How limits give way. */
export interface TargetEasing {
  readonly host?: ((h: number) => number) | undefined;
  readonly minInterval?: number | undefined;
  /** Fetches at all times. */
  readonly open?: boolean | undefined;
}

/** Nothing more to change. */
const nothingElse: PlanRepair = { detail: '', changes: [] };

/** How much more than what was found is tried, until it does. */
const widenings = [1, 1.02, 1.1, 1.5, 3, 10];

export class KeptTarget {
  readonly #given: CrawlPlanProblem;
  readonly #known: Known;
  readonly #budget: Budget;

  constructor({ given, age, rates }: Known & { readonly given: CrawlPlanProblem }, budget: Budget) {
    this.#given = given;
    this.#known = { age, rates };
    this.#budget = budget;
  }

  /**
   * The first of `by` times these widenings that keeps the target, and what must change beside it; null where none does.
   */
  firstThatDoes(
    by: number,
    tried: (by: number) => { readonly easing: TargetEasing; readonly target: LeftAtMost } | null,
  ): { readonly by: number; readonly also: PlanRepair } | null {
    for (const widening of widenings) {
      const one = tried(by * widening);
      const also = one && this.#also(easedBy(this.#given, one.easing), one.target);
      if (also !== null) return { by: by * widening, also };
    }
    return null;
  }

  /** What must change beside, for longest intervals that cannot be kept; null where that does not help. */
  #also(problem: CrawlPlanProblem, target: LeftAtMost): PlanRepair | null {
    const clash = this.#clash(problem, target);
    if (clash === null) return nothingElse;
    if (clash === 'missed') return null;
    return withoutCrawls(clash).find(this.#does(problem, target)) ?? null;
  }

  /** The conflict of late pages, with the repairs that keep the target too. */
  repairing(conflict: PlanConflict, target: LeftAtMost): PlanConflict {
    const found = unlessStopped([], () => withoutCrawls(conflict).filter(this.#does(this.#given, target)));
    const repairs = found.length > 2 ? found.slice(0, 2) : found;
    return { ...conflict, repairs, repair: repairs.map(({ detail }) => detail).join(', or ') };
  }

  #does(problem: CrawlPlanProblem, target: LeftAtMost): (repair: PlanRepair) => boolean {
    return ({ changes }) => this.#clash(changed(problem, changes), target) === null;
  }

  /** What keeps the target from being kept; null for nothing. */
  #clash(given: CrawlPlanProblem, target: LeftAtMost): PlanConflict | 'missed' | null {
    const { age } = this.#known;
    const { pages, open } = targetedPages(given, this.#known, this.#budget);
    const { problem } = pages;
    const found = neededRate(pages, target, this.#budget);
    if ('least' in found) return 'missed';
    const { slots: count } = wholeCrawls(found.met.total * problem.interval, open);
    if (!(count <= mostRepaired)) return 'missed';
    const slotsByCrawler = Uint32Array.of(count);
    const slots = openSlots({ ...problem, slotsByCrawler });
    if (slots.time.length === 0) return 'missed';
    const search = { problem: { ...problem, slotsByCrawler }, slots, age };
    const clash = conflictIn(search, '', this.#budget);
    return clash === null || slotsThatDo(clash) !== null ? null : clash;
  }
}

function easedBy(problem: CrawlPlanProblem, { host = () => 1, minInterval = 1, open }: TargetEasing): CrawlPlanProblem {
  const { availability } = problem;
  return {
    ...problem,
    hostDelay: problem.hostDelay.map((delay, h) => delay / host(h)),
    hostRate: problem.hostRate?.map((rate, h) => rate * host(h)),
    minInterval: problem.minInterval.map((least) => least / minInterval),
    ...(open === true && {
      availability: availability && { ...availability, spans: null, hostSpans: availability.hostSpans.map(() => null) },
    }),
  };
}

function changed(problem: CrawlPlanProblem, changes: readonly PlanChange[]): CrawlPlanProblem {
  let { maxInterval, hostDelay, hostRate } = problem;
  for (const { change, factor, to, host } of changes) {
    const put = (own: number, h: number): number => (problem.hostName[h] === host ? (to ?? own) : own);
    if (change === 'maxInterval') maxInterval = maxInterval.map((most) => most * factor);
    if (change === 'minDelay') hostDelay = hostDelay.map(put);
    if (change === 'maxRate') hostRate = hostRate?.map(put);
  }
  return { ...problem, maxInterval, hostDelay, hostRate };
}
