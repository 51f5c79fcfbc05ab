/** What no schedule of a plan's interval can beat, and what its fetch intervals cost for ever. */
import type { Objective } from '../../answer.ts';
import { type Budget, type Part, unlessStopped } from '../../budget.ts';
import { cutShort, noBound } from '../../crawl-schedule/index.ts';
import { type PricedFacts, type PricedPlan, pricedOf } from '../market/priced-plan.ts';
import { boundBySlots } from './bound-by-slots.ts';
import { copyBounds } from './copy-bounds.ts';
import { costedBounds } from './costed-bounds.ts';
import { intervalBound } from './interval-bound.ts';
import { longRunCost } from './long-run.ts';

/** Pages times slots up to which hosts' delays count in the bound of plans for ever. */
const mostByHosts = 1e7;
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

/** A plan, and its schedule by slot. */
interface Bounded {
  readonly facts: PricedFacts;
  readonly page: Int32Array;
}

/** Begins with the best bounds there are, where another hand is free; what comes back waits for them, or finds them. */
export function boundsOf(priced: PricedPlan, page: Int32Array, budget: Budget): () => PlanBounds {
  const { pages, fetchCost, ...facts } = priced;
  const { hands } = budget;
  if (hands === undefined || pages.now.pages < sharedFromPages || facts.rates.signalled !== null)
    return () => boundsPart.run({ facts, page }, budget);
  // what is read of the log is in the rates
  const history = { offsets: new Uint32Array(0), elapsed: new Float64Array(0), outcome: new Uint8Array(0) };
  const problem = { ...facts.problem, history, pageName: null };
  const { rate, known, beliefs, signalled } = facts.rates;
  const plain = { ...facts, problem, rates: { rate, known, beliefs, signalled } };
  return hands.start(boundsPart, { facts: plain, page }, budget);
}

export const boundsPart: Part<Bounded, PlanBounds> = {
  name: 'plan-bounds',
  run({ facts, page }, budget) {
    const priced = pricedOf(facts);
    const { weight, costs, planFor } = priced.problem;
    const { uncosted, costed } = priced.pages;
    const plain = copyBounds(weight, uncosted.copies);
    const bounds = costs === undefined || costed === null ? plain : costedBounds(plain, costs, costed);
    // at the prices of the plan, whose intervals are known still
    const longRun = longRunCost(priced, bounds);
    const free = intervalBound(priced, bounds, budget);
    // where fetches are paid for, slots are not what is short
    const exactly = planFor === 'interval';
    const withDelays = exactly || page.length * weight.length <= mostByHosts;
    const question = { priced, bounds, page, withDelays };
    const bySlots =
      exactly || costs === undefined ? unlessStopped(cutShort, () => boundBySlots(question, budget)) : noBound;
    const bound = free === null ? null : Math.max(free, bySlots.value);
    return { bound, cut: bySlots.cut || budget.stopRequested(), longRun };
  },
};
