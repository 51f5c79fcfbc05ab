/** The model of all pages of a plan: pages with signals by one model, all others by another. */
import { type ObjectiveName, stalenessCost } from '../objectives/index.ts';
import { eitherModel, type PageModel, type RateEstimates } from './page-model.ts';
import { pagesWithSignals } from './signalled-pages.ts';
import { type PlainTerms, pagesWithoutSignals } from './unsignalled-pages.ts';

export type { PageModel, RateEstimates } from './page-model.ts';

/**
 * Age that stands for that of a page never fetched, under freshness, in intervals of the plan. The worth of a fetch
 * tends to a limit as the age grows, and is close to the limit at this age. Under the other objectives worth grows
 * without end and the cost of a page never fetched begins at now: the age of one interval stands for it.
 */
const unseenIntervals = 1000;

/** What the worth of a fetch depends on, beside the change rate and the age. */
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
  /** Creates a model with its own record of planned fetches, for one schedule. */
  readonly createModel: () => PageModel;
}

/** @param age of each copy at the start; Infinity for a page never fetched */
export function pagesByEvidence(
  { weight, interval, objective: name = 'freshness' }: PageTerms,
  rates: RateEstimates,
  age: Float64Array,
): PlannedPages {
  const { signalHistory, rate } = rates;
  // a belief may reach down to rates near 0, and worth then has no limit even under freshness: an age, not a limit
  const unseenAge = name === 'freshness' ? unseenIntervals * interval : interval;
  const terms: PlainTerms = { weight, objective: stalenessCost(name), unseenAge };
  const plain = pagesWithoutSignals(rates, terms);
  const signalledPages = signalHistory === null ? null : pagesWithSignals(signalHistory, rate, age, terms);
  const hasSignals = new Uint8Array(weight.length).map((_, i) => (signalHistory?.has(i) === true ? 1 : 0));
  const createModel = (): PageModel =>
    signalledPages === null ? plain : eitherModel(hasSignals, signalledPages(), plain);
  return { now: createModel(), createModel };
}
