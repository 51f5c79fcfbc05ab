/** The one list of operations: routes, OpenAPI, limits, worker dispatch, command line and tests derive from it. */
import { accessFrequencies } from './access-frequencies.ts';
import { accessSequence } from './access-sequence.ts';
import { activationPolicy } from './activation-policy.ts';
import { crawlAllocation } from './crawl-allocation.ts';
import { crawlPlan } from './crawl-plan.ts';
import { crawlPrice } from './crawl-price.ts';
import { crawlSchedule } from './crawl-schedule.ts';
import { crawlerCount } from './crawler-count.ts';
import { arrivalProcess } from './estimates/arrival-process.ts';
import { changeRates } from './estimates/change-rates.ts';
import { changeSignals } from './estimates/change-signals.ts';
import { embarrassmentWeights } from './estimates/embarrassment-weights.ts';
import { freshness } from './estimates/freshness.ts';
import { hostLimits } from './estimates/host-limits.ts';
import { serviceTime } from './estimates/service-time.ts';
import { updateProcess } from './estimates/update-process.ts';
import type { Operation } from './operation.ts';
import { simulationsQueue } from './simulations/queue.ts';
import { slotAssignment } from './slot-assignment.ts';
import { thresholdPolicy } from './threshold-policy.ts';

/** The operations by their names in the library, in the order of the documentation. */
export const namedOperations = {
  crawlPlan,
  changeRates,
  freshness,
  hostLimits,
  changeSignals,
  crawlAllocation,
  crawlSchedule,
  slotAssignment,
  crawlPrice,
  accessFrequencies,
  accessSequence,
  crawlerCount,
  activationPolicy,
  thresholdPolicy,
  simulationsQueue,
  updateProcess,
  arrivalProcess,
  serviceTime,
  embarrassmentWeights,
};

export const operations: readonly Operation[] = Object.values(namedOperations);
