/**
 * The cost of a copy as a function of its age: the interface of every objective.
 *
 * A page changes (or brings items) as a Poisson process of rate λ; its copy of age a (time since its fetch) costs
 * w·c(a) a unit of time. With C(a) = ∫₀ᵃ c a fetch at age a is worth w·V(a), V(a) = a·c(a) − C(a), which rises from 0.
 * At a price μ of a fetch the rule of least long-run cost fetches a page when w·V(a) reaches μ; a schedule fetches the
 * page with the largest w·V(a) at any moment. Ages are times, rates are per the same unit. Source: the index of Azar et
 * al. 2018 and Kolobov et al. 2019, for any c.
 */

export const objectiveNames = ['freshness', 'delay', 'harmonic'] as const;
export type ObjectiveName = (typeof objectiveNames)[number];

export interface StalenessCost {
  readonly name: ObjectiveName;
  /** What the objective measures over all pages, in words, and the unit of the measure. */
  readonly measured: { readonly measure: string; readonly unit: string };
  /** c(a). */
  cost(rate: number, age: number): number;
  /** C(a): the cost of a copy from its fetch to this age. */
  integral(rate: number, age: number): number;
  /** c′(a), at an age above 0. */
  growth(rate: number, age: number): number;
  /** C(a + d) − C(a) − d·c(a) = ∫ (a + d − t)c′(t) dt over a..a + d: the cost of a duration d beyond d·c(a). */
  excessCost(rate: number, age: number, duration: number): number;
  /** w·V(a); at Infinity its limit, which may be Infinity. */
  worth(rate: number, weight: number, age: number): number;
  /** The least age at which w·V(a) reaches a price; Infinity where it never does. */
  intervalAt(rate: number, weight: number, price: number): number;
  /** Closed forms of c, C and V under a Gamma law of the rate; null: they are averaged over quadrature nodes. */
  readonly beliefCost: BelievedCost | null;
}

/** c, C and V averaged over a rate that is Gamma(shape, scale) distributed: its mean is shape/scale. */
export interface BelievedCost {
  cost(shape: number, scale: number, age: number): number;
  integral(shape: number, scale: number, age: number): number;
  /** V, without the weight; at Infinity its limit, which may be Infinity. */
  worth(shape: number, scale: number, age: number): number;
  /** Adds V, x·V′ and x·(x·V′)′ at the age x, each times a share, to three sums, as worth-search.ts needs them. */
  addDerivatives(shape: number, scale: number, age: number, share: number, sums: Float64Array): void;
}
