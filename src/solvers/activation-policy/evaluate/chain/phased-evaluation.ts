/**
 * Exact evaluation of a policy in the chain of phased-chain.ts, by banded state reduction: its stationary distribution,
 * cost and relative values. Of several recurrent classes the cheapest is kept and the other states are routed to it.
 * This is possible because the decision process is communicating (Liu & Nain 2006, Lemma 2; Puterman 1994, §9.5).
 * O(states·bandwidth²) flops.
 */
import type { Budget } from '../../../budget.ts';
import type { ClassMeasures } from '../../model/activation-model.ts';
import { requireEvaluationTime } from '../../model/finishing-reserve.ts';
import { type BandedChain, bandValues, bandWeights, reduceBand } from './banded-reduction.ts';
import { free, type PhasedChain } from './phased-chain.ts';
import { recurrentClasses } from './recurrent-classes.ts';

/** A policy: 1 at decision d to activate, by the numbers of `chain.decisions`. */
export type PhasedDecisions = Uint8Array;

export interface PhasedEvaluation {
  readonly cost: number;
  /** Relative values by state. */
  readonly values: Float64Array;
  /** Stationary distribution by state. */
  readonly shares: Float64Array;
  /** Averages of the recurrent class. */
  readonly averages: ClassMeasures;
  /** How many recurrent classes there were before the others were routed to the cheapest. */
  readonly classes: number;
}

export class ChainEvaluator {
  readonly chain: PhasedChain;

  constructor(chain: PhasedChain) {
    this.chain = chain;
  }

  /** Evaluates a policy; changes its decisions in transient states where that is needed for one recurrent class. */
  evaluate(decisions: PhasedDecisions, budget: Budget): PhasedEvaluation {
    const { present, costs } = this.chain;
    const classes = this.#recurrentMembers(decisions);
    const member = classes.length === 1 ? classes[0] : this.#oneClass(decisions, classes, budget);
    const { reduced, weights } = this.#reduceTowardsLikely(decisions, { present, member }, budget);
    const shares = sharesOf(weights);
    const averages = this.#averagesOf(shares);
    const excess = costs.map((cost, s) => (present[s] === 1 ? cost - averages.cost : 0));
    return { cost: averages.cost, values: bandValues(reduced, excess), shares, averages, classes: classes.length };
  }

  /** The averages of each recurrent class of a policy, the most expensive first. */
  classesOf(decisions: PhasedDecisions, budget: Budget): readonly [ClassMeasures, ...ClassMeasures[]] {
    const [mostExpensive, ...others] = this.#recurrentMembers(decisions)
      .map((member) => this.#classAverages(decisions, member, budget))
      .sort((a, b) => b.cost - a.cost);
    return [mostExpensive, ...others];
  }

  /** How often each decision is met, per unit time. */
  flowsOf(shares: Float64Array): Float64Array {
    const { begins, rates, targets, decisions, states } = this.chain;
    const flows = new Float64Array(decisions.count);
    for (let s = 0; s < states; s++) {
      if (shares[s] === 0) continue;
      for (let at = begins[s]; at < begins[s + 1]; at++) {
        if (targets[at] < 0) flows[-1 - targets[at]] += shares[s] * rates[at];
      }
    }
    return flows;
  }

  #eachSuccessor(decisions: PhasedDecisions, s: number, visit: (to: number, rate: number) => void): void {
    const { begins, rates, targets, decisions: points, active } = this.chain;
    const W = active.phases;
    for (let at = begins[s]; at < begins[s + 1]; at++) {
      const target = targets[at];
      if (target >= 0) visit(target, rates[at]);
      else {
        const d = -1 - target;
        if (decisions[d] === 0) visit(points.off[d], rates[at]);
        else
          for (let i = d * W; i < (d + 1) * W; i++)
            if (points.shares[i] > 0) visit(points.on[i], rates[at] * points.shares[i]);
      }
    }
  }

  /**
   * Reduces towards a recurrent state near the balance of arrivals and service, or towards the likeliest if that was
   * rare.
   */
  #reduceTowardsLikely(
    decisions: PhasedDecisions,
    { present, member }: { readonly present: Uint8Array; readonly member: Uint8Array },
    budget: Budget,
  ) {
    const { states, bandwidth } = this.chain;
    const banded: BandedChain = {
      states,
      bandwidth,
      eachRate: (add) => {
        for (let s = 0; s < states; s++) this.#eachSuccessor(decisions, s, (to, rate) => add(s, to, rate));
      },
    };
    const guess = this.#likelyState(member);
    const reduced = reduceBand(banded, present, guess, budget);
    const weights = bandWeights(reduced);
    let likeliest = guess;
    for (let s = 0; s < weights.length; s++) if (weights[s] > weights[likeliest]) likeliest = s;
    if (weights[likeliest] <= 100 * weights[guess]) return { reduced, weights };
    const again = reduceBand(banded, present, likeliest, budget);
    return { reduced: again, weights: bandWeights(again) };
  }

  #likelyState(member: Uint8Array): number {
    const { model, active, stateOf } = this.chain;
    const { capacity: K, service, serviceRate, process } = model;
    const balanced = serviceRate / process.pageRate;
    let best = -1;
    let distance = Number.POSITIVE_INFINITY;
    for (let q = 0; q <= K; q++) {
      for (let x = 0; x < active.totals.length; x++) {
        const away = Math.abs(active.totals[x] - balanced) + Math.abs(q - K / 2) / (K + 1);
        if (away >= distance) continue;
        for (let m = 0; m < service.phases; m++) {
          if (member[stateOf(q, x, m)] === 0) continue;
          best = stateOf(q, x, m);
          distance = away;
          break;
        }
      }
    }
    return best;
  }

  #averagesOf(shares: Float64Array): ClassMeasures {
    const { model, active, costs, losses, stateOf } = this.chain;
    const { capacity: K, service } = model;
    const sum = { cost: 0, empty: 0, lost: 0, active: 0, queued: 0 };
    let [fewest, most] = [Number.POSITIVE_INFINITY, 0];
    for (let q = 0; q <= K; q++) {
      for (let x = 0; x < active.totals.length; x++) {
        for (let m = 0; m < service.phases; m++) {
          const s = stateOf(q, x, m);
          const share = shares[s];
          if (share === 0) continue;
          sum.cost += share * costs[s];
          if (q === 0) sum.empty += share;
          sum.lost += share * losses[s];
          sum.active += share * active.totals[x];
          sum.queued += share * q;
          fewest = Math.min(fewest, active.totals[x]);
          most = Math.max(most, active.totals[x]);
        }
      }
    }
    return {
      cost: sum.cost,
      starvationProbability: sum.empty,
      lossRate: sum.lost,
      meanActive: sum.active,
      meanQueueLength: sum.queued,
      minActive: fewest,
      maxActive: most,
    };
  }

  /** The states of each recurrent class of a policy. */
  #recurrentMembers(decisions: PhasedDecisions): Uint8Array[] {
    const { states, present } = this.chain;
    const begins = new Int32Array(states + 1);
    const targets: number[] = [];
    for (let s = 0; s < states; s++) {
      if (present[s] === 1) this.#eachSuccessor(decisions, s, (to) => targets.push(to));
      begins[s + 1] = targets.length;
    }
    const { count, classOf } = recurrentClasses({ begins, targets: Int32Array.from(targets) });
    return Array.from({ length: count }, (_, index) => Uint8Array.from(classOf, (c) => (c === index ? 1 : 0)));
  }

  #classAverages(decisions: PhasedDecisions, member: Uint8Array, budget: Budget): ClassMeasures {
    return this.#averagesOf(
      sharesOf(this.#reduceTowardsLikely(decisions, { present: member, member }, budget).weights),
    );
  }

  /** The states of the cheapest of several recurrent classes, to which all others are routed. */
  #oneClass(decisions: PhasedDecisions, classes: readonly Uint8Array[], budget: Budget): Uint8Array {
    const costs = classes.map((member) => this.#classAverages(decisions, member, budget).cost);
    const cheapest = classes[costs.indexOf(Math.min(...costs))];
    this.#routeTo(decisions, cheapest, budget);
    return cheapest;
  }

  /** Gives every state outside a closed set a way into it, changing only decisions whose outcome is still outside. */
  #routeTo(decisions: PhasedDecisions, member: Uint8Array, budget: Budget): void {
    const { states, begins, targets, decisions: points, present, active } = this.chain;
    const W = active.phases;
    const inside = member.slice();
    const onLeads = (d: number): boolean => {
      for (let i = d * W; i < (d + 1) * W; i++) if (points.shares[i] > 0 && inside[points.on[i]] === 1) return true;
      return false;
    };
    const offLeads = (d: number): boolean => points.off[d] >= 0 && inside[points.off[d]] === 1;
    const leads = (target: number): boolean => {
      if (target >= 0) return inside[target] === 1;
      const d = -1 - target;
      const [now, else_] = decisions[d] === 1 ? [onLeads, offLeads] : [offLeads, onLeads];
      if (now(d)) return true;
      if (points.forced[d] !== free || !else_(d)) return false;
      decisions[d] = 1 - decisions[d];
      return true;
    };
    for (let grown = true; grown; ) {
      grown = false;
      requireEvaluationTime(budget);
      for (let s = 0; s < states; s++) {
        if (present[s] === 0 || inside[s] === 1) continue;
        for (let at = begins[s]; at < begins[s + 1]; at++) {
          if (!leads(targets[at])) continue;
          inside[s] = 1;
          grown = true;
          break;
        }
      }
    }
  }
}

function sharesOf(weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
