/**
 * What can be had of one criterion for how much of another. These are the policies best for some weights of two or
 * three criteria, with the weights at which one gives way to the next.
 *
 * Every weighting is a problem of its own with these weights as its costs, solved with proof by the search that solves
 * the request. The search in supported-front.ts works out which weightings matter. Criteria are what the cost weights
 * multiply: pages lost and expired per time unit, mean response time, mean active crawlers, share of time empty.
 */
import { relativeGap, type Warning, warning } from '../../answer.ts';
import { type Budget, unlessStopped } from '../../budget.ts';
import { listedFront } from '../../numerics/search/front-weights.ts';
import { type FrontPoint, supportedFront } from '../../numerics/search/supported-front.ts';
import { type CostWeights, measuresOf, type Totals } from '../../queue/measures.ts';
import type { FrontCriterion } from '../problem.ts';
import { provedGap, type ThresholdFrontPoint } from './answer.ts';

/** The most vertices that are looked for. */
const maxPoints = 60;

function costsOf(criteria: readonly FrontCriterion[], weights: readonly number[]): CostWeights {
  const of = (name: FrontCriterion): number => weights[criteria.indexOf(name)] ?? 0;
  const [loss, obsolescence, response] = [of('loss'), of('obsolescence'), of('response')];
  return { loss, obsolescence, response, crawler: of('crawlers'), starvation: of('starvation') };
}

function criterionOf(totals: Totals, name: FrontCriterion): number {
  switch (name) {
    case 'loss':
      return totals.lossRate;
    case 'obsolescence':
      return totals.obsolescenceRate;
    case 'response':
      return measuresOf(totals).responseTime;
    case 'crawlers':
      return totals.activeCrawlers;
    case 'starvation':
      return totals.starvationProbability;
  }
}

/** The best policy for some weights, as far as it is proved. */
interface Weighed<Policy> {
  readonly what: Policy;
  readonly totals: Totals;
  readonly bound: number | null;
}

/** How one kind of policy is searched for, and shown. */
interface FrontSearch<Policy> {
  /** The best policy for these costs; null where none was found in time. */
  readonly best: (costs: CostWeights) => Weighed<Policy> | null;
  readonly shown: (policy: Policy) => ThresholdFrontPoint['policy'];
  readonly budget: Budget;
}

export interface Front {
  readonly front: ThresholdFrontPoint[];
  readonly warnings: Warning[];
}

function unfinished(complete: boolean, widest: number): Warning {
  const why = complete
    ? `a weighting is proved to ${Number.isNaN(widest) ? 'no gap' : `a relative gap of ${widest.toPrecision(2)}`} only`
    : `there are more policies than the ${maxPoints} that are listed at most, or time ended before the last of them`;
  const detail = `${why}: the policies of the front are true, and others may belong between them; raise options.timeLimitMs`;
  return warning('front-incomplete', detail, ['front']);
}

/** @param criteria two or three, each once */
export function frontBetween<Policy>(
  criteria: readonly FrontCriterion[],
  { best, shown, budget }: FrontSearch<Policy>,
): Front {
  // The widest gap to which a weighting is proved; no number where one is not.
  let widest = 0;
  const minimise = (weights: readonly number[]): FrontPoint<Policy> | null => {
    if (budget.stopRequested()) return null;
    const found = unlessStopped(null, () => best(costsOf(criteria, weights)));
    if (found === null) return null;
    const values = criteria.map((name) => criterionOf(found.totals, name));
    const cost = values.reduce((sum, value, c) => sum + weights[c] * value, 0);
    widest = Math.max(widest, found.bound === null ? Number.NaN : relativeGap(cost, Math.min(cost, found.bound)));
    return { criteria: values, what: found.what };
  };
  const { points: found, complete } = supportedFront(minimise, criteria.length, maxPoints);
  return {
    front: listedFront(criteria, found, shown),
    warnings: complete && widest <= provedGap ? [] : [unfinished(complete, widest)],
  };
}
