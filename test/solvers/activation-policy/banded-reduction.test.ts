import { expect, it } from 'vitest';
import { bandWeights, reduceBand } from '../../../src/solvers/activation-policy/evaluate/chain/banded-reduction.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';

it('stationary weights are finite however unlikely the state is that the chain was reduced towards', () => {
  const states = 301;
  // births 5,000 times as fast as deaths: state k has 5,000^k times the weight of state 0
  const chain = {
    states,
    bandwidth: 1,
    eachRate(add: (from: number, to: number, rate: number) => void): void {
      for (let k = 0; k + 1 < states; k++) {
        add(k, k + 1, 5000);
        add(k + 1, k, 1);
      }
    },
  };
  for (const reference of [0, 100, 250, 300]) {
    const weights = bandWeights(reduceBand(chain, new Uint8Array(states).fill(1), reference, unlimitedBudget()));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    expect(weights[300] / total, `from ${reference}`).toBeCloseTo(1 - 1 / 5000, 12);
    expect((weights[299] / total) * 5000, `from ${reference}`).toBeCloseTo(1 - 1 / 5000, 12);
  }
});
