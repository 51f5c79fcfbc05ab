/** How each operation's answer is said, by the operation's name. */

import {
  accessFrequencies,
  accessSequence,
  changeRates,
  changeSignals,
  crawlAllocation,
  crawlPlan,
  crawlPrice,
  crawlSchedule,
  embarrassmentWeights,
  hostLimits,
  simulationsPages,
  slotAssignment,
} from './pages.ts';
import {
  activationPolicy,
  arrivalProcess,
  crawlerCount,
  serviceTime,
  simulationsQueue,
  thresholdPolicy,
  updateProcess,
} from './queues.ts';
import type { Reading } from './reading.ts';

export const readings: Readonly<Record<string, Reading>> = {
  'crawl-plan': crawlPlan,
  'crawl-price': crawlPrice,
  'crawl-allocation': crawlAllocation,
  'crawl-schedule': crawlSchedule,
  'access-frequencies': accessFrequencies,
  'access-sequence': accessSequence,
  'slot-assignment': slotAssignment,
  'crawler-count': crawlerCount,
  'activation-policy': activationPolicy,
  'threshold-policy': thresholdPolicy,
  'simulations/queue': simulationsQueue,
  'simulations/pages': simulationsPages,
  'estimates/change-rates': changeRates,
  'estimates/change-signals': changeSignals,
  'estimates/host-limits': hostLimits,
  'estimates/update-process': updateProcess,
  'estimates/arrival-process': arrivalProcess,
  'estimates/service-time': serviceTime,
  'estimates/embarrassment-weights': embarrassmentWeights,
};
