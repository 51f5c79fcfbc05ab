import * as contract from '../schemas/slot-assignment.ts';
import { solveSlotAssignment } from '../solvers/slot-assignment/index.ts';
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
  request: contract.slotAssignmentRequest,
  solution: contract.slotAssignmentSolution,
  supplement: {},
  conflict: contract.slotAssignmentConflict,
  sentence: contract.slotAssignmentSentence,
  objective: { measure: 'distance from the ideal times, by weight', unit: 'weight × time' },
  examples: {
    'slot-assignment': 'Tasks of both kinds with weights, a window and crawlers they are kept to',
    'slot-assignment-infeasible': 'Release tasks that come too late for the slots that are left',
  },
  limits: contract.slotAssignmentLimits,
  work: estimatedWork,
  solve: ({ instance: problem, crawlerIds: ids }, budget) => solveSlotAssignment({ problem, ids }, budget),
});

/** Work in ns: about 150 a task or slot if the sweep suffices, several thousand if augmenting paths are searched. */
function estimatedWork({ instance }: contract.CheckedSlotAssignment): number {
  const { weight, allowed, earliest, latest, kind, dropPenalty } = instance;
  const slots = instance.slotCounts.reduce((sum, count) => sum + count, 0);
  const size = instance.idealTime.length + slots;
  const mayDrop = kind !== null && dropPenalty < Number.POSITIVE_INFINITY;
  const needsSearch = weight !== null || earliest !== null || latest !== null || allowed !== null || mayDrop;
  return size * (needsSearch ? 5000 : 150);
}
