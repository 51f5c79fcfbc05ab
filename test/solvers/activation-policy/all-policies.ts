/**
 * The queue as a controlled chain in which every decision is open: one more crawler or not, after each arrival and each
 * departure in each state (q, r), at r·(K + 1) + q. Policy iteration on it knows nothing of switching curves.
 */
import type { ActivationModel } from '../../../src/solvers/activation-policy/model.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { ChainBuilder, ChainSolver } from '../../../src/solvers/chain/index.ts';

/** The cost of the best of all policies and its bound, by iteration from targets, which may rise. */
export function bestOfAllPolicies(model: ActivationModel, targets: ArrayLike<number>): { cost: number; bound: number } {
  const { capacity: K, crawlers: N, crawlerRate, indexingRate, weights } = model;
  const n = K + 1;
  const builder = new ChainBuilder(1);
  const choices: number[] = [];
  for (let r = 0; r <= N; r++) {
    for (let q = 0; q <= K; q++) {
      const arrivals = crawlerRate * r;
      const costs = weights.crawler * r + (q === 0 ? weights.starvation : 0) + (q === K ? weights.loss * arrivals : 0);
      const ownRow = builder.row(q + r === 0 ? [[n, 1]] : [], [costs]);
      const afterArrival = r === 0 ? [0] : [0, 1];
      // With one page and no crawler active the departure activates one.
      const afterDeparture = q === 0 || r === N ? [0] : q === 1 && r === 0 ? [1] : [0, 1];
      const options = afterArrival.flatMap((a) => afterDeparture.map((d) => [a, d]));
      const rows = options.map(([a, d]) =>
        builder.row(
          [
            [(q === K ? 0 : 1) - (r > 0 ? n * (1 - a) : 0), arrivals],
            [q === 0 ? 0 : d * n - 1, indexingRate],
          ],
          [0],
        ),
      );
      builder.state(ownRow, rows[0], rows.length);
      const wanted = [r - 1 < targets[Math.min(q + 1, K)] ? 1 : 0, q > 0 && r < targets[q - 1] ? 1 : 0];
      choices.push(
        Math.max(
          0,
          options.findIndex(([a, d]) => (r === 0 || a === wanted[0]) && d === wanted[1]),
        ),
      );
    }
  }
  const chain = builder.chain();
  const solver = new ChainSolver(chain, n, unlimitedBudget());
  const policy = chain.firstOption.map((first, s) => first + choices[s]);
  const allOptions = { from: chain.firstOption, to: chain.endOption };
  const bound = solver.minimise([1], policy, allOptions);
  return { cost: solver.evaluate([1], policy, allOptions), bound };
}
