/**
 * Policy iteration over all deterministic policies, for the case that the optimum is no switching curve.
 *
 * Model: activation-model.ts; a policy is a table D(q, b) (decision-chain.ts). Method (Howard 1960; for several classes
 *   Puterman 1994, §9.5): evaluate by banded state reduction, switch every decision whose other action is better. An
 *   iterate with several recurrent classes keeps its cheapest one and routes every other state to it, which is possible
 *   because the decision process is communicating (Liu & Nain, Lemma 2).
 * Stopping rule: that of table-iteration.ts; the bound is the span's.
 * Complexity: O(N·K·min(N, K)²) an iteration. Known limits: memory, see decision-evaluation.ts.
 */
import type { Budget } from '../../budget.ts';
import {
  type DecisionTable,
  numberStates,
  type StateNumbering,
  type Successors,
  successorsOf,
  transitionsOf,
} from '../evaluate/chain/decision-chain.ts';
import { evaluateDecisions, measureClass } from '../evaluate/chain/decision-evaluation.ts';
import { recurrentClasses } from '../evaluate/chain/recurrent-classes.ts';
import type { ActivationModel } from '../model/activation-model.ts';
import { requireEvaluationTime } from '../model/finishing-reserve.ts';
import { optimalitySpan } from './optimality-span.ts';
import { type Iterated, iterateTables } from './table-iteration.ts';

const patience = { evaluations: 20, sameCost: 1e-12 };

/** Optimises from `start`, whose D(0, 0) must be 1; evaluations are those of the only recurrent class. */
export function iterateDecisions(
  model: ActivationModel,
  start: DecisionTable,
  budget: Budget,
): Iterated<ReturnType<typeof evaluateDecisions>> {
  const numbering = numberStates(model);
  return iterateTables(
    {
      evaluate(decisions) {
        const { successors, classOf } = withOneClass(model, numbering, decisions, budget);
        return evaluateDecisions(model, numbering, successors, classOf, budget);
      },
      improve: ({ values }, decisions) => improveDecisions(model, values, decisions),
      bound: ({ values, cost }) => optimalitySpan(model, values, cost).lower,
    },
    start,
    patience,
    budget,
  );
}

/** Takes the better action everywhere; answers whether anything changed. */
function improveDecisions(model: ActivationModel, values: Float64Array, decisions: DecisionTable): boolean {
  const n = model.capacity + 1;
  let changed = false;
  for (let at = 1; at < decisions.length; at++) {
    const gain = values[at] - values[at + n];
    const better = gain > 0 ? 1 : gain < 0 ? 0 : decisions[at];
    if (better === decisions[at]) continue;
    decisions[at] = better;
    changed = true;
  }
  return changed;
}

/** The chain of `decisions`, changed in place where needed so that it has one recurrent class, its cheapest. */
function withOneClass(
  model: ActivationModel,
  numbering: StateNumbering,
  decisions: DecisionTable,
  budget: Budget,
): { successors: Successors; classOf: Int32Array } {
  const successors = successorsOf(model, numbering, decisions);
  const { count, classOf } = recurrentClasses(transitionsOf(successors));
  if (count === 1) return { successors, classOf };
  let cheapest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    const { cost } = measureClass(model, numbering, successors, classOf, index, budget);
    if (cost >= least) continue;
    cheapest = index;
    least = cost;
  }
  routeTo(model, numbering, decisions, (x) => classOf[x] === cheapest, budget);
  const routed = successorsOf(model, numbering, decisions);
  return { successors: routed, classOf: classOf.map((c) => (c === cheapest ? 0 : -1)) };
}

/** Gives every state outside a closed set a way into it, changing only decisions whose outcome is still outside. */
function routeTo(
  model: ActivationModel,
  { states, queueStride, crawlerStride }: StateNumbering,
  decisions: DecisionTable,
  member: (x: number) => boolean,
  budget: Budget,
): void {
  const { capacity: K, crawlers: N } = model;
  const n = K + 1;
  const inside = new Uint8Array(states);
  for (let x = 0; x < states; x++) inside[x] = member(x) ? 1 : 0;
  const number = (q: number, r: number): number => q * queueStride + r * crawlerStride;
  /** Whether the event that leaves queue length q and b active crawlers can be made to lead inside. */
  const leads = (q: number, b: number): boolean => {
    if (b >= N) return inside[number(q, b)] === 1;
    const at = b * n + q;
    if (inside[number(q, b + decisions[at])] === 1) return true;
    if (at === 0 || inside[number(q, b + 1 - decisions[at])] === 0) return false;
    decisions[at] = 1 - decisions[at];
    return true;
  };
  for (let grown = true; grown; ) {
    grown = false;
    requireEvaluationTime(budget);
    for (let r = 0; r <= N; r++) {
      for (let q = r === 0 ? 1 : 0; q <= K; q++) {
        const x = number(q, r);
        if (inside[x] === 1) continue;
        if ((r > 0 && leads(Math.min(q + 1, K), r - 1)) || (q > 0 && leads(q - 1, r))) {
          inside[x] = 1;
          grown = true;
        }
      }
    }
  }
}
