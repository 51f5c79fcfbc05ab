/**
 * The least cost of a controller that sees the phases, where the cost holds the ratio V1: policies, and lower bounds.
 *
 * The cost is J = B + a·V1 with V1 = n1/D: B what is linear in the stationary distribution, a the price of V1, n1 the
 * mean number in system of pages that will be served, D the service ends per unit of time.
 *
 * Policies (Dinkelbach): let v and D₀ be V1 and D of the policy at hand. Policy iteration on the linear cost
 * B + (a/D₀)(n1 − v·D) gives a policy that costs less, or the same one: then it is a local optimum.
 *
 * Bound for the policies with D in [low, high], at any v:
 *
 *     J = B + a·v + a·(n1 − v·D)/D,   (n1 − v·D)/D ≥ (n1 − v·D)/high if V1 ≥ v,  ≥ (n1 − v·D)/low if V1 ≤ v,
 *
 * so J ≥ a·v + min over the prices a/high and a/low of min[B + price·(n1 − v·D)]. Each inner minimum is one policy
 * iteration with a bound of its own. As v serves the V1 of the best policy known, and in a half of an interval that of the
 * policy that attained the bound of the whole.
 *
 * Proof: branching on D. An interval is closed when its bound reaches the cost of the best policy, and halved when not.
 * Around that policy's own D it closes at positive width. A bound that does not close is attained by a policy that may
 * be better: linearisation goes on from there.
 */
import { type Budget, unlessStopped } from '../budget.ts';
import { type CostWeights, costOf } from '../queue/measures.ts';
import { meanOfPhaseType } from '../queue/phase-type.ts';
import type { AllowedModes, ModeByPhase, PhaseChain, TotalsWeights } from './phase-chain.ts';

/** A policy that sees the phases, with its cost, its V1 and its D. */
export interface PhasePolicy {
  readonly modes: ModeByPhase;
  readonly cost: number;
  readonly responseTime: number;
  readonly throughput: number;
}

/** The policies with D in [low, high]: a lower bound on their cost, and the policy that attains it. */
interface Interval {
  readonly low: number;
  readonly high: number;
  readonly bound: number;
  readonly policy: PhasePolicy;
}

/** The best policy known and intervals that hold all policies allowed. */
interface PhaseProof {
  best: PhasePolicy;
  readonly intervals: Interval[];
}

/** Relative gap at which a proof ends. */
export const provedTolerance = 1e-9;
/** Most intervals of the throughput D in one proof. */
const maxIntervals = 16;
/** Relative improvement below which linearisation has converged: two to four rounds are usual. */
const minImprovement = 1e-12;

export class RatioBounds {
  readonly #chain: PhaseChain;
  readonly #costs: CostWeights;
  readonly #budget: Budget;
  readonly #minResponse: number;

  constructor(chain: PhaseChain, costs: CostWeights, budget: Budget) {
    this.#chain = chain;
    this.#costs = costs;
    this.#budget = budget;
    this.#minResponse = meanOfPhaseType(chain.queue.service);
  }

  /**
   * The best policy within the modes allowed, with its proof.
   *
   * @param start a policy to begin with
   * @param cutoff the proof ends once the bound reaches the cutoff, or once a policy costs less than the cutoff;
   * without one it goes on until the best policy is proved optimal
   * @returns the bound, −∞ where the budget ended before there was one, and the number of intervals
   * @throws NothingToReturn when the budget ends before the start is measured
   */
  prove(allowedModes: AllowedModes, start: ModeByPhase, cutoff?: number) {
    const best = this.#measure(this.#chain.clampModes(allowedModes, start));
    const wholeRange = { low: 0, high: Number.POSITIVE_INFINITY, bound: Number.NEGATIVE_INFINITY, policy: best };
    const proof: PhaseProof = { best, intervals: [wholeRange] };
    unlessStopped(undefined, () => this.#refine(proof, allowedModes, cutoff));
    const bound = Math.min(...proof.intervals.map((interval) => interval.bound));
    return { best: proof.best, bound, intervals: proof.intervals.length };
  }

  #refine(proof: PhaseProof, allowedModes: AllowedModes, cutoff?: number): void {
    const { intervals } = proof;
    proof.best = this.#improve(proof.best, allowedModes);
    const [low, high] = this.#costs.response === 0 ? [1, 1] : this.#throughputs(allowedModes);
    intervals[0] = this.#boundBetween(low, high, allowedModes, proof.best);
    while (intervals.length < maxIntervals && !this.#budget.stopRequested()) {
      const worst = intervals.reduce((a, b) => (b.bound < a.bound ? b : a));
      if (worst.policy.cost < proof.best.cost) proof.best = this.#improve(worst.policy, allowedModes);
      const target = cutoff ?? proof.best.cost * (1 - provedTolerance);
      const middle = worst.low > 0 ? Math.sqrt(worst.low * worst.high) : worst.high / 8;
      const isDivisible = middle > worst.low && middle < worst.high;
      if (worst.bound >= target || proof.best.cost < target || !isDivisible) return;
      const halves = [
        this.#boundBetween(worst.low, middle, allowedModes, worst.policy),
        this.#boundBetween(middle, worst.high, allowedModes, worst.policy),
      ];
      // The bound of an interval holds for both of its halves.
      const tightenedHalves = halves.map((half) => ({ ...half, bound: Math.max(half.bound, worst.bound) }));
      intervals.splice(intervals.indexOf(worst), 1, ...tightenedHalves);
    }
  }

  /** Bounds on D within the modes allowed. */
  #throughputs(allowedModes: AllowedModes): readonly [low: number, high: number] {
    const chain = this.#chain;
    const low = chain.minimise({ successRate: 1 }, allowedModes, chain.fromLevels(allowedModes.lowest));
    const high = -chain.minimise({ successRate: -1 }, allowedModes, chain.fromLevels(allowedModes.highest));
    return [Math.max(0, low), high];
  }

  /** Cost, V1 and D of a policy. */
  #measure(modes: ModeByPhase): PhasePolicy {
    this.#chain.evaluate({}, modes);
    const totals = this.#chain.totals();
    const { toBeServed, successRate: throughput } = totals;
    return { modes, cost: costOf(totals, this.#costs), responseTime: toBeServed / throughput, throughput };
  }

  /** A policy that linearisation does not improve, at least as good as the one given. */
  #improve(start: PhasePolicy, allowedModes: AllowedModes): PhasePolicy {
    let best = start;
    for (;;) {
      const modes = best.modes.slice();
      const price = this.#costs.response / best.throughput;
      this.#chain.minimise(this.#weightsAt(price, best.responseTime), allowedModes, modes);
      const next = this.#measure(modes);
      if (!(next.cost < best.cost * (1 - minImprovement))) return best;
      best = next;
    }
  }

  /** The lower bound for D in [low, high] with v the V1 of `start`, and the policy that attains it. */
  #boundBetween(low: number, high: number, allowedModes: AllowedModes, start: PhasePolicy): Interval {
    const { response } = this.#costs;
    const v = start.responseTime;
    const [atHigh, atLow] = [high, low].map((throughput) => {
      const modes = start.modes.slice();
      // Without a throughput above 0 the price is unbounded: V1 is at least the mean service time, and that is all.
      const [price, base] = throughput > 0 ? [response / throughput, response * v] : [0, response * this.#minResponse];
      return { modes, bound: base + this.#chain.minimise(this.#weightsAt(price, v), allowedModes, modes) };
    });
    const { modes, bound } = atHigh.bound <= atLow.bound ? atHigh : atLow;
    return { low, high, bound, policy: this.#measure(modes) };
  }

  /** Lagrangian bound B + price·(n1 − v·D) as weights of the totals, B being the cost without response. */
  #weightsAt(price: number, v: number): TotalsWeights {
    const { loss, obsolescence, crawler, starvation } = this.#costs;
    return {
      lossRate: loss,
      obsolescenceRate: obsolescence,
      activeCrawlers: crawler,
      starvationProbability: starvation,
      toBeServed: price,
      successRate: -price * v,
    };
  }
}
