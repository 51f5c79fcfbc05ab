/**
 * `threshold-policy`, stopped early or with phases in sight, against every fixed mode and every pair of modes
 * that changes at one queue length.
 */
import type { Budget } from '../../src/solvers/budget.ts';
import { solveThresholdPolicy } from '../../src/solvers/threshold-policy/index.ts';
import { longRunCost, type StateRates } from './chains.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { axisTexts, type Draw, drawPoints, type Point, seededDraw } from './draws.ts';

const axes = {
  capacity: [2, 5, 12],
  modes: [1, 2, 5],
  // offered load: pages of all crawlers in the mean indexing time
  load: [0.5, 1, 4],
  // arrival rate of the fast phase relative to the slow one
  bursts: [1, 10],
  obsolescence: ['never', 'soon'],
  starvation: [0.2, 5, 50],
  observe: ['queue-length', 'queue-length', 'phases'],
  // polls until the budget ends: two for each policy that the rules evaluate
  polls: [300, 1e9, 1e9],
} as const;
type Case = Point<typeof axes>;

const costs = { loss: 2, obsolescence: 3, response: 0, crawler: 0.3 };
const expiry = { never: 0, soon: 0.3 } as const;

export const thresholdPolicyContest: Contest = {
  operation: 'threshold-policy',
  instances(size, seed) {
    return drawPoints(axes, size === 'grid' ? 90 : 18, seed).map((point, k) => instanceOf(point, seed * 1000 + k));
  },
};

/** For each mode, from one crawler up: rates of single pages and of pairs in both phases. */
type Arrivals = readonly { readonly single: readonly number[]; readonly pair: readonly number[] }[];
/** Transition rates from the fast phase to the slow one, and back. */
const phaseExitRates = [0.3, 0.1];

function instanceOf(point: Case, seed: number): Instance {
  const arrivals = drawArrivals(point, seededDraw(seed));
  const levels = Array.from({ length: point.capacity + 1 }, (_, q) => q);
  const counts = arrivals.map((_, k) => k + 1);
  const best = (policies: readonly (readonly number[])[]) => () =>
    policies.reduce((least, policy) => Math.min(least, costOf(point, arrivals, policy)), Number.POSITIVE_INFINITY);
  return {
    axes: axisTexts(point),
    solve: () => solveCase(point, arrivals),
    rules: {
      'one mode': best(counts.map((n) => levels.map(() => n))),
      'two modes': best(
        counts.flatMap((many) =>
          counts
            .filter((few) => few < many)
            .flatMap((few) => levels.slice(1).map((length) => levels.map((q) => (q < length ? many : few)))),
        ),
      ),
    },
  };
}

function drawArrivals({ modes, load, bursts }: Case, draw: Draw): Arrivals {
  return Array.from({ length: modes }, (_, k) => {
    const each = (load * (k + 1) * (0.7 + 0.6 * draw())) / modes;
    const byPhase = [each * bursts, each].map((rate) => rate / (0.25 * bursts + 0.75));
    const pairs = 0.3 * draw();
    return { single: byPhase.map((rate) => rate * (1 - pairs)), pair: byPhase.map((rate) => (rate * pairs) / 2) };
  });
}

/** A budget that ends after a number of polls, the same on every machine. */
function pollsBudget(polls: number): Budget {
  let pollCount = 0;
  return { seed: 0, stopRequested: () => pollCount++ >= polls, remainingMs: () => 1e9, report: () => {} };
}

function solveCase(point: Case, arrivals: Arrivals): Outcome {
  const { capacity, obsolescence, starvation, observe, polls } = point;
  const rate = expiry[obsolescence];
  const diagonal = ([fast, slow]: readonly number[]): number[][] => [
    [fast, 0],
    [0, slow],
  ];
  const answer = solveThresholdPolicy(
    {
      capacity,
      arrivals: {
        model: 'per-mode',
        modes: arrivals.map(({ single, pair }, k) => {
          const diagonalRate = (phase: number): number => -single[phase] - pair[phase] - phaseExitRates[phase];
          return {
            crawlers: k + 1,
            matrices: [
              [
                [diagonalRate(0), phaseExitRates[0]],
                [phaseExitRates[1], diagonalRate(1)],
              ],
              diagonal(single),
              diagonal(pair),
            ],
          };
        }),
      },
      service: { initial: [1], generator: [[-1]] },
      obsolescence: rate === 0 ? null : { initial: [1], generator: [[-rate]] },
      costs: { ...costs, starvation },
      observe,
    },
    pollsBudget(polls),
  );
  if (answer.objective === undefined || answer.solution === undefined) throw new Error('no policy');
  const { value, gap } = answer.objective;
  if (observe !== 'queue-length') return { value, gap };
  return { value, gap, recomputed: costOf(point, arrivals, answer.solution.crawlersByQueueLength) };
}

/** Pages of a batch that find no place are lost; waiting pages expire. */
function costOf({ capacity, obsolescence, starvation }: Case, arrivals: Arrivals, policy: ArrayLike<number>): number {
  return longRunCost([0, 0], ([length, phase]): StateRates => {
    const active = policy[length];
    const { single, pair } = arrivals[active - 1];
    const renegeRate = expiry[obsolescence] * Math.max(0, length - 1);
    const lossRate =
      single[phase] * Math.max(0, length + 1 - capacity) + pair[phase] * Math.max(0, length + 2 - capacity);
    return {
      cost:
        costs.loss * lossRate +
        costs.obsolescence * renegeRate +
        costs.crawler * active +
        (length === 0 ? starvation : 0),
      moves: [
        [phaseExitRates[phase], [length, 1 - phase]],
        [single[phase], [Math.min(capacity, length + 1), phase]],
        [pair[phase], [Math.min(capacity, length + 2), phase]],
        [length > 0 ? 1 + renegeRate : 0, [length - 1, phase]],
      ],
    };
  });
}
