/**
 * Targets by queue length in the chain of phased-chain.ts, for a controller that does not see the phases.
 *
 * Such a controller cannot tell apart the decisions with the same queue length q and number b of active crawlers. There
 * is no optimality equation then. What policy iteration leaves is the derivative of the cost in activating at (q, b).
 * It is minus the sum of flow·gain over those decisions: flow how often they are met, gain what activating saves.
 * Method: move the targets along it while the cost falls: all at once, or the half that promises most, and so on down
 * to one. Then move every target by one, where that is affordable. It ends in a local optimum; the bound is that of
 * seeing the phases.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import type { PhasedChain } from '../evaluate/chain/phased-chain.ts';
import type { ChainEvaluator, PhasedDecisions, PhasedEvaluation } from '../evaluate/chain/phased-evaluation.ts';
import { decisionsOfTargets, eachDecision } from '../evaluate/chain/plain-chain.ts';
import { gainOf } from '../iterate/general-policy-iteration.ts';

export interface EvaluatedTargets {
  readonly targets: Int32Array;
  readonly evaluation: PhasedEvaluation;
}

const negligible = 1e-12;

/** The targets nearest to a policy: at each queue length those that agree with it most often. */
export function nearestTargets(
  evaluator: ChainEvaluator,
  decisions: PhasedDecisions,
  { shares }: PhasedEvaluation,
): Int32Array {
  const { chain } = evaluator;
  const { capacity: K, crawlers: N } = chain.model;
  const flows = evaluator.flowsOf(shares);
  const agreement = new Float64Array((K + 1) * (N + 1));
  eachDecision(chain, (d, q, b) => {
    if (b < N) agreement[q * (N + 1) + b] += decisions[d] === 1 ? flows[d] : -flows[d];
  });
  return Int32Array.from({ length: K + 1 }, (_, q) => {
    let [best, most, sum] = [0, 0, 0];
    for (let b = 0; b < N; b++) {
      sum += agreement[q * (N + 1) + b];
      if (sum > most) [best, most] = [b + 1, sum];
    }
    return Math.max(q === 0 ? 1 : 0, best);
  });
}

/**
 * A local optimum from these targets; null when they have several recurrent classes, or the budget ended before that
 * was known.
 */
export function improveTargets(
  evaluator: ChainEvaluator,
  { start, mostEvaluations }: { readonly start: Int32Array; readonly mostEvaluations: number },
  budget: Budget,
): { readonly best: EvaluatedTargets; readonly evaluations: number } | null {
  const { chain } = evaluator;
  let evaluations = 0;
  const measured = (targets: Int32Array): EvaluatedTargets | null => {
    if (evaluations === mostEvaluations) return null;
    evaluations++;
    const evaluation = unlessStopped(null, () => evaluator.evaluate(decisionsOfTargets(chain, targets), budget));
    return evaluation === null ? null : { targets, evaluation };
  };
  const first = measured(start);
  if (first === null || first.evaluation.classes > 1) return null;
  let best = first;
  for (;;) {
    const next: EvaluatedTargets | null =
      firstCheaper(best, byDerivatives(evaluator, best), measured) ?? firstCheaper(best, byOne(chain, best), measured);
    if (next === null) return { best, evaluations };
    best = next;
    budget.report({ incumbent: best.evaluation.cost });
  }
}

function firstCheaper(
  { evaluation: { cost } }: EvaluatedTargets,
  candidates: Iterable<Int32Array>,
  measured: (targets: Int32Array) => EvaluatedTargets | null,
): EvaluatedTargets | null {
  for (const targets of candidates) {
    const found = measured(targets);
    if (found === null) return null;
    // Where a policy ends depends on where it begins if it has several recurrent classes: no answer to give.
    if (found.evaluation.classes > 1) continue;
    if (found.evaluation.cost < cost - negligible * Math.abs(cost)) return found;
  }
  return null;
}

/** The targets moved along the derivatives: all the way, half of it, …, by one; then fewer and fewer of them by one. */
function* byDerivatives(evaluator: ChainEvaluator, { targets, evaluation }: EvaluatedTargets): Generator<Int32Array> {
  const { crawlers: N } = evaluator.chain.model;
  const worth = worthOfActivating(evaluator, evaluation);
  const moves: { readonly q: number; readonly step: number; readonly promise: number }[] = [];
  for (const [q, target] of targets.entries()) {
    const at = (b: number): number => worth[q * (N + 1) + b];
    let level = target;
    let promise = 0;
    while (level < N && at(level) > 0) promise += at(level++);
    if (level === target) while (level > (q === 0 ? 1 : 0) && at(level - 1) < 0) promise -= at(--level);
    if (level !== target) moves.push({ q, step: level - target, promise });
  }
  moves.sort((a, b) => b.promise - a.promise);
  const moved = (count: number, most: number): Int32Array => {
    const candidate = targets.slice();
    for (const { q, step } of moves.slice(0, count)) candidate[q] += Math.sign(step) * Math.min(Math.abs(step), most);
    return candidate;
  };
  const longest = moves.reduce((most, { step }) => Math.max(most, Math.abs(step)), 0);
  for (let most = longest; most >= 1; most = Math.floor(most / 2)) yield moved(moves.length, most);
  for (let count = Math.floor(moves.length / 2); count >= 1; count = Math.floor(count / 2)) yield moved(count, 1);
}

/**
 * Σ flow·gain of the decisions at (q, b), at q·(N + 1) + b; where they are never met, the mean of their gains, next to
 * nothing.
 */
function worthOfActivating(evaluator: ChainEvaluator, { values, shares }: PhasedEvaluation): Float64Array {
  const { chain } = evaluator;
  const { capacity: K, crawlers: N } = chain.model;
  const flows = evaluator.flowsOf(shares);
  const worth = new Float64Array((K + 1) * (N + 1));
  const unmet = new Float64Array(worth.length);
  eachDecision(chain, (d, q, b) => {
    const gain = gainOf(chain, values, d);
    worth[q * (N + 1) + b] += flows[d] * gain;
    unmet[q * (N + 1) + b] += gain * 1e-30;
  });
  return worth.map((value, at) => (value === 0 ? unmet[at] : value));
}

/** Every target up and down by one. */
function* byOne({ model }: PhasedChain, { targets }: EvaluatedTargets): Generator<Int32Array> {
  for (const [q, target] of targets.entries()) {
    for (const moved of [target + 1, target - 1]) {
      if (moved <= model.crawlers && moved >= (q === 0 ? 1 : 0)) yield targets.with(q, moved);
    }
  }
}
