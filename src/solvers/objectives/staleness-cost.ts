/**
 * What a copy of some age costs: the one shape that every objective has.
 *
 * A page changes (or brings items) as a Poisson process of rate λ; its copy, a since its fetch, costs w·c(a) a unit of time.
 * With C(a) = ∫₀ᵃ c a fetch at age a is worth w·V(a), V(a) = a·c(a) − C(a), which rises from 0: at a price μ of a fetch the
 * least long-run cost fetches when w·V(a) reaches μ, and at any moment the page with the largest w·V(a) is fetched.
 * Ages are times, rates per the same unit. Source: the index of Azar et al. 2018 and Kolobov et al. 2019, for any c.
 */

export type ObjectiveName = 'freshness' | 'delay' | 'age' | 'harmonic';

export interface StalenessCost {
  readonly name: ObjectiveName;
  /** c(a). */
  cost(rate: number, age: number): number;
  /** C(a): what a copy has cost by this age. */
  integral(rate: number, age: number): number;
  /** w·V(a); at Infinity its limit, which may be Infinity. */
  worth(rate: number, weight: number, age: number): number;
  /** The least age at which w·V(a) reaches a price; Infinity where it never does. */
  intervalAt(rate: number, weight: number, price: number): number;
  /** The powers of a young copy's age with which C and V begin. */
  readonly beginsWithPower: 2 | 3;
}
