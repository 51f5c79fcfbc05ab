import { describe, expect, it } from 'vitest';
import { bestStaticCount } from '../../../src/solvers/activation-policy/index.ts';

describe('the best static count', () => {
  it('is found without a limit even where it is a number of many digits', () => {
    const found = bestStaticCount({
      crawlerRate: 1e-9,
      indexingRate: 1,
      capacity: 10,
      starvationWeight: 1.2,
      crawlerCost: 0,
    });
    // γ(K) = (K + 2)/K = 1.2: load 1 is best, 1e9 crawlers (Liu & Nain, section 1.2.1.2); flat to rounding around it.
    expect(Math.abs(found.crawlers / 1e9 - 1)).toBeLessThan(1e-3);
    expect(found.cost).toBeCloseTo(0.2, 12);
  });
});
