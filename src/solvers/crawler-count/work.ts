import { type Distribution, exponentialRate, formOf, heavyTailed } from '../laws/index.ts';
import type { CrawlerCountProblem } from './problem.ts';

/** About how many counts one optimisation evaluates. */
const usualEvaluations = 12;

/** About how many evaluations find the counts that keep a limit, or those of a front. */
const evaluationsPerLimit = 100;
const evaluationsOfFront = 300;

/**
 * Estimated elementary steps (about 1 ns each): a few hundred an evaluation in closed form. Else it is the arrival
 * probabilities and the recursion. The recursion takes a few hundred steps a place for light tails and 15·log² K for
 * heavy ones.
 */
export function crawlerCountWork(problem: CrawlerCountProblem): number {
  const { service, capacity, evaluate = 0, constraints = {}, front } = problem;
  const asked = typeof evaluate === 'number' ? Math.sign(evaluate) : evaluate.to - evaluate.from + 1;
  const limits = evaluationsPerLimit * Object.values(constraints).length;
  const extra = asked + limits + (front === undefined ? 0 : evaluationsOfFront);
  if (exponentialRate(service) !== null) return 10_000 + 300 * extra;
  const sum = Math.min(capacity / 2, heavyTailed(service) ? 200 + 15 * Math.log2(capacity + 1) ** 2 : 300);
  return (usualEvaluations + extra) * (20_000 + capacity * (100 + sum) + arrivalWork(service, capacity));
}

function arrivalWork(law: Distribution, capacity: number): number {
  const form = formOf(law);
  switch (form.of) {
    case 'phases':
      return capacity * form.phases.n ** 2 + form.phases.n ** 3;
    case 'exponentials':
      return 2 * capacity * form.rates.length;
    case 'constants':
      return 300 * form.values.length;
    case 'density':
      return 2_000_000 + 100 * capacity;
    case 'gamma':
      return 0;
  }
}
