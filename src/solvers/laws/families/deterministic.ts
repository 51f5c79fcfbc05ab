import type { LawWithLogLaplace } from '../law.ts';

/** Always `value` (> 0). */
export interface Deterministic {
  readonly type: 'deterministic';
  readonly value: number;
}

export function deterministicLaw({ value }: Deterministic): LawWithLogLaplace {
  return {
    mean: value,
    secondMoment: value * value,
    survival: (t) => (t < value ? 1 : 0),
    density: null,
    laplace: (s) => Math.exp(-s * value),
    laplaceComplement: (s) => -Math.expm1(-s * value),
    truncatedMean: (t) => Math.min(value, t),
    truncatedSecondMoment: (t) => Math.min(value, t) ** 2,
    sample: () => value,
    phaseType: () => null,
    logLaplace: { load: (s) => s * value, excess: () => 0, expensive: false },
  };
}
