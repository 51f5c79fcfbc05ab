/** The costs of staleness by their definitions; shares no code with the solvers. */
import type { ObjectiveName } from '../../src/solvers/pages/objectives/index.ts';

interface CostDefinition {
  /** C(τ) = ∫₀^τ c: cost of a copy over a gap τ between fetches, for a page that changes at a rate. */
  readonly over: (rate: number, gap: number) => number;
  /** y·c(y) − C(y) at y changes since the fetch: saving by one more fetch, per unit of weight/rate. */
  readonly saving: (y: number) => number;
}

const definitions: Readonly<Record<ObjectiveName, CostDefinition>> = {
  freshness: {
    over: (rate, gap) =>
      rate * gap < 1e-4 ? rate * gap * gap * (0.5 - (rate * gap) / 6) : gap + Math.expm1(-rate * gap) / rate,
    saving: (y) => (y < 1e-3 ? (y * y) / 2 - y ** 3 / 3 + y ** 4 / 8 : -Math.expm1(-y) - y * Math.exp(-y)),
  },
  delay: { over: (rate, gap) => (rate * gap * gap) / 2, saving: (y) => (y * y) / 2 },
  harmonic: { over: (rate, gap) => gap * Math.log1p(rate * gap), saving: (y) => (y * y) / (1 + y) },
};

export const costDefinition = (name: ObjectiveName): CostDefinition => definitions[name];
