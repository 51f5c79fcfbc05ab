/**
 * Pages that nothing but their own fetches tells of: at known rates, or at rates that are believed.
 *
 * Both cost alike: c rises with the age, C is convex, and a fetch is due where w·V reaches the price. Of a known rate
 * the objective's own closed forms are taken, of a belief their means over it (pages/evidence).
 */
import {
  type ExpectedCost,
  expectedCost,
  ifChanged,
  ifUnchanged,
  type RateBeliefs,
  RevisedBelief,
} from '../../pages/evidence/index.ts';
import { freshness, type StalenessCost } from '../../pages/objectives/index.ts';
import type { KnownRates } from '../evidence.ts';
import type { PageModel } from './page-model.ts';

export interface PlainTerms {
  readonly weight: Float64Array;
  readonly objective: StalenessCost;
  /** A page never fetched is worth what a copy of this age is. */
  readonly unseenAge: number;
  /** Intervals near those that will be asked for first, where they are known. */
  readonly near?: Float64Array | undefined;
}

/** Costs of copies by a belief where the rate is not known. */
function costOfCopies(
  objective: StalenessCost,
  { rate, known, beliefs }: KnownRates,
  near: Float64Array | undefined,
): ExpectedCost {
  const sure: ExpectedCost = {
    cost: (i, age) => objective.cost(rate[i], age),
    integral: (i, age) => objective.integral(rate[i], age),
    worth: (i, age) => objective.worth(rate[i], 1, age),
    intervalAt: (i, target) => objective.intervalAt(rate[i], 1, target),
  };
  return beliefs === null ? sure : either(known, sure, expectedCost(objective, beliefs, near));
}

function either(known: Uint8Array, sure: ExpectedCost, believed: ExpectedCost): ExpectedCost {
  const of = (i: number): ExpectedCost => (known[i] === 1 ? sure : believed);
  return {
    cost: (i, age) => of(i).cost(i, age),
    integral: (i, age) => of(i).integral(i, age),
    worth: (i, age) => of(i).worth(i, age),
    intervalAt: (i, ...terms) => of(i).intervalAt(i, ...terms),
  };
}

export function plainPages(rates: KnownRates, { weight, objective, unseenAge, near }: PlainTerms): PageModel {
  const copies = costOfCopies(objective, rates, near);
  const stale = objective === freshness ? copies : costOfCopies(freshness, rates, near);
  const worth = (i: number, age: number): number => (weight[i] > 0 ? weight[i] * copies.worth(i, age) : 0);
  const known = new KnownIntervals(weight, copies);
  const intervalAt = (i: number, price: number): number => known.intervalAt(i, price);
  const after = rates.beliefs === null ? null : new NextBelief(rates.beliefs, objective);
  return {
    pages: weight.length,
    worth: (i, age) => worth(i, age === Number.POSITIVE_INFINITY ? unseenAge : age),
    ceiling: worth,
    intervalAt,
    ageAt: (i, price) => known.ageAt(i, price),
    staleTime: (i, from, to) => stale.integral(i, to) - stale.integral(i, from),
    costTime: objective === freshness ? null : (i, from, to) => copies.integral(i, to) - copies.integral(i, from),
    fetched: () => {},
    intervalAfter(i, age, price) {
      const now = intervalAt(i, price);
      if (after === null || rates.known[i] === 1 || !(weight[i] > 0) || age === Number.POSITIVE_INFINITY)
        return [now, now];
      return after.intervals(i, age, { target: price / weight[i], now });
    },
    longRunCost: (i, interval) => copies.integral(i, interval) / interval,
    copies: {
      ...copies,
      intervalAt,
      ageNow: (_, age) => age,
      leastRate: () => null,
      unseenIsStale: objective === freshness,
    },
  };
}

/** Of an age at which a page is looked at: what it is worth is found then. */
const aboutThen = 1e-4;

/** The interval of each page at the price it was asked for last, which the market, probes, bounds and the answer ask. */
class KnownIntervals {
  readonly #weight: Float64Array;
  readonly #copies: ExpectedCost;
  readonly #price: Float64Array;
  readonly #interval: Float64Array;

  constructor(weight: Float64Array, copies: ExpectedCost) {
    this.#weight = weight;
    this.#copies = copies;
    this.#price = new Float64Array(weight.length);
    this.#interval = new Float64Array(weight.length);
  }

  intervalAt(i: number, price: number): number {
    // a page that counts for nothing is not fetched at a price of nothing either
    if (!(this.#weight[i] > 0)) return Number.POSITIVE_INFINITY;
    if (price === this.#price[i]) return this.#interval[i];
    this.#price[i] = price;
    this.#interval[i] = this.#copies.intervalAt(i, price / this.#weight[i]);
    return this.#interval[i];
  }

  /** The same to a ten thousandth, at a price other than that. */
  ageAt(i: number, price: number): number {
    return this.#weight[i] > 0
      ? this.#copies.intervalAt(i, price / this.#weight[i], aboutThen)
      : Number.POSITIVE_INFINITY;
  }
}

/** What is believed of a page after one more check. */
export class NextBelief {
  readonly #after: RevisedBelief;
  readonly #cost: ExpectedCost;

  constructor(beliefs: RateBeliefs, objective: StalenessCost) {
    this.#after = new RevisedBelief(beliefs);
    this.#cost = expectedCost(objective, this.#after.beliefs);
  }

  /** @param now the interval by what is believed now */
  intervals(i: number, age: number, { target, now }: { readonly target: number; readonly now: number }) {
    this.#after.check(i, age);
    const after = (outcome: number): number => this.#cost.intervalAt(outcome, target, undefined, now);
    return [after(ifUnchanged), after(ifChanged)] as const;
  }
}
