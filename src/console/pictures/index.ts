/** The pictures of each operation, by its name; one without an entry is shown as figures and JSON. */
import { accessFrequencies } from './access-frequencies.ts';
import { accessSequence } from './access-sequence.ts';
import { activationPolicy } from './activation-policy.ts';
import { changeSignals } from './change-signals.ts';
import { crawlAllocation } from './crawl-allocation.ts';
import { crawlPlan } from './crawl-plan.ts';
import { crawlPrice } from './crawl-price.ts';
import { crawlSchedule } from './crawl-schedule.ts';
import { crawlerCount } from './crawler-count.ts';
import { arrivalProcess, changeRates, embarrassmentWeights, serviceTime, updateProcess } from './estimates.ts';
import { hostLimits } from './host-limits.ts';
import type { Illustrator } from './picture.ts';
import { simulationsPages } from './simulations-pages.ts';
import { simulationsQueue } from './simulations-queue.ts';
import { slotAssignment } from './slot-assignment.ts';
import { thresholdPolicy } from './threshold-policy.ts';

export const illustrators: Readonly<Record<string, Illustrator>> = {
  'crawler-count': crawlerCount,
  'activation-policy': activationPolicy,
  'threshold-policy': thresholdPolicy,
  'access-frequencies': accessFrequencies,
  'access-sequence': accessSequence,
  'crawl-allocation': crawlAllocation,
  'slot-assignment': slotAssignment,
  'crawl-schedule': crawlSchedule,
  'estimates/change-rates': changeRates,
  'estimates/update-process': updateProcess,
  'estimates/arrival-process': arrivalProcess,
  'estimates/service-time': serviceTime,
  'estimates/embarrassment-weights': embarrassmentWeights,
  'estimates/change-signals': changeSignals,
  'estimates/host-limits': hostLimits,
  'crawl-plan': crawlPlan,
  'crawl-price': crawlPrice,
  'simulations/queue': simulationsQueue,
  'simulations/pages': simulationsPages,
};
