/**
 * Two policies mixed in one: the same everywhere but for one decision, which is left to chance.
 *
 * The path leads from one curve to the other by single steps of one target, each non-increasing. Where all of them are
 * as good at the multipliers, so is every mixture of neighbours. Let two neighbours differ in the decision at (q, b),
 * and a policy activate there with probability p. Its shares of time are those of the renewal cycles between two such
 * decisions. With ν_0, ν_1 their rates under never and always activating, the second has the share
 * α = (p/ν_1)/((1 − p)/ν_0 + p/ν_1), hence p = αν_1/(αν_1 + (1 − α)ν_0). Source: Beutler, Ross (1985), optimal policies
 * for controlled Markov chains with a constraint.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { ChainEvaluator } from '../evaluate/chain/phased-evaluation.ts';
import { chainFits, decisionsOfTargets, plainChain } from '../evaluate/chain/plain-chain.ts';
import { evaluateTargets } from '../evaluate/policy-evaluation.ts';
import type { ActivationModel, ClassMeasures } from '../model/activation-model.ts';

export interface MixedDecision {
  /** The curve that does not activate at the decision. */
  readonly targets: Int32Array;
  /** An event that leaves so many pages, with so many crawlers active before it is decided … */
  readonly queueLength: number;
  readonly activeCrawlers: number;
  /** … activates one more with this probability. */
  readonly probability: number;
}

/** The largest band that is eliminated for the two rates. */
const mostWork = 2e9;

/**
 * @param excess of the limit that binds, in averages it is linear in
 * @returns null where no step crosses the limit, the decision is never met, or the chain is too large
 */
export function mixedDecision(
  model: ActivationModel,
  { from, to }: { readonly from: Int32Array; readonly to: Int32Array },
  excess: (averages: ClassMeasures) => number,
  budget: Budget,
): MixedDecision | null {
  if (!chainFits(model)) return null;
  const chain = plainChain(model);
  const evaluator = new ChainEvaluator(chain);
  if (chain.states * chain.bandwidth ** 2 > mostWork) return null;
  const measured = (targets: Int32Array): ClassMeasures => evaluateTargets(model, targets, budget)[0];
  let before = { targets: from, averages: measured(from) };
  for (const targets of stepsBetween(from, to)) {
    const after = { targets, averages: measured(targets) };
    const [a, b] = [excess(before.averages), excess(after.averages)];
    if (a > 0 !== b > 0 || a === 0 || b === 0) {
      const q = targets.findIndex((target, at) => target !== before.targets[at]);
      const [never, always] = targets[q] > before.targets[q] ? [before, after] : [after, before];
      const share = excess(never.averages) / (excess(never.averages) - excess(always.averages));
      return atDecision(evaluator, q, { never: never.targets, always: always.targets, share }, budget);
    }
    before = after;
  }
  return null;
}

function atDecision(
  evaluator: ChainEvaluator,
  q: number,
  { never, always, share }: { readonly never: Int32Array; readonly always: Int32Array; readonly share: number },
  budget: Budget,
): MixedDecision | null {
  const active = never[q];
  const rates = [never, always].map((targets) => decisionRate(evaluator, targets, q, active, budget));
  const [rare, often] = rates;
  if (rare === null || often === null || !(rare > 0 && often > 0)) return null;
  const probability = (share * often) / (share * often + (1 - share) * rare);
  return { targets: never, queueLength: q, activeCrawlers: active, probability };
}

/** How often per time unit an event leaves q pages with b crawlers active before it is decided. */
function decisionRate(
  evaluator: ChainEvaluator,
  targets: Int32Array,
  q: number,
  b: number,
  budget: Budget,
): number | null {
  const { chain } = evaluator;
  const found = unlessStopped(null, () => evaluator.evaluate(decisionsOfTargets(chain, targets), budget));
  return found === null ? null : evaluator.flowsOf(found.shares)[chain.decisionOf(q, b, 0, 0)];
}

/**
 * Curves from one to the other, a target changed by one each time: first up, from the left, then down, from the right.
 */
function* stepsBetween(from: Int32Array, to: Int32Array): Generator<Int32Array> {
  const curve = from.slice();
  for (let moved = true; moved; ) {
    moved = false;
    for (let q = 0; q < curve.length; q++) {
      if (curve[q] >= to[q] || (q > 0 && curve[q - 1] <= curve[q])) continue;
      curve[q]++;
      moved = true;
      yield curve.slice();
    }
  }
  for (let moved = true; moved; ) {
    moved = false;
    for (let q = curve.length - 1; q >= 0; q--) {
      if (curve[q] <= to[q] || (q + 1 < curve.length && curve[q + 1] >= curve[q])) continue;
      curve[q]--;
      moved = true;
      yield curve.slice();
    }
  }
}
