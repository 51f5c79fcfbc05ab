/**
 * Targets that rise with the queue length, by elimination in general. They may have several recurrent classes (Liu & Nain
 * 2006, the example before Lemma 2), which are measured one by one. State (q, r) of model.ts at r·(K + 1) + q.
 */
import { type Budget, NothingToReturn, type Poll, pollOf } from '../budget.ts';
import { ChainBuilder, ChainSolver, type ControlledChain } from '../chain/index.ts';
import { ConditionNotMet } from '../condition.ts';
import { type ActivationModel, type ClassMeasures, type ModelWithoutCrawlerCount, weightedSum } from './model.ts';
import { stateCount } from './problem.ts';

/** Size limits of the elimination: its band would need more than 256 MB of doubles above them. */
const [maxEliminatedStates, maxBandEntries] = [600_000, 3.2e7];
/** Elementary steps of adding a state to the chain. */
const stepsPerState = 1000;

/**
 * The recurrent classes of targets R[0..K], the most expensive first: its cost is the guarantee from any start.
 *
 * @throws ConditionNotMet when the chain is too large, at the first target above the one before it
 * @throws NothingToReturn when the budget ends
 */
export function measureClasses(
  baseModel: ModelWithoutCrawlerCount,
  targets: Int32Array,
  budget: Budget,
): readonly ClassMeasures[] {
  const unfinishedMessage = 'the targets had not been evaluated';
  if (budget.stopRequested()) throw new NothingToReturn(unfinishedMessage);
  const { capacity, weights } = baseModel;
  // Crawlers beyond the largest target are never active for long: they only add transient states.
  const crawlers = targets.reduce((a, b) => Math.max(a, b));
  const states = stateCount(capacity, crawlers);
  if (states > maxEliminatedStates || states * (2 * capacity + 3) > maxBandEntries) {
    const rise = targets.findIndex((target, q) => q > 0 && target > targets[q - 1]);
    throw new ConditionNotMet(
      ['evaluate', 'targets', rise],
      'too-large-to-evaluate',
      `${targets[rise]} is more than the target before it, ${targets[rise - 1]}: targets that rise with the queue length ` +
        `are evaluated by general elimination, which does not fit at capacity ${capacity} with ${crawlers} ` +
        'crawlers. Make the targets non-increasing, or reduce one of the two',
    );
  }
  const n = capacity + 1;
  const chain = chainOf({ ...baseModel, crawlers }, targets, pollOf(budget, unfinishedMessage));
  return new ChainSolver(chain, n, budget)
    .recurrentClassesOf(chain.firstOption)
    .map(({ totals: [starvationProbability, lossRate, meanActive, meanQueueLength], members }) => {
      const averages = { starvationProbability, lossRate, meanActive, meanQueueLength };
      const [minActive, maxActive] = [members[0], members[members.length - 1]].map((s) => Math.floor(s / n));
      return { ...averages, cost: weightedSum(weights, averages), minActive, maxActive };
    })
    .sort((a, b) => b.cost - a.cost);
}

/** The chain under the targets, each state with one option, its costs the four averages. */
function chainOf(
  { capacity: K, crawlers: N, crawlerRate, indexingRate }: ActivationModel,
  targets: Int32Array,
  poll: Poll,
): ControlledChain {
  const n = K + 1;
  const builder = new ChainBuilder(4);
  const emptyRow = builder.row([], []);
  for (let r = 0; r <= N; r++) {
    poll(stepsPerState * n);
    const arrivals = crawlerRate * r;
    for (let q = 0; q <= K; q++) {
      const next = Math.min(q + 1, K);
      const afterArrival = next - q - (r - 1 < targets[next] ? 0 : n);
      // From q = 0 no departure; state (0, 0) does not exist and gets a move so as to be transient.
      const afterDeparture = q === 0 ? (r === 0 ? n : 0) : r < targets[q - 1] ? n - 1 : -1;
      const row = builder.row(
        [
          [afterArrival, arrivals],
          [afterDeparture, indexingRate],
        ],
        [q === 0 ? 1 : 0, q === K ? arrivals : 0, r, q],
      );
      builder.state(emptyRow, row, 1);
    }
  }
  return builder.chain();
}
