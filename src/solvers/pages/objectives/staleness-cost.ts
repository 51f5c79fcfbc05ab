/**
 * What a copy of some age costs: the one shape that every objective has.
 *
 * A page changes (or brings items) as a Poisson process of rate λ; its copy, a since its fetch, costs w·c(a) a unit of
 * time. With C(a) = ∫₀ᵃ c a fetch at age a is worth w·V(a), V(a) = a·c(a) − C(a), which rises from 0. At a price μ of a
 * fetch the least long-run cost fetches when w·V(a) reaches μ. At any moment the page with the largest w·V(a) is
 * fetched. Ages are times, rates per the same unit. Source: the index of Azar et al. 2018 and Kolobov et al. 2019, for
 * any c.
 */

export const objectiveNames = ['freshness', 'delay', 'harmonic'] as const;
export type ObjectiveName = (typeof objectiveNames)[number];

export interface StalenessCost {
  readonly name: ObjectiveName;
  /** What it measures over all pages, in words, and in what. */
  readonly measured: { readonly measure: string; readonly unit: string };
  /** c(a). */
  cost(rate: number, age: number): number;
  /** C(a): what a copy has cost by this age. */
  integral(rate: number, age: number): number;
  /** c′(a), at an age above 0. */
  growth(rate: number, age: number): number;
  /** ∫ (a + d − t)c′(t) dt over the d from an age a on: what these d cost beyond d·c(a). */
  excessCost(rate: number, age: number, more: number): number;
  /** w·V(a); at Infinity its limit, which may be Infinity. */
  worth(rate: number, weight: number, age: number): number;
  /** The least age at which w·V(a) reaches a price; Infinity where it never does. */
  intervalAt(rate: number, weight: number, price: number): number;
  /** The same where the rate is believed to be Gamma distributed; null: it is averaged over quadrature nodes. */
  readonly beliefCost: BelievedCost | null;
}

/** c, C and V averaged over a rate that is Gamma(shape, scale) distributed: its mean is shape/scale. */
export interface BelievedCost {
  cost(shape: number, scale: number, age: number): number;
  integral(shape: number, scale: number, age: number): number;
  /** V, without the weight; at Infinity its limit, which may be Infinity. */
  worth(shape: number, scale: number, age: number): number;
  /** Adds V, x·V′ and x·(x·V′)′ at the age x, each times a share, to three sums: what a search goes by. */
  rise(shape: number, scale: number, age: number, share: number, sums: Float64Array): void;
}
