/** Elimination and policy iteration against dense linear algebra and against trying every policy. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  BandedRates,
  ChainBuilder,
  ChainSolver,
  type ControlledChain,
  EliminatedChain,
} from '../../../src/solvers/chain/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

/** Stationary probabilities of a generator by Gauss and Jordan, all states recurrent or transient to one class. */
function stationary(rates: number[][]): number[] {
  const n = rates.length;
  const rows = rates.map((_, j) => [
    ...rates.map((row, i) => (j === 0 ? 1 : i === j ? row[j] - row.reduce((a, b) => a + b, 0) : row[j])),
    j === 0 ? 1 : 0,
  ]);
  for (let c = 0; c < n; c++) {
    const pivot = rows.reduce((most, row, r) => (r >= c && Math.abs(row[c]) > Math.abs(rows[most][c]) ? r : most), c);
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    rows[c] = rows[c].map((x) => x / rows[c][c]);
    for (let r = 0; r < n; r++) if (r !== c) rows[r] = rows[r].map((x, k) => x - rows[r][c] * rows[c][k]);
  }
  return rows.map((row) => row[n]);
}

/** A chain of a few states, each of whose options moves at most two up and one down. */
function randomChain(seed: number, states: number): ControlledChain {
  const random = seededRandom(seed);
  const builder = new ChainBuilder(2);
  for (let s = 0; s < states; s++) {
    const options = Array.from({ length: 1 + Math.floor(3 * random()) }, () => {
      const moves = [-1, 1, 2]
        .filter((offset) => s + offset >= 0 && s + offset < states)
        .map((offset) => [offset, offset < 0 || random() < 0.7 ? 0.1 + random() : 0] as const);
      return builder.row(moves, [random(), 3 * random()]);
    });
    builder.state(builder.row(s === 0 ? [[1, 0.3]] : [], [random(), 0]), options[0], options.length);
  }
  return builder.chain();
}

function denseRates({ states, begins, offsets, rates, ownRow }: ControlledChain, policy: Int32Array) {
  const dense = Array.from({ length: states }, () => new Array<number>(states).fill(0));
  for (let s = 0; s < states; s++) {
    for (const row of [ownRow[s], policy[s]]) {
      for (let i = begins[row]; i < begins[row + 1]; i++) dense[s][s + offsets[i]] += rates[i];
    }
  }
  return dense;
}

function averageCostOf(chain: ControlledChain, policy: Int32Array, weights: readonly number[]): number {
  return stationary(denseRates(chain, policy)).reduce(
    (sum, share, s) =>
      [chain.ownRow[s], policy[s]].reduce(
        (all, row) => all + share * weights.reduce((total, weight, c) => total + weight * chain.costs[c][row], 0),
        sum,
      ),
    0,
  );
}

function* policiesOf(chain: ControlledChain, s = 0, policy = new Int32Array(chain.states)): Generator<Int32Array> {
  if (s === chain.states) {
    yield policy.slice();
    return;
  }
  for (let option = chain.firstOption[s]; option < chain.endOption[s]; option++) {
    policy[s] = option;
    yield* policiesOf(chain, s + 1, policy);
  }
}

describe('a controlled chain', () => {
  it('has the gain and the shares that dense elimination finds, and the optimum of all its policies, proved', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const chain = randomChain(seed, 6);
      const weights = [1, seed % 2 === 0 ? 0.5 : 0];
      const solver = new ChainSolver(chain, 0, unlimitedBudget());
      const policy = chain.firstOption.slice();
      const allOptions = { from: chain.firstOption, to: chain.endOption };
      expect(solver.evaluate(weights, policy, allOptions)).toBeCloseTo(averageCostOf(chain, policy, weights), 12);
      for (const [s, share] of stationary(denseRates(chain, policy)).entries()) {
        expect(solver.stationaryDistribution[s]).toBeCloseTo(share, 12);
      }
      const bound = solver.minimise(weights, policy, allOptions);
      const minCost = [...policiesOf(chain)].reduce(
        (best, each) => Math.min(best, averageCostOf(chain, each, weights)),
        1 / 0,
      );
      expect(averageCostOf(chain, policy, weights)).toBeCloseTo(minCost, 11);
      expect(bound).toBeLessThanOrEqual(minCost + 1e-13);
      expect(bound).toBeGreaterThan(minCost - 1e-10);
    }
  });

  it('has its averages class by class, and leads to the cheapest where an option can', () => {
    const builder = new ChainBuilder(1);
    // two pairs of states that only the second option of state 1 connects
    const still = builder.row([], [0]);
    const up = builder.row([[1, 1]], [5]);
    const down = builder.row([[-1, 1]], [5]);
    const across = builder.row([[1, 1]], [5]);
    builder.state(still, up, 1);
    builder.state(still, down, 2);
    builder.state(still, builder.row([[1, 1]], [2]), 1);
    builder.state(still, builder.row([[-1, 1]], [4]), 1);
    const chain = builder.chain();
    const solver = new ChainSolver(chain, 0, unlimitedBudget());
    const policy = chain.firstOption.slice();
    const classes = solver.recurrentClassesOf(policy).map(({ members, totals }) => [members, totals[0]]);
    expect(classes).toContainEqual([[0, 1], 5]);
    expect(classes).toContainEqual([[2, 3], 3]);
    const allOptions = { from: chain.firstOption, to: chain.endOption };
    expect(solver.evaluate([1], policy, allOptions)).toBeCloseTo(3, 12);
    expect([...policy]).toEqual(Array.from(chain.firstOption, (first, s) => (s === 1 ? across : first)));
  });
});

it('stationary weights are finite however unlikely the state is that the chain was reduced towards', () => {
  const states = 301;
  for (const reference of [0, 100, 250, 300]) {
    // births 5,000 times as fast as deaths: state k has 5,000^k times the weight of state 0
    const band = new BandedRates(states, 1, 1);
    for (let k = 0; k + 1 < states; k++) {
      band.add(k, k + 1, 5000);
      band.add(k + 1, k, 1);
    }
    const weights = new EliminatedChain(band, reference).weights();
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    expect(weights[300] / total, `from ${reference}`).toBeCloseTo(1 - 1 / 5000, 12);
    expect((weights[299] / total) * 5000, `from ${reference}`).toBeCloseTo(1 - 1 / 5000, 12);
  }
});
