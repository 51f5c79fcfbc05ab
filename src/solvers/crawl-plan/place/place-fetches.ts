/** The schedule of a priced plan. */
import type { Warning } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import { KeyedHeap } from '../../numerics/heaps/keyed-heap.ts';
import type { PricedPlan } from '../market/priced-plan.ts';
import type { SteadyState } from '../market/steady-state.ts';
import type { PageModel } from '../rates/page-model.ts';
import { canBeExact, scheduleExactly } from './by-index/exact-schedule.ts';
import { scheduleByIndex } from './by-index/index-schedule.ts';
import { partingTies, restWorth } from './by-index/rest-worth.ts';
import type { IndexScheduleResult, ScheduleProblem } from './by-index/schedule-problem.ts';
import { findProbes, type Probes } from './probes.ts';
import { bestOf, ScheduleJudge } from './schedule-account.ts';

export interface PlacedFetches extends IndexScheduleResult {
  /** Positions of the pages fetched for what that teaches. */
  readonly probed: Uint32Array;
  /** The longest intervals that a whole schedule misses. */
  readonly late: readonly Warning[];
}

/** @param probes fetches for what they teach; null for none */
export function placeFetches(priced: PricedPlan, probes: Probes | null, budget: Budget): PlacedFetches {
  const { problem, slots, age, pages, steady, longest } = priced;
  const saved = restWorth(pages.now, problem);
  const parted = partingTies(saved, { age, interval: problem.interval, price: steady.typicalPrice });
  const model = (): PageModel => parted(probes === null ? pages.working() : probes.raising(pages.working()));
  const byIndex: ScheduleProblem = {
    ...problem,
    model: model(),
    isPlain: problem.signals === undefined,
    slots,
    age,
    cap: longest,
    price: steady.typicalPrice,
    shortInterval: shortInterval(steady, longest),
  };
  const judge = new ScheduleJudge(priced);
  const placed = scheduleForEver(byIndex, model(), judge, budget);
  const late = placed.stopped ? null : judge.missed(placed.page);
  return {
    ...placed,
    probed: probes?.pages ?? new Uint32Array(0),
    late: late === null ? [] : [late],
  };
}

/**
 * The schedule by epochs, or slot by slot where that can be had and costs less, or misses fewer longest intervals.
 *
 * @param own of a state that the schedule by epochs does not change
 */
function scheduleForEver(
  byIndex: ScheduleProblem,
  own: PageModel,
  judge: ScheduleJudge,
  budget: Budget,
): IndexScheduleResult {
  const quick = scheduleByIndex(byIndex, budget);
  if (quick.stopped || !canBeExact(byIndex)) return quick;
  const slow = scheduleExactly({ ...byIndex, model: own }, budget);
  if (slow.stopped) return { ...quick, unimproved: true };
  const best = bestOf([slow, quick].map(({ page, costTime }) => judge.judged(page, costTime)));
  return best.page === slow.page ? slow : quick;
}

/** The pages worth a fetch for what it teaches; null where all rates are known. */
export function probesOf(
  { problem, slots, age, rates, pages, steady, longest }: PricedPlan,
  budget: Budget,
): Probes | null {
  const { minInterval: least, weight, interval, objective = 'freshness' } = problem;
  const { beliefs, known } = rates;
  if (beliefs === null) return null;
  const price = steady.pagePrice;
  const slotGap = interval / slots.time.length;
  const usual = price.map((each, i) => (known[i] === 1 ? Number.NaN : pages.now.intervalAt(i, each)));
  return findProbes({ beliefs, known, weight, objective, price, age, usual, least, longest, slotGap }, budget);
}

/** A fetch interval that only one page in a thousand is fetched more often than. */
function shortInterval({ fetchInterval }: SteadyState, longest: Float64Array): number {
  const shortest = new KeyedHeap();
  const wanted = Math.floor(longest.length / 1000) + 1;
  for (let i = 0; i < longest.length; i++) {
    const value = Math.min(fetchInterval[i], longest[i]);
    if (shortest.size === wanted && value >= shortest.topKey()) continue;
    shortest.push(value, i);
    if (shortest.size > wanted) shortest.pop();
  }
  return shortest.topKey();
}
