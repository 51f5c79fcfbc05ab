/** Random small queues for properties: every model feature may occur. */
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import type { CostWeights } from '../../../src/solvers/queue/measures.ts';
import type { Matrix, PhaseTypeLaw, QueueDescription } from '../../../src/solvers/queue/queue.ts';

export interface RandomQueueOptions {
  readonly capacity?: number;
  readonly modes?: number;
  readonly obsolescencePhases?: number;
  readonly exponential?: boolean;
}

const integer = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
/** A rate over two orders of magnitude. */
const rate = (random: Random): number => 10 ** (2 * random() - 1.2);
const rateOrZero = (random: Random): number => (random() < 0.35 ? 0 : rate(random));

/** A law of n phases that ends from every phase, some rates 0. */
export function randomLaw(random: Random, n: number): PhaseTypeLaw {
  const weights = Array.from({ length: n }, () => (random() < 0.3 ? 0 : random() + 0.05));
  if (Math.max(...weights) === 0) weights[n - 1] = 1;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const generator = Array.from({ length: n }, (_, i) => {
    const row = Array.from({ length: n }, (_unused, j) => (i === j ? 0 : rateOrZero(random)));
    // Some phases have no exit of their own; the last one has, and they lead to it.
    const exit = random() < 0.25 && i < n - 1 ? 0 : rate(random);
    if (exit === 0) row[n - 1] += rate(random);
    row[i] = -(row.reduce((sum, value) => sum + value, 0) + exit);
    return row;
  });
  return { initial: weights.map((weight) => weight / total), generator };
}

function randomProcess(random: Random, phases: number, batches: number): Matrix[] {
  const matrices: number[][][] = Array.from({ length: batches + 1 }, (_, k) =>
    Array.from({ length: phases }, (_row, i) =>
      Array.from({ length: phases }, (_cell, j) => (k === 0 && i === j ? 0 : rateOrZero(random))),
    ),
  );
  // Irreducible, and some pages.
  for (let i = 0; i < phases; i++)
    if (phases > 1) matrices[integer(random, 0, batches)][i][(i + 1) % phases] += rate(random);
  matrices[1][0][0] += rate(random);
  for (let i = 0; i < phases; i++) {
    let sum = 0;
    for (const matrix of matrices) for (const value of matrix[i]) sum += value;
    matrices[0][i][i] = -sum;
  }
  return matrices;
}

export function randomQueue(seed: number, options: RandomQueueOptions = {}): QueueDescription {
  const random = seededRandom(seed);
  const phases = integer(random, 1, 2);
  const modes = options.modes ?? integer(random, 1, 4);
  const admission = (['partial', 'complete-rejection', 'complete-admission'] as const)[integer(random, 0, 2)];
  const capacity = options.capacity ?? integer(random, 1, 4);
  const obsolescencePhases = options.obsolescencePhases ?? integer(random, 1, 2);
  return {
    capacity,
    arrivals: {
      model: 'per-mode',
      modes: Array.from({ length: modes }, (_, i) => ({
        crawlers: i + 1,
        matrices: randomProcess(random, phases, integer(random, 1, 3)),
      })),
    },
    service: randomLaw(random, integer(random, 1, 2)),
    obsolescence:
      random() < 0.15 && options.obsolescencePhases === undefined
        ? null
        : randomLaw(random, options.exponential ? 1 : obsolescencePhases),
    admission,
  };
}

export function randomCosts(seed: number): CostWeights {
  const random = seededRandom(seed + 0.5);
  const weight = (): number => (random() < 0.2 ? 0 : 10 ** (3 * random() - 1));
  return { loss: weight(), obsolescence: weight(), response: weight(), crawler: weight(), starvation: weight() };
}

/** Random crawlers by queue length, non-increasing. */
export function randomPolicy(seed: number, description: QueueDescription): number[] {
  const random = seededRandom(seed + 0.25);
  const counts =
    description.arrivals.model === 'per-mode' ? description.arrivals.modes.map(({ crawlers }) => crawlers) : [1];
  return Array.from({ length: description.capacity + 1 }, () => counts[integer(random, 0, counts.length - 1)]).sort(
    (a, b) => b - a,
  );
}
