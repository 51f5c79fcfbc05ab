/**
 * What a policy given by its targets R[0..K] does in the long run, class by class.
 *
 * A non-increasing R has one recurrent class and is evaluated by rows (curve-evaluation.ts). Any other may have several
 * (Liu & Nain 2006, the example before Lemma 2). They are found as communicating classes and evaluated one by one.
 */
import type { Budget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import {
  type ActivationModel,
  type ClassMeasures,
  isNonIncreasing,
  largestRecurrentRow,
} from '../model/activation-model.ts';
import { requireEvaluationTime } from '../model/finishing-reserve.ts';
import { ChainEvaluator } from './chain/phased-evaluation.ts';
import { chainFits, decisionsOfTargets, plainChain } from './chain/plain-chain.ts';
import { CurveEvaluator } from './curve/curve-evaluation.ts';

/**
 * The recurrent classes of targets, exactly, the most expensive first: what they guarantee from any start.
 *
 * @param targets K + 1 integers in 0..N, the first at least 1
 * @throws ConditionNotMet when they rise with the queue length and the chain is too large for general elimination
 * @throws NothingToReturn when the budget ends
 */
export function evaluateTargets(
  model: ActivationModel,
  targets: Int32Array,
  budget: Budget,
): readonly [ClassMeasures, ...ClassMeasures[]] {
  if (isNonIncreasing(targets)) {
    const measures = new CurveEvaluator(model).averagesOf(targets, budget);
    return [{ ...measures, minActive: targets[model.capacity], maxActive: largestRecurrentRow(targets) }];
  }
  // Crawlers beyond the largest target are never active for long: they only add transient states.
  const used = { ...model, crawlers: targets.reduce((a, b) => Math.max(a, b)) };
  if (!chainFits(used)) {
    const rise = targets.findIndex((target, q) => q > 0 && target > targets[q - 1]);
    throw new ConditionNotMet(
      ['evaluate', 'targets', rise],
      'too-large-to-evaluate',
      `${targets[rise]} is more than the target before it, ${targets[rise - 1]}: targets that rise with the queue length ` +
        `are evaluated by general elimination, which does not fit at capacity ${model.capacity} with ${used.crawlers} ` +
        'crawlers. Make the targets non-increasing, or reduce one of the two',
    );
  }
  requireEvaluationTime(budget);
  const chain = plainChain(used);
  return new ChainEvaluator(chain).classesOf(decisionsOfTargets(chain, targets), budget);
}
