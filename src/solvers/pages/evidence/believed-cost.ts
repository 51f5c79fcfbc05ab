/**
 * What copies cost by an objective when rates are believed, not known: c, C and V averaged over a page's mixture.
 *
 * Objectives with a closed form under a Gamma law are averaged over the four memories, others over Gauss's nodes of
 * each memory. All stay as for a known rate: c rises with the age, C is convex, V = x·c − C rises from 0.
 */
import type { BelievedCost, StalenessCost } from '../objectives/index.ts';
import { gammaNodes, writeGammaRule } from './gamma-nodes.ts';
import { memories, type RateBeliefs } from './rate-beliefs.ts';

/** A memory that weighs less than this beside the others does not show in any figure. */
const noShare = 1e-16;
const mostRounds = 200;
const leastPower = 1e-3;
/** Of ln x. */
const longestStep = 8;
/** Of ln x, where nothing else is asked for. */
const exact = 1e-12;

/** Costs by page and age. */
export interface ExpectedCost {
  cost(page: number, age: number): number;
  integral(page: number, age: number): number;
  /** V, before weighting; at Infinity its limit. */
  worth(page: number, age: number): number;
  /**
   * The least age at which V reaches a value above 0, about `near` as a rule; Infinity where it never does. Relative
   * error: about the tolerance, or its square.
   */
  intervalAt(page: number, target: number, near?: number, tolerance?: number): number;
}

type Means = Pick<ExpectedCost, 'cost' | 'integral' | 'worth'>;

export interface BelievedCosts extends ExpectedCost {
  /** Forgets where searches ended: what comes next does not depend, in its last digits, on what was asked before. */
  afresh(): void;
}

export function expectedCost(objective: StalenessCost, beliefs: RateBeliefs): BelievedCosts {
  const { believed } = objective;
  const means = believed === null ? overNodes(objective, beliefs) : overMemories(believed, beliefs);
  /** Where the search for each page ended last, and how V rose there: the next price is near the last one. */
  const found = new Float64Array(beliefs.pages);
  const power = new Float64Array(beliefs.pages).fill(objective.beginsWithPower);
  return {
    ...means,
    afresh() {
      found.fill(0);
      power.fill(objective.beginsWithPower);
    },
    intervalAt(i, target, near = found[i], tolerance = exact) {
      if (!(target > 0)) return 0;
      if (target === Number.POSITIVE_INFINITY || !(means.worth(i, Number.POSITIVE_INFINITY) > target)) return Infinity;
      const { shape, scale } = beliefs;
      const start = near > 0 && near < Number.POSITIVE_INFINITY ? near : scale[memories * i] / shape[memories * i];
      const reached = ageAtWorth(means.worth, i, target, { age: start, power: power[i] }, tolerance);
      found[i] = reached.age;
      power[i] = reached.power;
      return reached.age;
    },
  };
}

/** An age, and the power of the age with which V rises there. */
interface Place {
  readonly age: number;
  readonly power: number;
}

/**
 * The age at which V, rising, reaches the target. It comes from secants of ln V in ln x, where V is nearly straight,
 * kept in a bracket. The first secant has the power given.
 */
export function ageAtWorth(
  worth: ExpectedCost['worth'],
  i: number,
  target: number,
  start: Place,
  tolerance = exact,
): Place {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let at = Math.log(start.age);
  let { power } = start;
  let before = Number.NaN;
  let missBefore = Number.NaN;
  for (let round = 0; round < mostRounds; round++) {
    const miss = Math.log(worth(i, Math.exp(at)) / target);
    if (miss > 0) high = at;
    else low = at;
    if (Math.abs(at - before) > 1e-9) power = (miss - missBefore) / (at - before);
    // V may be flat far out, and nothing at all far in
    if (!(power > leastPower && power < 4)) power = power > 1 ? 4 : leastPower;
    const step = Math.max(-longestStep, Math.min(longestStep, miss / power));
    // the error of a secant's step is about the product of the last two
    const last = Number.isNaN(before) ? 1 : Math.abs(at - before);
    if (Math.abs(step) < tolerance || Math.abs(step) * last < tolerance) return { age: Math.exp(at - step), power };
    let next = at - step;
    if (!(next > low && next < high)) {
      if (low === Number.NEGATIVE_INFINITY) next = high - 2;
      else next = high === Number.POSITIVE_INFINITY ? low + 2 : 0.5 * (low + high);
    }
    before = at;
    missBefore = miss;
    at = next;
  }
  return { age: Math.exp(at), power };
}

/** Means of closed forms over the memories of a page. */
function overMemories(believed: BelievedCost, { shape, scale, share }: RateBeliefs): Means {
  // three loops alike: each calls one function, which the engine then builds into it
  return {
    cost(i, age) {
      let sum = 0;
      for (let at = memories * i; at < memories * (i + 1); at++) {
        if (share[at] > noShare) sum += share[at] * believed.cost(shape[at], scale[at], age);
      }
      return sum;
    },
    integral(i, age) {
      let sum = 0;
      for (let at = memories * i; at < memories * (i + 1); at++) {
        if (share[at] > noShare) sum += share[at] * believed.integral(shape[at], scale[at], age);
      }
      return sum;
    },
    worth(i, age) {
      let sum = 0;
      for (let at = memories * i; at < memories * (i + 1); at++) {
        if (share[at] > noShare) sum += share[at] * believed.worth(shape[at], scale[at], age);
      }
      return sum;
    },
  };
}

/** Means over Gauss's nodes, which are found when a page is asked for first, and again when its belief has changed. */
function overNodes(objective: StalenessCost, { pages, shape, scale, share }: RateBeliefs): Means {
  const size = memories * gammaNodes;
  const nodes = new Float32Array(size * pages);
  const weights = new Float32Array(size * pages);
  /** The laws that nodes were found for. */
  const known = { shape: shape.slice().fill(Number.NaN), scale: scale.slice(), share: share.slice() };
  const find = (i: number): void => {
    for (let at = memories * i; at < memories * (i + 1); at++) {
      if (known.shape[at] === shape[at] && known.scale[at] === scale[at] && known.share[at] === share[at]) continue;
      known.shape[at] = shape[at];
      known.scale[at] = scale[at];
      known.share[at] = share[at];
      const law = { shape: shape[at], scale: scale[at], share: share[at] };
      writeGammaRule(law, nodes, weights, gammaNodes * at);
    }
  };
  const mean =
    (of: (rate: number, age: number) => number) =>
    (i: number, age: number): number => {
      find(i);
      let sum = 0;
      for (let at = size * i; at < size * (i + 1); at++) sum += weights[at] * of(nodes[at], age);
      return sum;
    };
  return {
    cost: mean((rate, age) => objective.cost(rate, age)),
    integral: mean((rate, age) => objective.integral(rate, age)),
    worth: mean((rate, age) => objective.worth(rate, 1, age)),
  };
}
