/**
 * Properties of a law by which methods choose how to compute with it: whether it is exponential under another name,
 * where its survival function has kinks, and what its transform costs. No file outside this folder distinguishes laws by
 * their type.
 */
import type { Distribution } from './create-law.ts';
import { exponentialRateOf, reachablePhases } from './exponential-form.ts';
import { mixtureOfConstants } from './families/empirical.ts';
import type { Lomax } from './families/lomax.ts';
import { type Phases, phasesOf } from './families/phase-type.ts';

/** The rate of a law that is exponential, of whatever type it is; null for any other law. */
export function exponentialRate(law: Distribution): number | null {
  switch (law.type) {
    case 'exponential':
      return law.rate;
    case 'erlang':
    case 'gamma':
      return law.shape === 1 ? law.rate : null;
    case 'weibull':
      return law.shape === 1 ? 1 / law.scale : null;
    case 'hyperexponential': {
      const rates = law.rates.filter((_, i) => law.probabilities[i] > 0);
      return rates.every((rate) => rate === rates[0]) ? rates[0] : null;
    }
    case 'phase-type':
      return exponentialRateOf(reachablePhases(law));
    default:
      return null;
  }
}

/** A law as a factor of time times the law of scale 1 that those of its type and shape share. */
export interface ScaledForm {
  readonly shape: number;
  readonly scale: number;
  readonly unit: Distribution;
}

/** A law as a scale and a unit form; null for a law that has other parameters than a shape and a scale. */
export function scaledForm(law: Distribution): ScaledForm | null {
  switch (law.type) {
    case 'weibull':
      return { shape: law.shape, scale: law.scale, unit: { type: 'weibull', shape: law.shape, scale: 1 } };
    case 'gamma':
    case 'erlang':
      return { shape: law.shape, scale: 1 / law.rate, unit: { type: 'gamma', shape: law.shape, rate: 1 } };
    case 'lognormal':
      return { shape: law.sigma, scale: Math.exp(law.mu), unit: { type: 'lognormal', mu: 0, sigma: law.sigma } };
    case 'deterministic':
      return { shape: 1, scale: law.value, unit: { type: 'deterministic', value: 1 } };
    default:
      return null;
  }
}

/** A law whose tail is (scale/(scale + t))^shape; null for any other law. */
export const asLomax = (law: Distribution): Lomax | null => (law.type === 'lomax' ? law : null);

/** Times at which the survival function jumps or is not smooth, ascending. */
export function kinksOf(law: Distribution): Float64Array {
  switch (law.type) {
    case 'deterministic':
      return Float64Array.of(law.value);
    case 'uniform':
      return Float64Array.of(law.min, law.max);
    case 'pareto':
      return Float64Array.of(law.scale);
    case 'empirical':
      return Float64Array.from(new Set(law.values)).sort();
    default:
      return new Float64Array(0);
  }
}

/** Approximate number of elementary steps of one value of the transform; 0 for a closed formula. */
export function transformSteps(law: Distribution): number {
  switch (law.type) {
    case 'lognormal':
    case 'weibull':
    case 'pareto':
    case 'lomax':
      return 40_000;
    case 'empirical':
      return 60 * law.values.length;
    case 'hyperexponential':
      return 30 * law.rates.length;
    case 'phase-type':
      return 4 * law.initial.length ** 3 + 5000;
    default:
      return 0;
  }
}

/** E(X − t)^+ = ∫_t^∞ P(X > u) du in closed form, relative accuracy; null where the law has none. */
export function closedFormMeanExcess(
  law: Distribution,
  survival: (t: number) => number,
): ((t: number) => number) | null {
  switch (law.type) {
    case 'pareto': {
      const mean = (law.scale * law.shape) / (law.shape - 1);
      return (t) => (t > law.scale ? (survival(t) * t) / (law.shape - 1) : mean - t);
    }
    case 'lomax':
      return (t) => (survival(t) * (law.scale + t)) / (law.shape - 1);
    case 'uniform': {
      const { min, max } = law;
      return (t) => {
        if (t <= min) return min + (max - min) / 2 - t;
        return t >= max ? 0 : ((max - t) / (max - min)) * ((max - t) / 2);
      };
    }
    default:
      return null;
  }
}

/** What a law is made of, for methods that count events during a time of it. */
type CountingForm =
  | { readonly of: 'phases'; readonly phases: Phases }
  | { readonly of: 'constants'; readonly values: Float64Array; readonly weights: Float64Array }
  | { readonly of: 'density' };

export function countingForm(law: Distribution): CountingForm {
  switch (law.type) {
    case 'phase-type':
      return { of: 'phases', phases: phasesOf(law) };
    case 'deterministic':
      return { of: 'constants', values: Float64Array.of(law.value), weights: Float64Array.of(1) };
    case 'empirical':
      return { of: 'constants', ...mixtureOfConstants(law) };
    default:
      return { of: 'density' };
  }
}
