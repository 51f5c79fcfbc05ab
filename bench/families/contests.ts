/** Every contest; `run.ts` plays the grid, test/families a small part of it. */
import { accessSequenceContest } from './access-sequence.ts';
import { activationPolicyContest } from './activation-policy.ts';
import type { Contest } from './contest.ts';
import { crawlAllocationContest } from './crawl-allocation.ts';
import { crawlPlanContest } from './crawl-plan.ts';
import { crawlPriceContest } from './crawl-price.ts';
import { crawlScheduleContest } from './crawl-schedule.ts';
import { slotAssignmentContest } from './slot-assignment.ts';
import { thresholdPolicyContest } from './threshold-policy.ts';

export const contests: readonly Contest[] = [
  crawlScheduleContest,
  crawlPlanContest,
  slotAssignmentContest,
  accessSequenceContest,
  crawlAllocationContest,
  crawlPriceContest,
  activationPolicyContest,
  thresholdPolicyContest,
];
