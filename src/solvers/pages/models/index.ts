/** The model of all pages: plain ones, and those with signals. */
import { type ObjectiveName, stalenessCost } from '../objectives/index.ts';
import { eitherModel, type PageModel, type RateEstimates } from './page-model.ts';
import { pagesWithSignals } from './signalled-pages.ts';
import { type PlainTerms, pagesWithoutSignals } from './unsignalled-pages.ts';

export type { PageModel, RateEstimates } from './page-model.ts';

/**
 * Age, in intervals of the plan, of a copy that stands for "never fetched" under freshness, where the worth of a fetch
 * has a limit with the age, which this comes near. Under the other objectives worth grows without end with the age, and a page never fetched costs from now
 * on: one interval stands for it.
 */
const unseenIntervals = 1000;

/** What a fetch of a page is worth depends on these. */
interface PageTerms {
  readonly weight: Float64Array;
  /** Of the plan, in seconds. */
  readonly interval: number;
  /** Left out: freshness. */
  readonly objective?: ObjectiveName;
}

export interface PlannedPages {
  /** The pages as they are now. */
  readonly now: PageModel;
  /** A model of its own state, for a schedule. */
  readonly createModel: () => PageModel;
}

/** @param age of each copy at the start; Infinity for a page never fetched */
export function pagesByEvidence(
  { weight, interval, objective: name = 'freshness' }: PageTerms,
  rates: RateEstimates,
  age: Float64Array,
): PlannedPages {
  const { signalHistory, rate } = rates;
  // under freshness too a belief of rates near 0 leaves no limit: a far age will do
  const unseenAge = name === 'freshness' ? unseenIntervals * interval : interval;
  const terms: PlainTerms = { weight, objective: stalenessCost(name), unseenAge };
  const plain = pagesWithoutSignals(rates, terms);
  const signalledPages = signalHistory === null ? null : pagesWithSignals(signalHistory, rate, age, terms);
  const has = new Uint8Array(weight.length).map((_, i) => (signalHistory?.has(i) === true ? 1 : 0));
  const createModel = (): PageModel => (signalledPages === null ? plain : eitherModel(has, signalledPages(), plain));
  return { now: createModel(), createModel };
}
