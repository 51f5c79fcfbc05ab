/**
 * All pages' histories through the filter of a rate model: beliefs, the population learnt from them, and how likely it
 * all was.
 */
import type { AsideTask, Budget } from '../../budget.ts';
import { NothingToReturn } from '../../budget.ts';
import { type CheckHistory, pageCount, pagesFrom } from './check-history.ts';
import { DriftingRate, type DriftParts, type RateModel } from './drifting-rate.ts';

const priorPages = 20;
const largestSample = 4096;
/** Beyond this a product of likelihoods goes into its logarithm. */
const leastProduct = 1e-250;
/** Of a page's checks, the latest: what a model foretells of them judges it. */
export const heldOutShare = 0.2;
/** Checks filtered between two looks at the budget. */
const checksPerPoll = 16_384;
/** From so many checks on the half is worth handing over: filtering it takes some 50 ms. */
const sharedFromChecks = 500_000;

/** What the filter knows of every page. */
export interface RateBeliefs {
  readonly model: RateModel;
  /** Row-major, pages × grid: after the last check of each page. */
  readonly beliefs: Float64Array;
  /** ln P(all checks), under the population learnt from them. */
  readonly logLikelihood: number;
  /** ln P(the last fifth of every page's checks | those before). */
  readonly heldOut: number;
}

/**
 * Filters every page's history under the population (20π₀ + Σ beliefs)/(20 + n), from a first pass under π₀ over a
 * sample.
 * @throws NothingToReturn when the budget ends first
 */
export function filterHistories(history: CheckHistory, model: RateModel, budget: Budget, passes = 1): RateBeliefs {
  const pages = pageCount(history);
  const { size } = model;
  const first = model.population.map((mass) => priorPages * mass);
  // the sums are those of two halves wherever the later one may be filtered aside
  const middle = history.elapsed.length < sharedFromChecks ? pages : pages >> 1;
  const { aside } = budget;
  const shared = middle < pages && aside !== undefined && model instanceof DriftingRate;
  const poll = new FilterPoll(budget, passes * Math.min(pages, largestSample) + (shared ? middle : pages));
  for (let pass = 0; pass < passes; pass++) learnPopulation(history, model, first, poll);
  const later = shared
    ? aside.start(filterAside, { history: pagesFrom(history, middle), parts: model.parts }, budget)
    : null;
  const filtering = { history, model, beliefs: new Float64Array(pages * size), poll };
  const one = filterPages(filtering, 0, middle);
  const other = later === null ? filterPages(filtering, middle, pages) : taken(later(), filtering, middle);
  return {
    model,
    beliefs: filtering.beliefs,
    logLikelihood: one.logLikelihood + other.logLikelihood,
    heldOut: one.heldOut + other.heldOut,
  };
}

/** What was filtered aside, its beliefs beside the others. */
function taken(filtered: FilteredAside, { beliefs, model }: Filtering, from: number): Sums {
  beliefs.set(filtered.beliefs, from * model.size);
  return filtered;
}

interface Filtering {
  readonly history: CheckHistory;
  readonly model: RateModel;
  readonly beliefs: Float64Array;
  readonly poll: FilterPoll;
}

/** Of {@link RateBeliefs}, over some pages. */
type Sums = Pick<RateBeliefs, 'logLikelihood' | 'heldOut'>;

type FilteredAside = Sums & Pick<RateBeliefs, 'beliefs'>;

/** The pages from one position to another. */
function filterPages({ history, model, beliefs, poll }: Filtering, from: number, to: number): Sums {
  let logLikelihood = 0;
  let heldOut = 0;
  for (let i = from; i < to; i++) {
    poll.page(history.offsets[i + 1] - history.offsets[i]);
    const seen = filterPage(history, model, i, beliefs, i * model.size);
    logLikelihood += seen.logLikelihood;
    heldOut += seen.heldOut;
  }
  return { logLikelihood, heldOut };
}

/** All pages of a history by a model that has been learnt. */
export const filterAside: AsideTask<{ history: CheckHistory; parts: DriftParts }, FilteredAside> = {
  name: 'filter-histories',
  run({ history, parts }, budget) {
    const model = DriftingRate.of(parts);
    const pages = pageCount(history);
    const beliefs = new Float64Array(pages * model.size);
    const poll = new FilterPoll(budget, pages);
    return { beliefs, ...filterPages({ history, model, beliefs, poll }, 0, pages) };
  },
};

/** Takes in page i's checks; ln P(them), and of the last fifth. */
function filterPage(history: CheckHistory, model: RateModel, i: number, beliefs: Float64Array, at: number) {
  beliefs.set(model.population, at);
  const from = history.offsets[i];
  const to = history.offsets[i + 1];
  const held = to - Math.floor(heldOutShare * (to - from));
  const before = takeIn(history, [from, held], model, beliefs, at);
  const heldOut = takeIn(history, [held, to], model, beliefs, at);
  return { logLikelihood: before + heldOut, heldOut };
}

/** Takes in the checks from one position to another: the belief at `at` becomes the one after them. ln P(them). */
export function takeIn(
  { elapsed, outcome }: CheckHistory,
  [from, to]: readonly [number, number],
  model: RateModel,
  beliefs: Float64Array,
  at: number,
): number {
  const { run } = model;
  let sum = 0;
  let product = 1;
  run?.begin(beliefs, at);
  for (let k = from; k < to; k++) {
    if (run?.take(elapsed[k], outcome[k])) continue;
    if (run !== null) sum += run.end(beliefs, at);
    const mass = model.observe(beliefs, at, elapsed[k], outcome[k]);
    if (product * mass < leastProduct || product * mass > 1 / leastProduct) {
      sum += Math.log(product);
      product = mass;
    } else product *= mass;
    run?.begin(beliefs, at);
  }
  if (run !== null) sum += run.end(beliefs, at);
  return sum + Math.log(product);
}

/** Looks at the budget once in so many checks, and at the first page. */
class FilterPoll {
  readonly #budget: Budget;
  /** How many histories are read in all, those of the samples among them. */
  readonly #histories: number;
  #read = 0;
  #checks = checksPerPoll;

  constructor(budget: Budget, histories: number) {
    this.#budget = budget;
    this.#histories = histories;
  }

  /** Before a page with so many checks. */
  page(checks: number): void {
    this.#checks += checks + 1;
    const share = this.#read++ / this.#histories;
    if (this.#checks < checksPerPoll) return;
    this.#checks = 0;
    if (this.#budget.stopRequested()) throw new NothingToReturn(`${Math.floor(100 * share)}% of the checks were read`);
    this.#budget.report({ fraction: share });
  }
}

function learnPopulation(history: CheckHistory, model: RateModel, first: Float64Array, poll: FilterPoll): void {
  const { size } = model;
  const pages = pageCount(history);
  const stride = Math.max(1, pages / largestSample);
  const sum = first.slice();
  const belief = new Float64Array(size);
  let used = 0;
  for (let s = 0; Math.floor(s * stride) < pages; s++) {
    const i = Math.floor(s * stride);
    poll.page(history.offsets[i + 1] - history.offsets[i]);
    filterPage(history, model, i, belief, 0);
    for (let g = 0; g < size; g++) sum[g] += belief[g];
    used++;
  }
  model.learn(sum.map((mass) => mass / (priorPages + used)));
}
