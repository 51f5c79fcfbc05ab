/**
 * `activation-policy`, stopped early or where indexing and batches are not in sight. The rules: constant numbers, on and
 * off at one queue length, and as many crawlers as there is room.
 */
import { solveActivationPolicy } from '../../src/solvers/activation-policy/index.ts';
import { type Leaving, longRunCost } from './chains.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { named, type Point, points } from './draws.ts';
import { pollsBudget } from './polls.ts';

const axes = {
  capacity: [2, 5, 8],
  crawlers: [1, 3, 6],
  // pages that all crawlers bring in the time of one
  load: [0.5, 1, 3],
  batches: ['single', 'pairs', 'bursts'],
  service: ['exponential', 'in two phases', 'long or short'],
  starvation: [0.2, 1, 10],
  crawler: [0, 0.1],
  // times it looks at its budget before that is at its end
  polls: [1, 30, 1e9],
} as const;
type Case = Point<typeof axes>;

export const activationPolicyContest: Contest = {
  operation: 'activation-policy',
  instances: (size, seed) => points(axes, size === 'grid' ? 90 : 18, seed).map(instanceOf),
};

/** Shares of batches of 1, 2, … pages. */
const batchShares = { single: [1], pairs: [0.5, 0.5], bursts: [0.8, 0, 0, 0, 0.2] } as const;
/** Where indexing begins, and the rates between its phases; what is left of a row leaves. A page takes 1 in the mean. */
const services = {
  exponential: { initial: [1], generator: [[-1]] },
  'in two phases': {
    initial: [1, 0],
    generator: [
      [-2, 2],
      [0, -2],
    ],
  },
  'long or short': {
    initial: [0.9, 0.1],
    generator: [
      [-1.8, 0],
      [0, -0.2],
    ],
  },
} as const;

function instanceOf(point: Case): Instance {
  const { capacity, crawlers } = point;
  const counts = Array.from({ length: crawlers }, (_, k) => k + 1);
  const levels = Array.from({ length: capacity + 1 }, (_, q) => q);
  const best = (policies: readonly (readonly number[])[]) => () =>
    policies.reduce((least, targets) => Math.min(least, costOf(point, targets)), Number.POSITIVE_INFINITY);
  return {
    axes: named(point),
    solve: () => solved(point),
    rules: {
      'a constant number': best(counts.map((n) => levels.map(() => n))),
      'on and off at a length': best(
        counts.flatMap((n) => levels.slice(1).map((length) => levels.map((q) => (q < length ? n : 0)))),
      ),
      'as many as there is room': best([levels.map((q) => Math.min(crawlers, capacity - q))]),
    },
  };
}

function solved(point: Case): Outcome {
  const { capacity, crawlers, batches, service, starvation, crawler, polls } = point;
  const answer = solveActivationPolicy(
    {
      capacity,
      crawlerRate: rateOfOne(point),
      batchSizes: batchShares[batches].map((probability, k) => ({ size: k + 1, probability })).filter(isSome),
      service:
        service === 'exponential' ? { type: 'exponential', rate: 1 } : { type: 'phase-type', ...services[service] },
      costs: { loss: 1, starvation, crawler },
      crawlers,
    },
    pollsBudget(polls),
  );
  if (answer.objective === undefined || answer.solution === undefined) throw new Error('no policy');
  const { value, gap } = answer.objective;
  return { value, gap, recomputed: costOf(point, [...answer.solution.targets]) };
}

const isSome = ({ probability }: { readonly probability: number }): boolean => probability > 0;

function rateOfOne({ crawlers, load, batches }: Case): number {
  return load / crawlers / batchShares[batches].reduce((sum: number, share, k) => sum + share * (k + 1), 0);
}

/** After an event one crawler begins where fewer than the new length's target are active. */
function costOf(point: Case, targets: readonly number[]): number {
  const { capacity, batches, service, starvation, crawler } = point;
  const rate = rateOfOne(point);
  const { initial, generator } = services[service];
  const after = (length: number, phase: number, active: number): number[] => [
    length,
    length === 0 ? 0 : phase,
    active < targets[length] ? active + 1 : active,
  ];
  /** From an empty queue indexing begins in a phase of its own. */
  const begun = (from: number, length: number, phase: number, active: number, moveRate: number) =>
    from > 0 && length > 0
      ? [[moveRate, after(length, phase, active)] as const]
      : initial.map((share, first) => [moveRate * share, after(length, first, active)] as const);
  return longRunCost([0, 0, targets[0]], ([length, phase, active]): Leaving => {
    let lost = 0;
    const moves = batchShares[batches].flatMap((share, k) => {
      const next = Math.min(capacity, length + k + 1);
      lost += rate * active * share * (length + k + 1 - next);
      return begun(length, next, phase, active - 1, rate * active * share);
    });
    if (length > 0) {
      const row: readonly number[] = generator[phase];
      const exit = -row.reduce((sum, each) => sum + each, 0);
      for (const [to, each] of row.entries()) if (to !== phase) moves.push([each, [length, to, active]]);
      moves.push(...begun(0, length - 1, phase, active, exit));
    }
    return { cost: lost + (length === 0 ? starvation : 0) + crawler * active, moves };
  });
}
