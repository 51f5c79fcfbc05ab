/** What no schedule of a plan's interval can beat, and what its fetch intervals cost for ever. */
import type { Objective } from '../../answer.ts';
import { type Budget, keepingShare, type Part, unlessStopped } from '../../budget.ts';
import { type Bound, cutShort, noBound } from '../../crawl-schedule/index.ts';
import { type PricedFacts, type PricedPlan, pricedOf } from '../market/priced-plan.ts';
import { type RoundRobin, roundRobin } from '../place/round-robin.ts';
import { boundBySlots, showsPrices } from './bound-by-slots.ts';
import { copyBounds } from './copy-bounds.ts';
import { intervalBound } from './interval-bound.ts';
import { longRunCost } from './long-run.ts';
import type { PageBounds } from './page-bounds.ts';

/** Pages times slots up to which hosts' delays count in the bound of plans for ever. */
const mostByHosts = 1e7;
/** Share of the time left after the price that the pages' figures may take. */
export const describingShare = 0.25;
/** From so many pages on, which take some 20 ms, bounds are worth another's hand. */
const sharedFromPages = 8192;

interface PlanBounds {
  /** Σ weight·cost of the interval; null where none is known. */
  readonly bound: number | null;
  /** Whether the time ended before the bound was as close as it can be. */
  readonly cut: boolean;
  /** Σ weight·cost of the fetch intervals kept for ever, with its bound. */
  readonly longRun: Objective | null;
}

/** What is worked out beside the schedule. */
interface Beside {
  /** What all would cost if they took turns. */
  readonly turns: () => RoundRobin;
  /** Told the schedule by slot; what comes back waits for the bounds, or finds them. */
  readonly bounds: (page: Int32Array) => () => PlanBounds;
}

/** A plan, and its schedule by slot; null: not made yet, and nothing that bounds need. Then turns are taken too. */
interface Bounded {
  readonly facts: PricedFacts;
  readonly page: Int32Array | null;
}

/** Begins, where another hand is free, with what does not need the schedule; then with what does. */
export function besideSchedule(priced: PricedPlan, budget: Budget): Beside {
  const { pages, ...facts } = priced;
  const { hands } = budget;
  const turns = (): RoundRobin => roundRobin(priced, keepingShare(budget, describingShare));
  if (hands === undefined || pages.now.pages < sharedFromPages || facts.rates.signalled !== null)
    return { turns, bounds: (page) => () => boundsPart.run({ facts, page }, budget) };
  // what is read of the log is in the rates
  const history = { offsets: new Uint32Array(0), elapsed: new Float64Array(0), outcome: new Uint8Array(0) };
  const problem = { ...facts.problem, history, pageName: null };
  const { rate, known, beliefs, signalled } = facts.rates;
  const plain = { ...facts, problem, rates: { rate, known, beliefs, signalled } };
  const begun = (page: Int32Array | null) => hands.start(boundsPart, { facts: plain, page }, budget);
  if (showsPrices(priced)) return { turns, bounds: begun };
  const waited = begun(null);
  let made: (PlanBounds & { readonly turns: RoundRobin | null }) | null = null;
  const all = () => (made ??= waited());
  return { turns: () => all().turns ?? turns(), bounds: () => all };
}

export const boundsPart: Part<Bounded, PlanBounds & { readonly turns: RoundRobin | null }> = {
  name: 'plan-bounds',
  run({ facts, page }, budget) {
    const priced = pricedOf(facts);
    const { weight } = priced.problem;
    const turns = page === null ? roundRobin(priced, keepingShare(budget, describingShare)) : null;
    const bounds = copyBounds(weight, priced.pages.now.copies);
    // at the prices of the plan, whose intervals are known still
    const longRun = longRunCost(priced, bounds);
    const free = intervalBound(priced, bounds, budget);
    const bySlots = page === null ? noBound : boundOf(priced, bounds, page, budget);
    const bound = free === null ? null : Math.max(free, bySlots.value);
    return { bound, cut: bySlots.cut || budget.stopRequested(), longRun, turns };
  },
};

/** The bound that a schedule shows. */
function boundOf(priced: PricedPlan, bounds: PageBounds, page: Int32Array, budget: Budget): Bound {
  const { weight, planFor } = priced.problem;
  const exactly = planFor === 'interval';
  const withDelays = exactly || page.length * weight.length <= mostByHosts;
  const question = { priced, bounds, page, withDelays };
  return unlessStopped(cutShort, () => boundBySlots(question, budget));
}
