/**
 * `activation-policy` against constant numbers of crawlers, switching all crawlers at one queue length, and as many
 * crawlers as the queue has free places.
 */
import { solveActivationPolicy } from '../../src/solvers/activation-policy/index.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { longRunCost, type StateRates } from './chains.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { axisTexts, drawPoints, type Point } from './draws.ts';

const axes = {
  capacity: [2, 5, 8],
  crawlers: [1, 3, 6],
  // offered load: pages that all crawlers bring in the mean indexing time
  load: [0.5, 1, 3],
  starvation: [0.2, 1, 10],
  crawler: [0, 0.1],
} as const;
type Case = Point<typeof axes>;

export const activationPolicyContest: Contest = {
  operation: 'activation-policy',
  instances: (size, seed) => drawPoints(axes, size === 'grid' ? 90 : 18, seed).map(instanceOf),
};

function instanceOf(point: Case): Instance {
  const { capacity, crawlers } = point;
  const counts = Array.from({ length: crawlers }, (_, k) => k + 1);
  const levels = Array.from({ length: capacity + 1 }, (_, q) => q);
  const best = (policies: readonly (readonly number[])[]) => () =>
    policies.reduce((least, targets) => Math.min(least, costOf(point, targets)), Number.POSITIVE_INFINITY);
  return {
    axes: axisTexts(point),
    solve: () => solveCase(point),
    rules: {
      'a constant number': best(counts.map((n) => levels.map(() => n))),
      'on and off at a length': best(
        counts.flatMap((n) => levels.slice(1).map((length) => levels.map((q) => (q < length ? n : 0)))),
      ),
      'as many as there is room': best([levels.map((q) => Math.min(crawlers, capacity - q))]),
    },
  };
}

function solveCase(point: Case): Outcome {
  const { capacity, crawlers, load, starvation, crawler } = point;
  const answer = solveActivationPolicy(
    {
      capacity,
      crawlerRate: load / crawlers,
      service: { type: 'exponential', rate: 1 },
      costs: { loss: 1, starvation, crawler },
      crawlers,
    },
    unlimitedBudget(),
  );
  if (answer.objective === undefined || answer.solution === undefined) throw new Error('no policy');
  const { value, gap } = answer.objective;
  return { value, gap, recomputed: costOf(point, [...answer.solution.targets]) };
}

/** After each event one crawler is activated if fewer are active than the target of the new queue length. */
function costOf({ capacity, crawlers, load, starvation, crawler }: Case, targets: readonly number[]): number {
  const rate = load / crawlers;
  const nextQueue = (length: number, active: number): number[] => [
    length,
    active < targets[length] ? active + 1 : active,
  ];
  return longRunCost([0, targets[0]], ([length, active]): StateRates => {
    const lossRate = length === capacity ? rate * active : 0;
    const moves = [[rate * active, nextQueue(Math.min(capacity, length + 1), active - 1)] as const];
    if (length > 0) moves.push([1, nextQueue(length - 1, active)]);
    return { cost: lossRate + (length === 0 ? starvation : 0) + crawler * active, moves };
  });
}
