import { examineAssignment } from '../certificates/slot-assignment.ts';
import {
  type CheckedSlotAssignment,
  slotAssignmentBeside,
  slotAssignmentConflict,
  slotAssignmentLimits,
  slotAssignmentRequest,
  slotAssignmentSentence,
  slotAssignmentSolution,
} from '../schemas/slot-assignment.ts';
import { relativeGap } from '../solvers/answer.ts';
import type { Budget } from '../solvers/budget.ts';
import {
  deviationOf,
  type FoundAssignment,
  slotGrid,
  solveSlotAssignment,
  tasksPerCrawler,
} from '../solvers/slot-assignment/index.ts';
import { defineOperation } from './operation.ts';

/** Which crawler makes each crawl, and when (Wolf et al. 2002, section 3). */
export const slotAssignment = defineOperation({
  name: 'slot-assignment',
  tag: 'schedules',
  summary: 'Which crawler makes each crawl, and in which time slot',
  description: [
    'Gives every task a slot of a crawler so that Σ weight·|time − idealTime| is least. Slot l (from 0) of a crawler with S slots starts at',
    'l·interval/S and takes one task. A `release` task (a page known to change at its ideal time) must not run early. Tasks may be kept to',
    'some crawlers and to a window of time, and may be dropped at a penalty.',
    '',
    'The answer is exact: a linear sweep if weights are equal and only releases restrict, otherwise successive shortest paths with slot',
    'prices as proof. At the time limit the answer is `feasible`, and `gap` is what the prices still prove.',
    '',
    'Source: J. L. Wolf, M. S. Squillante, P. S. Yu, J. Sethuraman, L. Ozsen, Optimal crawling strategies for web search engines,',
    'WWW 2002, section 3, with the start of slot l corrected to (l − 1)·T/S.',
  ].join('\n'),
  request: slotAssignmentRequest,
  solution: slotAssignmentSolution,
  beside: slotAssignmentBeside,
  conflict: slotAssignmentConflict,
  sentence: slotAssignmentSentence,
  objective: { measure: 'distance from the ideal times, by weight', unit: 'weight × time' },
  examples: [
    { name: 'slot-assignment', summary: 'Tasks of both kinds with weights, a window and crawlers they are kept to' },
    { name: 'slot-assignment-columns', summary: 'The same kind of question in columns, with the certificate' },
    { name: 'slot-assignment-penalty', summary: 'More tasks than slots, dropped where that is cheaper' },
    { name: 'slot-assignment-infeasible', summary: 'Release tasks that come too late for the slots that are left' },
  ],
  limits: slotAssignmentLimits,
  work: estimatedWork,
  solve(request, budget) {
    const { instance, tasks, crawlerIds } = request;
    const outcome = solveSlotAssignment(instance, request.certify ? leavingTime(budget) : budget, {
      prices: request.certify,
    });
    const sizes = { tasks: tasks.length, slots: slotGrid(instance.interval, instance.slotCounts).total };
    if (outcome.status === 'infeasible') {
      return { status: 'infeasible', conflict: outcome.conflict, statistics: { solver: 'hall-set', ...sizes } };
    }
    const deviation = deviationOf(instance.idealTime, outcome.placement);
    return {
      status: outcome.status,
      objective: outcome.objective,
      solution: {
        tasks: taskColumns(outcome),
        dropped: outcome.droppedCount,
        idleSlots: outcome.idleSlots,
        deviation: deviation ?? { mean: null, p95: null, max: null },
        crawlers: crawlersOf(request, outcome, crawlerIds),
      },
      beside: request.certify ? { certificate: certificateOf(request, outcome, budget) } : {},
      statistics: { solver: outcome.method, ...sizes, parts: outcome.parts, visits: outcome.visits },
    };
  },
});

/** Crawler, slot and time by task; where tasks are dropped, NaN stands for the null they become. */
function taskColumns({ placement, droppedCount }: FoundAssignment) {
  const { crawler, slot, time } = placement;
  if (droppedCount === 0) return { crawler, slot, time };
  return { crawler: orNaN(crawler), slot: orNaN(slot), time };
}

/** Written as a loop: ten million positions take seconds by Float64Array.from. */
function orNaN(positions: Int32Array): Float64Array {
  const values = new Float64Array(positions.length);
  for (let i = 0; i < values.length; i++) values[i] = positions[i] < 0 ? Number.NaN : positions[i];
  return values;
}

function crawlersOf(
  { instance }: CheckedSlotAssignment,
  outcome: FoundAssignment,
  ids: readonly (string | undefined)[],
) {
  const counts = tasksPerCrawler(slotGrid(instance.interval, instance.slotCounts), outcome.placement);
  return Array.from(counts, (count, k) => {
    const slots = instance.slotCounts[k];
    const id = ids[k];
    return { ...(id !== undefined && { id }), slots, tasks: count, utilisation: slots > 0 ? count / slots : null };
  });
}

/** The same budget but for a quarter of its time, which is left for the certificate. */
function leavingTime(budget: Budget): Budget {
  const whole = budget.remainingMs();
  if (whole === Number.POSITIVE_INFINITY) return budget;
  const remainingMs = (): number => Math.max(0, budget.remainingMs() - whole / 4);
  return {
    seed: budget.seed,
    remainingMs,
    stopRequested: () => budget.stopRequested() || remainingMs() === 0,
    report: (progress) => budget.report(progress),
  };
}

function certificateOf({ instance }: CheckedSlotAssignment, outcome: FoundAssignment, budget: Budget) {
  const { slotOf, prices } = outcome;
  const { feasible, violations, value, bound } = examineAssignment(instance, slotOf, prices, budget);
  // Where the time ended before there were prices, all that is proved is that costs are not negative.
  const proved = prices === null ? 0 : bound;
  return {
    feasible,
    violations: [...violations],
    value,
    bound: proved,
    gap: relativeGap(value, proved),
  };
}

/** About 150 ns a task or slot where the sweep answers, several microseconds where paths are searched. */
function estimatedWork({ instance, certify: certified }: CheckedSlotAssignment): number {
  const { weight, allowed, earliest, latest, kind, dropPenalty } = instance;
  const slots = instance.slotCounts.reduce((sum, count) => sum + count, 0);
  const size = instance.idealTime.length + slots;
  const dropping = kind !== null && dropPenalty < Number.POSITIVE_INFINITY;
  const searched = weight !== null || earliest !== null || latest !== null || allowed !== null || dropping;
  return size * (searched ? 5000 : 150) + (certified ? 2000 * size : 0);
}
