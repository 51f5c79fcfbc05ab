/** The model of all pages: plain ones, those with signals, and what their fetches cost. */
import { stalenessCost } from '../../pages/objectives/index.ts';
import type { PageRates } from '../evidence/page-rates.ts';
import type { CrawlPlanProblem } from '../problem.ts';
import { type CostedPages, costedPages } from './costed-pages.ts';
import { eitherModel, type PageModel } from './page-model.ts';
import { type PlainTerms, plainPages } from './plain-pages.ts';
import { pagesWithSignals, signalledPages } from './signalled-pages.ts';

/** Intervals by which a copy is as good as none. */
const farOff = 1000;

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

export function pagesByEvidence(problem: CrawlPlanProblem, rates: PageRates, age: Float64Array): PlannedPages {
  const { signals, costs, weight, interval, objective: name = 'freshness' } = problem;
  // a believed rate may be nearly 0, and worth then has no limit: one far off will do
  const unseenAge = name === 'freshness' ? farOff * interval : interval;
  const terms: PlainTerms = { weight, objective: stalenessCost(name), unseenAge };
  const plain = plainPages(rates, terms);
  const told = signals === undefined ? null : signalledPages(problem, signals, rates, terms);
  const has = signals === undefined ? null : pagesWithSignals(signals);
  const uncosted = (): PageModel => (told === null || has === null ? plain : eitherModel(has, told(), plain));
  const signalled = (i: number): boolean => has?.[i] === 1;
  // beliefs have no one rate, and only freshness a closed form
  const closedForm = (i: number): boolean => name === 'freshness' && rates.known[i] === 1;
  const costed = costs === undefined ? null : { rate: rates.rate, weight, age, closedForm, signalled };
  const working = (): PageModel =>
    costs === undefined || costed === null ? uncosted() : costedPages(uncosted(), costs, costed);
  return { now: working(), uncosted: uncosted(), working, costed };
}
