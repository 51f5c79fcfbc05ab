/** The one list of operations: routes, OpenAPI, limits, worker dispatch, command line and tests derive from it. */
import type { Operation } from './operation.ts';
import { accessFrequencies } from './routes/access-frequencies.ts';
import { accessSequence } from './routes/access-sequence.ts';
import { activationPolicy } from './routes/activation-policy.ts';
import { crawlAllocation } from './routes/crawl-allocation.ts';
import { crawlPlan } from './routes/crawl-plan.ts';
import { crawlerCount } from './routes/crawler-count.ts';
import { arrivalProcess } from './routes/estimates-arrival-process.ts';
import { changeRates } from './routes/estimates-change-rates.ts';
import { embarrassmentWeights } from './routes/estimates-embarrassment-weights.ts';
import { serviceTime } from './routes/estimates-service-time.ts';
import { updateProcess } from './routes/estimates-update-process.ts';
import { simulationsQueue } from './routes/simulations-queue.ts';
import { slotAssignment } from './routes/slot-assignment.ts';
import { thresholdPolicy } from './routes/threshold-policy.ts';

export const operations: readonly Operation[] = [
  crawlerCount,
  activationPolicy,
  thresholdPolicy,
  simulationsQueue,
  crawlAllocation,
  slotAssignment,
  accessFrequencies,
  accessSequence,
  changeRates,
  updateProcess,
  arrivalProcess,
  serviceTime,
  embarrassmentWeights,
  crawlPlan,
];
