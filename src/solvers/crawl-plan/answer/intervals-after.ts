/** The intervals that pages have after their next fetch, by its outcome. */
import type { Budget } from '../../budget.ts';
import { stalenessCost } from '../../pages/objectives/index.ts';
import { NextBelief } from '../demand/plain-pages.ts';
import type { PricedPlan } from '../price.ts';

/** Pages, and sixteens of their checks, between two looks at the budget. */
const stepsPerPoll = 256;

/** Two entries a page: if unchanged, if changed. */
interface Intervals {
  readonly after: Float64Array;
  /** Pages from the last on for which the fetch interval stands, as the budget had ended. */
  readonly notRevised: number;
}

/** @param gap by page: the age at the next fetch, NaN for none, Infinity where there is no copy */
export function afterGaps(priced: PricedPlan, gap: Float64Array, budget: Budget): Intervals {
  const { problem, rates, pages, steady } = priced;
  const { weight, objective = 'freshness' } = problem;
  const { beliefs, known, signalled } = rates;
  const { offsets } = problem.history;
  const kept: Pair = (i) => [steady.fetchInterval[i], steady.fetchInterval[i]];
  if (beliefs === null || signalled !== null) {
    const learnt: Pair = (i) => pages.now.intervalAfter(i, gap[i], steady.pagePrice[i]);
    // signals are read again with the checks
    return inTurn(gap, { learnt, kept, read: (i) => 1 + (offsets[i + 1] - offsets[i]) / 16 }, budget);
  }
  const next = new NextBelief(beliefs, stalenessCost(objective));
  const learnt: Pair = (i) => {
    const price = steady.pagePrice[i];
    const usual = pages.now.intervalAt(i, price);
    const target = known[i] === 1 ? Number.NaN : price / weight[i];
    if (!(target < Number.POSITIVE_INFINITY) || gap[i] === Number.POSITIVE_INFINITY) return [usual, usual];
    return next.intervals(i, gap[i], { target, now: usual });
  };
  return inTurn(gap, { learnt, kept, read: () => 1 }, budget);
}

type Pair = (page: number) => readonly [ifUnchanged: number, ifChanged: number];

/** One page after the other, until the budget ends. */
function inTurn(
  gap: Float64Array,
  { learnt, kept, read }: { readonly learnt: Pair; readonly kept: Pair; readonly read: (page: number) => number },
  budget: Budget,
): Intervals {
  const after = new Float64Array(2 * gap.length).fill(Number.POSITIVE_INFINITY);
  let notRevised = 0;
  let steps = stepsPerPoll;
  for (let i = 0; i < gap.length; i++) {
    steps += read(i);
    if (notRevised === 0 && steps >= stepsPerPoll) {
      steps = 0;
      if (budget.stopRequested()) notRevised = gap.length - i;
    }
    if (notRevised > 0) after.set(kept(i), 2 * i);
    else if (!Number.isNaN(gap[i])) after.set(learnt(i), 2 * i);
  }
  return { after, notRevised };
}
