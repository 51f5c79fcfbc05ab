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
 * iteration with a bound of its own. The best v is also the multiplier that keeps D near [low, high] where that is
 * narrow.
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
  readonly throughput: number;
}

/** A lower bound for the policies with D in [low, high], and the policy that attains it. */
interface Interval {
  readonly low: number;
  readonly high: number;
  readonly bound: number;
  readonly policy: PhasePolicy;
}

/** Rounds of linearisation: two to four are usual. */
const maxLinearisations = 30;
/** Relative improvement below which linearisation has converged. */
const minImprovement = 1e-12;
/** Factor on the step to where a tangent reaches the target. */
const overshoot = 1.05;
/** Rounds of bound and improvement in turn: more than ever seen. */
const maxRounds = 10;

/** How far a proof goes. */
export interface ProofEffort {
  /** Relative gap at which it ends. */
  readonly tolerance: number;
  /** Intervals of throughputs, and values of v that are tried for one of them, at most. */
  readonly maxIntervals: number;
  readonly maxTangents: number;
  readonly budget: Budget;
}

export class RatioBounds {
  readonly #chain: PhaseChain;
  readonly #cost: RatioCost;
  readonly #minResponse: number;

  constructor(chain: PhaseChain, cost: RatioCost) {
    this.#chain = chain;
    this.#cost = cost;
    this.#minResponse = meanOfPhaseType(chain.queue.service);
  }

  /**
   * The best policy within the modes allowed, with its proof: branching on D. An interval is closed when its bound
   * reaches the cost of the best policy, and halved when not. Around that policy's own D it closes at positive width.
   * A bound that does not close is attained by a policy that may be better: linearisation goes on from there.
   *
   * @param start a policy to begin with
   * @returns the bound, −∞ where the budget ended before there was one, and the number of intervals
   * @throws NothingToReturn when the budget ends before the start is measured
   */
  prove(allowedModes: AllowedModes, start: ModeByPhase, effort: ProofEffort) {
    const { linear, constant, response } = this.#cost;
    if (response === 0) {
      const modes = start.slice();
      const bound = this.#chain.minimise(linear, allowedModes, modes) + constant;
      return { bound, best: this.#measure(modes), intervals: 0 };
    }
    let best = this.#measure(this.#chain.clampModes(allowedModes, start));
    let bound = Number.NEGATIVE_INFINITY;
    let intervals = 0;
    for (let round = 0; round < maxRounds; round++) {
      best = unlessStopped(best, () => this.#improve(best, allowedModes));
      const proof = unlessStopped(null, () => this.#branchOnThroughput(allowedModes, best, effort));
      if (proof === null) break;
      intervals += proof.intervals;
      bound = Math.max(bound, proof.bound);
      const previousCost = best.cost;
      if (proof.best.cost < previousCost) best = proof.best;
      if (!(best.cost < previousCost - effort.tolerance * Math.abs(previousCost))) break;
    }
    return { best, bound, intervals };
  }

  /** Cost, V1 and D of a policy. */
  #measure(modes: ModeByPhase): PhasePolicy {
    const { linear, constant, response } = this.#cost;
    const linearCost = this.#chain.evaluate(linear, modes) + constant;
    const { toBeServed, successRate: throughput } = this.#chain.totals();
    const responseTime = toBeServed / throughput;
    return {
      modes,
      cost: response === 0 ? linearCost : linearCost + response * responseTime,
      responseTime,
      throughput,
    };
  }

  /** A policy that linearisation does not improve, at least as good as the one given. */
  #improve(start: PhasePolicy, allowedModes: AllowedModes): PhasePolicy {
    let best = start;
    for (let round = 0; round < maxLinearisations; round++) {
      const modes = best.modes.slice();
      this.#chain.minimise(
        this.#weightsAt(this.#cost.response / best.throughput, best.responseTime),
        allowedModes,
        modes,
      );
      const next = this.#measure(modes);
      if (!(next.cost < best.cost - minImprovement * Math.abs(best.cost))) break;
      best = next;
    }
    return best;
  }

  #branchOnThroughput(
    allowedModes: AllowedModes,
    start: PhasePolicy,
    { tolerance, maxIntervals, maxTangents, budget }: ProofEffort,
  ) {
    const target = start.cost - tolerance * Math.abs(start.cost);
    const boundInterval = (low: number, high: number, v: number): Interval =>
      this.#boundBetween({ allowedModes, low, high, start, target, maxTangents }, v);
    const minThroughput = this.#chain.minimise(
      { successRate: 1 },
      allowedModes,
      this.#chain.fromLevels(allowedModes.lowest),
    );
    const maxThroughput = -this.#chain.minimise(
      { successRate: -1 },
      allowedModes,
      this.#chain.fromLevels(allowedModes.highest),
    );
    const open = [boundInterval(Math.max(0, minThroughput), maxThroughput, start.responseTime)];
    let best = open[0].policy;
    let intervals = 1;
    while (intervals < maxIntervals && !budget.stopRequested()) {
      const worst = open.reduce((a, b) => (b.bound < a.bound ? b : a));
      const middle = worst.low > 0 ? Math.sqrt(worst.low * worst.high) : worst.high / 8;
      if (worst.bound >= target || !(middle > worst.low && middle < worst.high)) break;
      const v = worst.policy.responseTime;
      const halves = [boundInterval(worst.low, middle, v), boundInterval(middle, worst.high, v)];
      for (const { policy } of halves) if (policy.cost < best.cost) best = policy;
      // A half is part of the whole, whose bound holds for it.
      const tightenedHalves = halves.map((half) => ({ ...half, bound: Math.max(half.bound, worst.bound) }));
      open.splice(open.indexOf(worst), 1, ...tightenedHalves);
      intervals += 2;
    }
    return { bound: Math.min(...open.map((each) => each.bound)), best, intervals };
  }

  /**
   * The largest bound over v, which is concave in it: from the v given to where the tangent reaches the target, or where
   * two tangents meet.
   */
  #boundBetween(problem: RestrictedProblem, start: number): Interval {
    let best: Interval = { ...problem, bound: Number.NEGATIVE_INFINITY, policy: problem.start };
    /** The last v whose tangent rises, and the last whose tangent falls. */
    let [risingTangent, fallingTangent]: [Tangent | null, Tangent | null] = [null, null];
    let v = start;
    for (let step = 0; step < problem.maxTangents; step++) {
      const { policy, bound, slope } = this.#boundAt(problem, v);
      if (bound > best.bound) best = { ...best, bound, policy };
      if (best.bound >= problem.target || slope === 0) break;
      if (slope > 0) risingTangent = { v, bound, slope };
      else fallingTangent = { v, bound, slope };
      const next: number =
        risingTangent !== null && fallingTangent !== null
          ? (fallingTangent.bound -
              risingTangent.bound +
              risingTangent.slope * risingTangent.v -
              fallingTangent.slope * fallingTangent.v) /
            (risingTangent.slope - fallingTangent.slope)
          : v + (overshoot * (problem.target - bound)) / slope;
      if (next === v) break;
      v = next;
    }
    return best;
  }

  /** The bound at one v, the policy that attains it, and how the bound changes with v. */
  #boundAt({ allowedModes, low, high, start }: RestrictedProblem, v: number) {
    const { response, constant } = this.#cost;
    // Without a throughput above 0 the second price is unbounded: V1 is at least the mean service time, and that is all.
    const sides = [
      { price: response / high, base: response * v, baseSlope: response },
      low > 0
        ? { price: response / low, base: response * v, baseSlope: response }
        : { price: 0, base: response * this.#minResponse, baseSlope: 0 },
    ].map(({ price, base, baseSlope }) => {
      const modes = start.modes.slice();
      const bound = base + constant + this.#chain.minimise(this.#weightsAt(price, v), allowedModes, modes);
      return { modes, bound, price, baseSlope };
    });
    const { modes, bound, price, baseSlope } = sides[0].bound <= sides[1].bound ? sides[0] : sides[1];
    const policy = this.#measure(modes);
    return { policy, bound, slope: baseSlope - price * policy.throughput };
  }

  #weightsAt(price: number, v: number): TotalsWeights {
    const { linear } = this.#cost;
    return {
      ...linear,
      toBeServed: (linear.toBeServed ?? 0) + price,
      successRate: (linear.successRate ?? 0) - price * v,
    };
  }
}

/** The policies with D in [low, high] within the modes allowed; the bound need not be raised beyond the target. */
interface RestrictedProblem {
  readonly allowedModes: AllowedModes;
  readonly low: number;
  readonly high: number;
  readonly start: PhasePolicy;
  readonly target: number;
  readonly maxTangents: number;
}

/** The line that touches the bound as a function of v. */
interface Tangent {
  readonly v: number;
  readonly bound: number;
  readonly slope: number;
}
