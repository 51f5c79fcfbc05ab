/** Every contest; `run.ts` plays the grid, test/families a small part of it. */
import { accessSequenceContest } from './access-sequence.ts';
import { accessTeamsContest } from './access-teams.ts';
import type { Contest } from './contest.ts';
import { crawlAllocationContest } from './crawl-allocation.ts';
import { crawlPlanContest } from './crawl-plan.ts';
import { crawlScheduleContest } from './crawl-schedule.ts';
import { slotAssignmentContest } from './slot-assignment.ts';
import { teamSequencesContest } from './team-sequences.ts';

export const contests: readonly Contest[] = [
  crawlScheduleContest,
  crawlPlanContest,
  slotAssignmentContest,
  accessSequenceContest,
  accessTeamsContest,
  teamSequencesContest,
  crawlAllocationContest,
];
