/**
 * What can be had of one criterion for how much of another: the threshold policies that are best for some weights of two or
 * three criteria, with the weights at which one gives way to the next.
 *
 * Every weighting is a problem of its own with these weights as its costs, solved with proof by the same search; which
 * weightings matter is worked out by supported-front.ts. Criteria are what the cost weights multiply: pages lost and
 * expired per time unit, mean response time, mean active crawlers, share of time empty.
 */
import { relativeGap, type Warning, warning } from '../answer.ts';
import { type Budget, unlessStopped } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { upToNoGain, weightsOfSecond } from '../numerics/search/front-weights.ts';
import { type FrontPoint, supportedFront } from '../numerics/search/supported-front.ts';
import { type FrontCriterion, policySolution, type ThresholdFrontPoint } from './answer.ts';
import { type CostWeights, measuresOf, type Totals } from './model/measures.ts';
import type { ModeByLevel, Queue } from './model/queue.ts';
import type { ThresholdPolicyProblem } from './problem.ts';
import { search } from './search/search.ts';
import type { SearchSetting } from './search/setting.ts';

/** The most vertices that are looked for. */
const maxPoints = 60;
/** A weighting solved to this gap counts as solved. */
const provedGap = 1e-6;

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

/** @throws ConditionNotMet when a front is asked for beside what is not searched for among thresholds */
export function checkFront({ front, policy, observe }: ThresholdPolicyProblem): void {
  if (front === undefined || (policy === undefined && (observe === undefined || observe === 'queue-length'))) return;
  const what =
    policy === undefined ? `observe ${observe}: it is between policies by queue length` : 'a policy to evaluate';
  throw new ConditionNotMet(['front'], 'not-applicable', `does not go with ${what}; leave one of them out`);
}

/** @param criteria two or three, each once */
export function thresholdFront(
  setting: Omit<SearchSetting, 'costs'>,
  criteria: readonly FrontCriterion[],
  budget: Budget,
): { readonly front: ThresholdFrontPoint[]; readonly warnings: Warning[] } {
  let proved = true;
  const minimise = (weights: readonly number[]): FrontPoint<ModeByLevel> | null => {
    if (budget.stopRequested()) return null;
    const costs = costsOf(criteria, weights);
    const found = unlessStopped(null, () => search({ ...setting, costs }));
    if (found === null || found.byLevel === null) return null;
    const totals = setting.evaluator.evaluate(found.byLevel);
    const values = criteria.map((name) => criterionOf(totals, name));
    const cost = values.reduce((sum, value, c) => sum + weights[c] * value, 0);
    if (found.bound === null || relativeGap(cost, Math.min(cost, found.bound)) > provedGap) proved = false;
    return { criteria: values, what: found.byLevel };
  };
  const { points: found, complete } = supportedFront(minimise, criteria.length, maxPoints);
  const points = criteria.length === 2 ? upToNoGain(found) : found;
  const detail =
    'some weightings were not solved to the end, or there are more policies than are listed: the policies of the front ' +
    'are true, and others may belong between them; raise options.timeLimitMs';
  return {
    front: points.map((point, i) => ({
      ...described(setting.queue, criteria, point, setting),
      ...(criteria.length === 2 ? { weightOfSecond: weightsOfSecond(points, i) } : {}),
    })),
    warnings: complete && proved ? [] : [warning('front-incomplete', detail, ['front'])],
  };
}

function described(
  queue: Queue,
  criteria: readonly FrontCriterion[],
  { criteria: values, what }: FrontPoint<ModeByLevel>,
  { evaluator }: Pick<SearchSetting, 'evaluator'>,
): ThresholdFrontPoint {
  const { crawlersByQueueLength, modes, thresholds } = policySolution(
    queue,
    what,
    measuresOf(evaluator.evaluate(what)),
  );
  return {
    criteria: Object.fromEntries(criteria.map((name, c) => [name, values[c]])),
    policy: { crawlersByQueueLength, modes, thresholds },
  };
}
