/** The model of all pages: plain ones, those with signals, and what their fetches cost. */
import { stalenessCost } from '../../pages/objectives/index.ts';
import type { KnownRates } from '../evidence/page-rates.ts';
import type { CrawlPlanProblem } from '../problem.ts';
import { type CostedPages, costedPages } from './costed-pages.ts';
import { eitherModel, type PageModel } from './page-model.ts';
import { type PlainTerms, plainPages } from './plain-pages.ts';
import { signalledPages } from './signalled-pages.ts';

/** Intervals by which a copy is as good as none. */
const farOff = 1000;

/** What a fetch of a page is worth depends on these. */
type PageTerms = Pick<CrawlPlanProblem, 'costs' | 'weight' | 'interval' | 'objective'>;

export interface PlannedPages {
  /** The pages as they are now. */
  readonly now: PageModel;
  /** Without what fetches cost. */
  readonly uncosted: PageModel;
  /** A model of its own state, for a schedule. */
  readonly working: () => PageModel;
  /** What costs depend on; null where fetches have none. */
  readonly costed: CostedPages | null;
}

/**
 * @param age of each copy at the start; Infinity for a page never fetched
 * @param near intervals near those that will be asked for first, where they are known
 */
export function pagesByEvidence(
  { costs, weight, interval, objective: name = 'freshness' }: PageTerms,
  rates: KnownRates,
  age: Float64Array,
  near?: Float64Array,
): PlannedPages {
  const { signalled, rate, known } = rates;
  // a believed rate may be nearly 0, and worth then has no limit: one far off will do
  const unseenAge = name === 'freshness' ? farOff * interval : interval;
  const terms: PlainTerms = { weight, objective: stalenessCost(name), unseenAge, near };
  const plain = plainPages(rates, terms);
  const told = signalled === null ? null : signalledPages(signalled, rate, age, terms);
  const has = new Uint8Array(weight.length).map((_, i) => (signalled?.has(i) === true ? 1 : 0));
  const uncosted = (): PageModel => (told === null ? plain : eitherModel(has, told(), plain));
  // beliefs have no one rate, and only freshness a closed form
  const closedForm = (i: number): boolean => name === 'freshness' && known[i] === 1;
  const costed = costs === undefined ? null : { rate, weight, age, closedForm, signalled: (i: number) => has[i] === 1 };
  const working = (): PageModel =>
    costs === undefined || costed === null ? uncosted() : costedPages(uncosted(), costs, costed);
  return { now: working(), uncosted: uncosted(), working, costed };
}
