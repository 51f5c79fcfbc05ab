/** What a gap between two fetches costs by each objective, from its definition; an objective has one entry. */
import type { ObjectiveName } from '../../solvers/pages/objectives/index.ts';

interface GapCost {
  /** C(τ) = ∫₀^τ c, for a page that changes at a rate and whose copy of age a costs c(a) a unit of time. */
  readonly over: (rate: number, gap: number) => number;
  /** y·c(y) − C(y) in changes y: what one more fetch saves, per unit of the ratio. */
  readonly saving: (y: number) => number;
}

export const gapCost: Readonly<Record<ObjectiveName, GapCost>> = {
  freshness: {
    over: (rate, gap) =>
      rate * gap < 1e-4 ? rate * gap * gap * (0.5 - (rate * gap) / 6) : gap + Math.expm1(-rate * gap) / rate,
    saving: (y) => (y < 1e-3 ? (y * y) / 2 - y ** 3 / 3 + y ** 4 / 8 : -Math.expm1(-y) - y * Math.exp(-y)),
  },
  delay: { over: (rate, gap) => (rate * gap * gap) / 2, saving: (y) => (y * y) / 2 },
  age: {
    over: (rate, gap) => gap * gap * meanAge(rate * gap),
    saving: (y) =>
      y < 1e-2 ? y ** 3 / 3 - y ** 4 / 8 + y ** 5 / 30 - y ** 6 / 144 : (y * y) / 2 + Math.expm1(-y) + y * Math.exp(-y),
  },
  harmonic: { over: (rate, gap) => gap * Math.log1p(rate * gap), saving: (y) => (y * y) / (1 + y) },
};

/** ½ − 1/y + (1 − e^{−y})/y²; the series Σ_{k≥1} (−1)^{k+1} y^k/(k + 2)! where terms cancel. */
function meanAge(y: number): number {
  if (y > 1) return 0.5 - (1 + Math.expm1(-y) / y) / y;
  let term = -0.5;
  let sum = 0;
  for (let k = 1; k < 20; k++) {
    term *= -y / (k + 2);
    sum += term;
  }
  return sum;
}
