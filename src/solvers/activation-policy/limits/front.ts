/**
 * What can be had of one criterion for how much of another. These are the policies best for some prices of two or three
 * averages, with the prices at which one gives way to the next.
 *
 * Every weighting is a problem of its own with these weights as its costs, solved with proof by policy iteration. The
 * search in supported-front.ts works out which weightings matter. The mixtures of two vertices' policies lie between
 * them.
 */
import { type Warning, warning } from '../../answer.ts';
import { type Budget, unlessStopped } from '../../budget.ts';
import { listedFront } from '../../numerics/search/front-weights.ts';
import { type FrontPoint, supportedFront } from '../../numerics/search/supported-front.ts';
import type { ActivationFrontPoint } from '../answer.ts';
import type { ActivationModel, PolicyMeasures, SwitchingCurve } from '../model/activation-model.ts';
import type { ActivationCriterion } from '../problem.ts';
import { WeightedOptima } from './weighted-optima.ts';

/** The most vertices that are looked for. */
export const maxFrontPoints = 60;
/** A weighting solved to this gap counts as solved. */
const provedGap = 1e-8;

function criterionOf(averages: PolicyMeasures, name: ActivationCriterion): number {
  switch (name) {
    case 'loss':
      return averages.lossRate;
    case 'starvation':
      return averages.starvationProbability;
    case 'crawlers':
      return averages.meanActive;
    case 'queueLength':
      return averages.meanQueueLength;
  }
}

/** @param criteria two or three, each once */
export function activationFront(
  model: ActivationModel,
  criteria: readonly ActivationCriterion[],
  budget: Budget,
): { readonly points: ActivationFrontPoint[]; readonly warnings: Warning[] } {
  const optima = new WeightedOptima(model, provedGap, budget);
  let allProved = true;
  const minimise = (weights: readonly number[]): FrontPoint<SwitchingCurve> | null => {
    if (budget.stopRequested()) return null;
    const weightOf = (name: ActivationCriterion): number => weights[criteria.indexOf(name)] ?? 0;
    return unlessStopped(null, () => {
      const { targets, averages, proved } = optima.at({
        loss: weightOf('loss'),
        starvation: weightOf('starvation'),
        crawlers: weightOf('crawlers'),
        queueLength: weightOf('queueLength'),
      });
      allProved &&= proved;
      return { criteria: criteria.map((name) => criterionOf(averages, name)), what: targets };
    });
  };
  const { points: found, complete } = supportedFront(minimise, criteria.length, maxFrontPoints);
  const detail =
    `some weightings were not solved to the end, or there are more than ${maxFrontPoints} policies: those of the front are ` +
    'true, and others belong between them';
  return {
    points: listedFront(criteria, found, (targets) => ({ targets })),
    warnings: complete && allProved ? [] : [warning('front-incomplete', detail, ['front'])],
  };
}
