import type { Distribution } from '../distributions/distribution.ts';
import { exponentialRate } from './evaluate.ts';
import type { CrawlerCountProblem } from './model.ts';

/** Counts evaluated by one optimisation, about. */
const usualEvaluations = 12;

/**
 * Estimated elementary steps (about 1 ns each) of an optimisation and `extra` more evaluations: a few hundred an
 * evaluation in closed form, else the arrival probabilities and the recursion, which takes a few hundred steps a place
 * for light tails and 15·log² K for heavy ones.
 */
export function crawlerCountWork(problem: CrawlerCountProblem, extra: number): number {
  const { indexing, capacity } = problem;
  if (exponentialRate(indexing) !== null) return 10_000 + 300 * extra;
  const sum = Math.min(capacity / 2, heavyTailed(indexing) ? 200 + 15 * Math.log2(capacity + 1) ** 2 : 300);
  return (usualEvaluations + extra) * (20_000 + capacity * (100 + sum) + arrivalWork(indexing, capacity));
}

function heavyTailed(law: Distribution): boolean {
  if (law.type === 'weibull') return law.shape < 1;
  return law.type === 'lognormal' || law.type === 'pareto' || law.type === 'lomax';
}

function arrivalWork(law: Distribution, capacity: number): number {
  switch (law.type) {
    case 'phase-type':
      return capacity * law.initial.length ** 2 + law.initial.length ** 3;
    case 'hyperexponential':
      return 2 * capacity * law.rates.length;
    case 'empirical':
      return 300 * law.values.length;
    case 'lognormal':
    case 'weibull':
    case 'pareto':
    case 'lomax':
    case 'uniform':
      return 2_000_000 + 100 * capacity;
    default:
      return 0;
  }
}
