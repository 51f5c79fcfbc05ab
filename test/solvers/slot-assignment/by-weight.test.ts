/** Answers whose time has ended, beside the shortest rule: the heaviest task first, each to the nearest free slot. */
import { describe, expect, it } from 'vitest';
import { type Budget, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { assignSlots, type SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/index.ts';
import { slotGrid } from '../../../src/solvers/slot-assignment/instance/instance.ts';
import {
  type MatchingProblem,
  matchingProblem,
} from '../../../src/solvers/slot-assignment/instance/matching-problem.ts';
import { partsOf, partTasks } from '../../../src/solvers/slot-assignment/instance/parts.ts';
import { everySlot, slotGroups } from '../../../src/solvers/slot-assignment/instance/slot-order.ts';
import { dealtLike, placedByWeight } from '../../../src/solvers/slot-assignment/matching/by-weight.ts';
import { defined } from '../../defined.ts';
import { examineAssignment } from '../../oracles/slot-assignment.ts';

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

  it('begins near the best at full load where each task may go to a few crawlers of ten', () => {
    const { instance, problem, relaxed, best } = keptApart({ together: 0.3, forbidden: 0.8 });
    const free = placedByWeight(relaxed, unlimitedBudget());
    const placed = free && dealtLike(problem, free, instance.interval, unlimitedBudget());
    if (placed === null) throw new Error('there was time for it');
    // each to the nearest free slot of its own crawlers would be half as dear again
    expect(costOf(instance, problem, placed)).toBeLessThan(1.3 * best);
  });

  it('is nearly the best where each task may go to half of ten crawlers, dealt from the best without regard to them', () => {
    const { instance, problem, best } = keptApart({ together: 0, forbidden: 0.5 });
    const free = assignSlots({ ...instance, allowed: null }, unlimitedBudget());
    if (free.status !== 'optimal') throw new Error('there are as many slots as tasks');
    const denseSlot = new Map(Array.from(problem.lines.gridSlot, (slot, s) => [slot, s]));
    const near = free.slotOf.map((slot) => defined(denseSlot.get(slot)));
    const placed = dealtLike(problem, near, instance.interval, unlimitedBudget());
    if (placed === null) throw new Error('there was time for it');
    // in windows of four slots a crawler it was half as dear again
    expect(costOf(instance, problem, placed)).toBeLessThan(1.05 * best);
  });
});

/** As many tasks as slots of ten crawlers, each kept to some of these. */
function keptApart({ together, forbidden }: { readonly together: number; readonly forbidden: number }): {
  readonly instance: SlotAssignmentProblem;
  readonly problem: MatchingProblem;
  /** As if each task could use every crawler. */
  readonly relaxed: MatchingProblem;
  readonly best: number;
} {
  const slots = Array.from({ length: 10 }, () => 200);
  const open = crowded(2000, slots, together, 5);
  const random = seededRandom(105);
  const lists = Array.from({ length: 2000 }, (_, j) => {
    const some = Array.from({ length: 10 }, (_, k) => k).filter(() => random() >= forbidden);
    return some.length > 0 ? some : [j % 10];
  });
  const start = Int32Array.from([0, ...lists.map(({ length }) => length)]);
  for (let j = 0; j < 2000; j++) start[j + 1] += start[j];
  const instance = { ...open, allowed: { start, crawlers: Int32Array.from(lists.flat()) } };
  const best = assignSlots(instance, unlimitedBudget());
  if (best.status !== 'optimal') throw new Error('there are as many slots as tasks');
  const grid = slotGrid(instance.interval, instance.slotCounts);
  const groups = slotGroups(grid, null);
  const [part] = partsOf(instance);
  const tasks = partTasks(instance, part, groups.time[groups.time.length - 1]);
  const problem = matchingProblem(instance, grid, part, tasks, everySlot(groups));
  const relaxed = matchingProblem({ ...instance, allowed: null }, grid, part, tasks, everySlot(groups));
  return { instance, problem, relaxed, best: best.objective.value };
}

/** What an assignment of all tasks costs, by the certificate. */
function costOf(instance: SlotAssignmentProblem, { lines }: MatchingProblem, slotOf: Int32Array): number {
  const onGrid = slotOf.map((s) => lines.gridSlot[s]);
  const { violations, value } = examineAssignment(instance, onGrid, null);
  expect(violations).toEqual([]);
  return value;
}
