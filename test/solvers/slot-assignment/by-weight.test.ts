/** Answers whose time has ended, beside the shortest rule: the heaviest task first, each to the nearest free slot. */
import { describe, expect, it } from 'vitest';
import type { Budget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { assignSlots, type SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/index.ts';

/** A budget whose time passes by being asked for. */
function patience(looks: number): Budget {
  let left = looks;
  return { stopRequested: () => left <= 0, remainingMs: () => Math.max(0, left--), seed: 0, report: () => {} };
}

/** The rule, by looking at every slot. */
function heaviestFirst({ interval, slotCounts, idealTime, weight }: SlotAssignmentProblem): number {
  const free = Array.from(slotCounts).flatMap((count) =>
    Array.from({ length: count }, (_, l) => (l * interval) / count),
  );
  const weights = weight ?? idealTime.map(() => 1);
  const order = Array.from(idealTime.keys()).sort((a, b) => weights[b] - weights[a]);
  let cost = 0;
  for (const j of order) {
    let best = 0;
    for (const [s, time] of free.entries()) {
      if (Math.abs(time - idealTime[j]) < Math.abs(free[best] - idealTime[j])) best = s;
    }
    cost += weights[j] * Math.abs(free[best] - idealTime[j]);
    free.splice(best, 1);
  }
  return cost;
}

function crowded(tasks: number, slots: readonly number[], together: number, seed: number): SlotAssignmentProblem {
  const random = seededRandom(seed);
  const heaps = Array.from({ length: 3 }, () => random());
  return {
    interval: 1,
    slotCounts: Int32Array.from(slots),
    idealTime: Float64Array.from({ length: tasks }, () =>
      random() < together ? heaps[Math.floor(3 * random())] : random(),
    ),
    weight: Float64Array.from({ length: tasks }, () => Math.exp(4 * random())),
    kind: null,
    allowed: null,
    earliest: null,
    latest: null,
    dropPenalty: Number.POSITIVE_INFINITY,
  };
}

describe('an assignment that was stopped', () => {
  it.each([
    ['in heaps', 0.5, 80],
    ['spread out', 0, 25],
    ['in heaps, soon', 0.5, 40],
  ])('is no dearer than the heaviest tasks first: %s', (_, together, looks) => {
    let stopped = 0;
    for (let seed = 0; seed < 6; seed++) {
      const problem = crowded(900, [500, 400], together, seed);
      const answer = assignSlots(problem, patience(looks), { coldSteps: 1000 });
      if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
      if (answer.status === 'feasible') stopped++;
      expect(answer.objective.value, `seed ${seed}`).toBeLessThanOrEqual(heaviestFirst(problem) * (1 + 1e-9));
    }
    expect(stopped).toBeGreaterThan(0);
  });
});
