/**
 * The least cost of a controller that sees the phases, where the cost holds the ratio V1: policies, and lower bounds.
 *
 * J = B + a·n1/D, with B (what is linear in the stationary distribution), n1 (mean number that will be served) and D
 * (service ends per unit of time). Policy iteration on B + (a/D')(n1 − v'D) with v' and D' of the policy at hand improves
 * it until it stays (Dinkelbach): a local optimum. A bound for the policies with D in [p, q] and any v:
 *
 *     J = B + a·v + a·(n1 − v·D)/D,   (n1 − vD)/D ≥ (n1 − vD)/q if V1 ≥ v,  ≥ (n1 − vD)/p if V1 ≤ v,
 *
 * so J ≥ a·v + min over k in {a/q, a/p} of min[B + k(n1 − v·D)]. Each inner minimum is one policy iteration with a bound
 * of its own; D in [p, q] is priced there by a Lagrange multiplier μ: min[B + k(n1 − vD) + μ·D] − μ·(q if μ > 0, else p).
 */
import { type Budget, unlessStopped } from '../budget.ts';
import type { CostWeights } from '../queue/measures.ts';
import { meanOfPhaseType } from '../queue/phase-type.ts';
import type { AllowedModes, ModeByPhase, PhaseChain, TotalsWeights } from './phase-chain.ts';

/** What is minimised: linear totals, a constant, and the price a of V1. */
export interface RatioCost {
  readonly linear: TotalsWeights;
  readonly constant: number;
  readonly response: number;
}

export const ratioCostOf = (costs: CostWeights): RatioCost => ({
  linear: {
    lossRate: costs.loss,
    obsolescenceRate: costs.obsolescence,
    activeCrawlers: costs.crawler,
    starvationProbability: costs.starvation,
  },
  constant: 0,
  response: costs.response,
});

/** A policy that sees the phases, with its cost, its V1 and its D. */
export interface PhasePolicy {
  readonly modes: ModeByPhase;
  readonly cost: number;
  readonly responseTime: number;
  readonly ends: number;
}

/** A lower bound, and the policy that attains it. */
interface PolicyBound {
  readonly bound: number;
  readonly policy: PhasePolicy;
}

interface Interval extends PolicyBound {
  readonly low: number;
  readonly high: number;
}

/** Rounds of linearisation: two to four are usual. */
const mostLinearisations = 30;
/** Relative improvement below which linearisation has converged. */
const leastImprovement = 1e-12;
/** Steps of the multiplier of an interval of throughputs. */
const multiplierSteps = 8;
/** Relative gap above which the crude bound, V1 at its least, is tried too. */
const looseGap = 0.1;
/** Intervals of throughputs in one proof, at most. */
const mostIntervals = 400;
/** Rounds of bound and improvement in turn: more than ever seen. */
const mostRounds = 10;

export class RatioBounds {
  readonly #chain: PhaseChain;
  readonly #cost: RatioCost;
  readonly #leastResponse: number;

  constructor(chain: PhaseChain, cost: RatioCost) {
    this.#chain = chain;
    this.#cost = cost;
    this.#leastResponse = meanOfPhaseType(chain.queue.service);
  }

  /** Cost, V1 and D of a policy. */
  measure(modes: ModeByPhase): PhasePolicy {
    const { linear, constant, response } = this.#cost;
    const fixed = this.#chain.evaluate(linear, modes) + constant;
    const { toBeServed, successRate: ends } = this.#chain.totals();
    const responseTime = toBeServed / ends;
    return { modes, cost: response === 0 ? fixed : fixed + response * responseTime, responseTime, ends };
  }

  /** A policy that linearisation does not improve, at least as good as the one given. */
  improve(start: PhasePolicy, allowed: AllowedModes): PhasePolicy {
    let best = start;
    for (let round = 0; round < mostLinearisations; round++) {
      const modes = best.modes.slice();
      this.#chain.minimise(this.#weightsAt(this.#cost.response / best.ends, best.responseTime), allowed, modes);
      const next = this.measure(modes);
      if (!(next.cost < best.cost - leastImprovement * Math.abs(best.cost))) break;
      best = next;
    }
    return best;
  }

  /** The least and the largest D within the modes allowed. */
  throughputs(allowed: AllowedModes): { readonly low: number; readonly high: number } {
    const most = this.#chain.ofLevels(allowed.highest);
    const least = this.#chain.ofLevels(allowed.lowest);
    return {
      low: Math.max(0, this.#chain.minimise({ successRate: 1 }, allowed, least)),
      high: -this.#chain.minimise({ successRate: -1 }, allowed, most),
    };
  }

  /** A lower bound for the policies within the modes allowed, and the best of those that were met. */
  boundWithin(allowed: AllowedModes, start: ModeByPhase): { readonly bound: number; readonly best: PhasePolicy } {
    const { linear, constant, response } = this.#cost;
    if (response === 0) {
      const modes = start.slice();
      const bound = this.#chain.minimise(linear, allowed, modes) + constant;
      return { bound, best: this.measure(modes) };
    }
    let best = this.improve(this.measure(this.#chain.within(allowed, start)), allowed);
    const { low, high } = this.throughputs(allowed);
    const { bound, policy } = this.#boundAt({ allowed, low, high, start: best, target: best.cost }, best.responseTime);
    if (policy.cost < best.cost) best = policy;
    if (best.cost - bound <= looseGap * Math.abs(best.cost)) return { bound, best };
    const crude = this.#chain.minimise(linear, allowed, best.modes.slice()) + constant + response * this.#leastResponse;
    return { bound: Math.max(bound, crude), best };
  }

  /**
   * The best policy within the modes allowed, with its proof: branching on D. An interval is closed when its bound
   * reaches the cost of the best policy, and halved when not. Around that policy's own D it closes at positive width.
   * A bound that does not close is attained by a policy that may be better: linearisation goes on from there.
   *
   * @returns the bound, −∞ where the budget ended before there was one, and the number of intervals
   */
  prove(allowed: AllowedModes, start: PhasePolicy, tolerance: number, budget: Budget) {
    let best = start;
    let bound = Number.NEGATIVE_INFINITY;
    let intervals = 0;
    for (let round = 0; round < mostRounds; round++) {
      const improved = unlessStopped(null, () => this.improve(best, allowed));
      if (improved !== null) best = improved;
      const proof = unlessStopped(null, () => this.#byThroughput(allowed, best, tolerance, budget));
      if (proof === null) break;
      intervals += proof.intervals;
      bound = Math.max(bound, proof.bound);
      if (!(proof.best.cost < best.cost - tolerance * Math.abs(best.cost))) break;
      best = proof.best;
    }
    return { best, bound, intervals };
  }

  #byThroughput(allowed: AllowedModes, start: PhasePolicy, tolerance: number, budget: Budget) {
    if (this.#cost.response === 0) return { ...this.boundWithin(allowed, start.modes), intervals: 0 };
    const target = start.cost - tolerance * Math.abs(start.cost);
    const bounded = (low: number, high: number, v: number): Interval =>
      this.#boundBetween({ allowed, low, high, start, target }, v);
    const { low, high } = this.throughputs(allowed);
    const open = [bounded(low, high, start.responseTime)];
    let best = open[0].policy;
    let intervals = 1;
    while (intervals < mostIntervals && !budget.stopRequested()) {
      const worst = open.reduce((a, b) => (b.bound < a.bound ? b : a));
      const middle = worst.low > 0 ? Math.sqrt(worst.low * worst.high) : worst.high / 8;
      if (worst.bound >= target || !(middle > worst.low && middle < worst.high)) break;
      const v = worst.policy.responseTime;
      const halves = [bounded(worst.low, middle, v), bounded(middle, worst.high, v)];
      for (const { policy } of halves) if (policy.cost < best.cost) best = policy;
      // A half is part of the whole, whose bound holds for it.
      const raised = halves.map((half) => ({ ...half, bound: Math.max(half.bound, worst.bound) }));
      open.splice(open.indexOf(worst), 1, ...raised);
      intervals += 2;
    }
    return { bound: Math.min(...open.map((each) => each.bound)), best, intervals };
  }

  /** The bound at this v or, where that misses the target, at the V1 of the policy that attains it. */
  #boundBetween(of: RestrictedProblem, v: number): Interval {
    const { low, high, target } = of;
    const first = this.#boundAt(of, v);
    const next = first.policy.responseTime;
    if (first.bound >= target || next === v) return { low, high, ...first };
    const second = this.#boundAt(of, next);
    return { low, high, ...(second.bound > first.bound ? second : first) };
  }

  #boundAt(of: RestrictedProblem, v: number): PolicyBound {
    const { response } = this.#cost;
    // Without a throughput above 0 the second price is unbounded: V1 is at least the mean service time, and that is all.
    const rest = of.low > 0 ? v : this.#leastResponse;
    const slow = this.#minimiseWithin(of, response / of.high, v, of.target - response * v);
    const fast = this.#minimiseWithin(of, of.low > 0 ? response / of.low : 0, v, of.target - response * rest);
    const [a, b] = [response * v + slow.bound, response * rest + fast.bound];
    return a <= b ? { bound: a, policy: slow.policy } : { bound: b, policy: fast.policy };
  }

  /** min[B + k(n1 − vD)] for D in [low, high]: a multiplier of that restriction is raised until the target is met. */
  #minimiseWithin(
    { allowed, low, high, start }: RestrictedProblem,
    price: number,
    v: number,
    target: number,
  ): PolicyBound {
    let best: PolicyBound = { bound: Number.NEGATIVE_INFINITY, policy: start };
    let multiplier = 0;
    for (let step = 0; step < multiplierSteps; step++) {
      const modes = start.modes.slice();
      const bound = this.#chain.minimise(this.#weightsAt(price, v, multiplier), allowed, modes) + this.#cost.constant;
      const policy = this.measure(modes);
      const side = multiplier > 0 || (multiplier === 0 && policy.ends > high) ? high : low;
      const value = bound - multiplier * side;
      if (!(value > best.bound)) break;
      best = { bound: value, policy };
      // The bound is concave in the multiplier, with slope D − side: the least multiplier at which the target can be met.
      const slope = policy.ends - side;
      if (value >= target || !(side === high ? slope > 0 : slope < 0)) break;
      multiplier += (1.05 * (target - value)) / slope;
    }
    return best;
  }

  #weightsAt(price: number, v: number, multiplier = 0): TotalsWeights {
    const { linear } = this.#cost;
    return {
      ...linear,
      toBeServed: (linear.toBeServed ?? 0) + price,
      successRate: (linear.successRate ?? 0) - price * v + multiplier,
    };
  }
}

/** The policies with D in [low, high] within the modes allowed; the bound need not be raised beyond the target. */
interface RestrictedProblem {
  readonly allowed: AllowedModes;
  readonly low: number;
  readonly high: number;
  readonly start: PhasePolicy;
  readonly target: number;
}
