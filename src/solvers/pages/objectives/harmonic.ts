/**
 * No page may starve: c(a) = ln(1 + y) + y/(1 + y) with y = λa, whose mean over even fetches is ln(1 + λ/r).
 *
 * C(a) = a·ln(1 + y) and V(a) = λa²/(1 + y): the worth of a fetch exceeds any price at some age, and yet fast pages do
 * not take most of the fetches as they do under `delay`. Source: A. Kolobov, Y. Peres, C. Lu, E. Horvitz, NeurIPS 2019
 * (harmonic staleness).
 */
import { logExcess } from '../../numerics/special/incomplete-gamma.ts';
import type { StalenessCost } from './staleness-cost.ts';

export const harmonic: StalenessCost = {
  name: 'harmonic',
  measured: { measure: 'harmonic staleness', unit: 'weight × logarithm, in the mean' },
  cost: (rate, age) => Math.log1p(rate * age) + (rate * age) / (1 + rate * age),
  integral: (rate, age) => age * Math.log1p(rate * age),
  growth: (rate, age) => (rate * (2 + rate * age)) / (1 + rate * age) / (1 + rate * age),
  // the term subtracted is at most half of the first: no digits are lost
  excessCost: (rate, age, duration) => {
    const z = (rate * duration) / (1 + rate * age);
    return duration * Math.log1p(z) - age * logExcess(z);
  },
  worth: (rate, weight, age) =>
    age === Number.POSITIVE_INFINITY ? weight * age : weight * age * ((rate * age) / (1 + rate * age)),
  intervalAt: (rate, weight, price) => {
    const v = price / weight;
    return v > 0 ? 0.5 * (v + Math.sqrt(v * v + (4 * v) / rate)) : 0;
  },
  beliefCost: null,
};
