/**
 * What copies cost by an objective when rates are believed, not known: c, C and V averaged over a page's mixture.
 *
 * Objectives with a closed form under a Gamma law are averaged over the four memories, others over Gauss's nodes of
 * each memory. As for a known rate, c rises with the age, C is convex, and V = x·c − C rises from 0.
 */
import type { BelievedCost, StalenessCost } from '../objectives/index.ts';
import { gammaNodes, writeGammaRule } from './gamma-nodes.ts';
import { memories, type RateBeliefs } from './rate-beliefs.ts';
import { WorthSearch } from './worth-search.ts';

/** Relative step of the age in the difference quotient of c′. */
const ageStep = 1e-6;

/** c, C and V by page and age (objectives/staleness-cost.ts), averaged over what is believed of the page's rate. */
export interface ExpectedCost {
  cost(page: number, age: number): number;
  integral(page: number, age: number): number;
  /** V, before weighting; at Infinity its limit. */
  worth(page: number, age: number): number;
  /**
   * The least age at which V reaches a value above 0; Infinity where it never does.
   *
   * @param start age to start the search from, required once the belief about the page has changed; by default the
   *   search starts from the age found last
   */
  intervalAt(page: number, target: number, start?: number): number;
}

type Means = Pick<ExpectedCost, 'cost' | 'integral' | 'worth'> & {
  /** Adds V, x·V′ and x·(x·V′)′ at the age x to three sums. */
  addDerivatives(page: number, age: number, sums: Float64Array): void;
};

export function expectedCost(objective: StalenessCost, beliefs: RateBeliefs): ExpectedCost {
  const { beliefCost: closedForm } = objective;
  const means = closedForm === null ? meansOverNodes(objective, beliefs) : meansOverMemories(closedForm, beliefs);
  const search = new WorthSearch(beliefs.pages, means.addDerivatives);
  const { shape, scale } = beliefs;
  /** Limit of the worth of each page; NaN until it is first needed. */
  const limit = new Float64Array(beliefs.pages).fill(Number.NaN);
  return {
    ...means,
    intervalAt(i, target, start) {
      if (!(target > 0)) return 0;
      if (start !== undefined || Number.isNaN(limit[i])) limit[i] = means.worth(i, Number.POSITIVE_INFINITY);
      if (target === Number.POSITIVE_INFINITY || !(limit[i] > target)) return Infinity;
      if (start !== undefined || !search.isEvaluated(i)) {
        const isUsable = start !== undefined && start > 0 && start < Number.POSITIVE_INFINITY;
        // without a usable start the search begins at the mean time to a change
        search.evaluate(i, isUsable ? start : scale[memories * i] / shape[memories * i]);
      }
      return search.ageAt(i, target);
    },
  };
}

/** Means of closed forms over the memories of a page. */
function meansOverMemories(closedForm: BelievedCost, { shape, scale, share }: RateBeliefs): Means {
  // the loops are not shared: with a single callee in each, the engine inlines the call
  return {
    cost(i, age) {
      let sum = 0;
      for (let at = memories * i; at < memories * (i + 1); at++) {
        sum += share[at] * closedForm.cost(shape[at], scale[at], age);
      }
      return sum;
    },
    integral(i, age) {
      if (age === 0) return 0;
      let sum = 0;
      for (let at = memories * i; at < memories * (i + 1); at++) {
        sum += share[at] * closedForm.integral(shape[at], scale[at], age);
      }
      return sum;
    },
    worth(i, age) {
      let sum = 0;
      for (let at = memories * i; at < memories * (i + 1); at++) {
        sum += share[at] * closedForm.worth(shape[at], scale[at], age);
      }
      return sum;
    },
    addDerivatives(i, age, sums) {
      for (let at = memories * i; at < memories * (i + 1); at++) {
        closedForm.addDerivatives(shape[at], scale[at], age, share[at], sums);
      }
    },
  };
}

/** Means over Gauss's nodes, computed at the first use of a page and again when its belief has changed. */
function meansOverNodes(objective: StalenessCost, { pages, shape, scale, share }: RateBeliefs): Means {
  const size = memories * gammaNodes;
  const nodes = new Float32Array(size * pages);
  const weights = new Float32Array(size * pages);
  /** The laws that the nodes belong to. */
  const laws = { shape: shape.slice().fill(Number.NaN), scale: scale.slice(), share: share.slice() };
  const updateNodes = (i: number): void => {
    for (let at = memories * i; at < memories * (i + 1); at++) {
      if (laws.shape[at] === shape[at] && laws.scale[at] === scale[at] && laws.share[at] === share[at]) continue;
      laws.shape[at] = shape[at];
      laws.scale[at] = scale[at];
      laws.share[at] = share[at];
      const law = { shape: shape[at], scale: scale[at], share: share[at] };
      writeGammaRule(law, nodes, weights, gammaNodes * at);
    }
  };
  const mean =
    (of: (rate: number, age: number) => number) =>
    (i: number, age: number): number => {
      updateNodes(i);
      let sum = 0;
      for (let at = size * i; at < size * (i + 1); at++) sum += weights[at] * of(nodes[at], age);
      return sum;
    };
  return {
    cost: mean((rate, age) => objective.cost(rate, age)),
    integral: mean((rate, age) => objective.integral(rate, age)),
    worth: mean((rate, age) => objective.worth(rate, 1, age)),
    addDerivatives(i, age, sums) {
      updateNodes(i);
      for (let at = size * i; at < size * (i + 1); at++) {
        const growth = objective.growth(nodes[at], age);
        const bend = (objective.growth(nodes[at], age * (1 + ageStep)) - growth) / ageStep;
        sums[0] += weights[at] * objective.worth(nodes[at], 1, age);
        sums[1] += weights[at] * age * age * growth;
        sums[2] += weights[at] * age * age * (2 * growth + bend);
      }
    },
  };
}
