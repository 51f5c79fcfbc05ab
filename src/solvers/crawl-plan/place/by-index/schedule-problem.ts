/** What a schedule is made from, slot by slot or by epochs, and what it is. */
import type { CrawlSlots } from '../../limits/allowed.ts';
import type { CrawlPlanProblem } from '../../problem.ts';
import type { PageModel } from '../../rates/page-model.ts';

/** What a problem says of when pages may and must be fetched. */
export type ScheduleLimits = Pick<
  CrawlPlanProblem,
  'interval' | 'minInterval' | 'maxInterval' | 'host' | 'hostDelay' | 'hostRate' | 'availability'
>;

export interface ScheduleProblem extends ScheduleLimits {
  readonly model: PageModel;
  /** Whether a page whose worth at the end is below a price does not reach it before: not where signals tell. */
  readonly isPlain?: boolean | undefined;
  readonly slots: CrawlSlots;
  /** Age of each page at the start; Infinity for never fetched. */
  readonly age: Float64Array;
  /** Age from which a page comes before others; Infinity for none. */
  readonly cap: Float64Array;
  /** The steady price, a first guess at what slots go for. */
  readonly price: number;
  /** The shortest interval that many pages will have: epochs are kept well below it. */
  readonly shortInterval: number;
}

export interface IndexScheduleResult {
  /** The page of each slot, −1 where no page may be fetched. */
  readonly page: Int32Array;
  /** How long each page's copy is expected to be stale in the interval, in seconds. */
  readonly staleTime: Float64Array;
  /** What each page's copy is expected to cost over the interval, before weighting; the stale time under freshness. */
  readonly costTime: Float64Array;
  /** The budget ended: the remaining slots are empty. */
  readonly stopped: boolean;
  /** All slots are given, but the budget ended before a better schedule had been looked for. */
  readonly unimproved?: boolean;
}
