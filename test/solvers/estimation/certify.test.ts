import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { solveChangeRates } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { certifyChangeRates } from '../../oracles/estimates/change-rates.ts';

describe('certifyChangeRates', () => {
  const random = seededRandom(4);
  const pages = 300;
  const offsets = Uint32Array.from({ length: pages + 1 }, (_, i) => 12 * i);
  const elapsed = Float64Array.from({ length: 12 * pages }, () => 10 ** (4 * random() - 2));
  const outcome = Uint8Array.from(elapsed, (gap) => (random() < -Math.expm1(-gap) ? 1 : 0));
  const history = { offsets, elapsed, outcome };
  const problem = { history, method: 'maximum-likelihood', prior: 'none', confidence: 0.9 } as const;

  it('finds nothing wrong with the estimates', () => {
    expect(certifyChangeRates(problem, solveChangeRates(problem, unlimitedBudget()).solution.pages)).toEqual([]);
  });

  it('finds a rate that was moved by a millionth, and one outside its interval', () => {
    const rates = solveChangeRates(problem, unlimitedBudget()).solution.pages;
    rates.rate[7] *= 1 + 1e-6;
    rates.interval.high[9] = rates.rate[9] / 2;
    const violations = certifyChangeRates(problem, rates).join('\n');
    expect(violations).toMatch(/page 7: at .* slope/);
    expect(violations).toMatch(/page 9: the interval/);
  });
});
