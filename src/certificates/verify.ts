/**
 * What is wrong with an answer, for every operation. A request and an answer go in as the contract has them; sentences
 * come out, none where nothing is wrong.
 *
 * A certificate shares no code with the solver whose answer it checks. It computes the objective again and looks at
 * every limit by itself. It proves optimality in a way of its own where a moment is enough for that.
 */
import { verifyAccessFrequencies } from './access-frequencies.ts';
import { verifyAccessSequence } from './access-sequence.ts';
import { verifyActivationPolicy } from './activation-policy.ts';
import { verifyCrawlAllocation } from './crawl-allocation.ts';
import { verifyCrawlPrice } from './crawl-price.ts';
import { verifyCrawlSchedule } from './crawl-schedule.ts';
import { verifyCrawlerCount } from './crawler-count.ts';
import { envelopeFaults } from './envelope.ts';
import { verifyArrivalProcess } from './estimates/arrival-process.ts';
import { verifyChangeRates } from './estimates/change-rates.ts';
import { verifyChangeSignals } from './estimates/change-signals.ts';
import { verifyEmbarrassmentWeights } from './estimates/embarrassment-weights.ts';
import { verifyFreshness } from './estimates/freshness.ts';
import { verifyHostLimits } from './estimates/host-limits.ts';
import { verifyServiceTime } from './estimates/service-time.ts';
import { verifyUpdateProcess } from './estimates/update-process.ts';
import { verifyCrawlPlan } from './plan-answer.ts';
import { verifyQueueSimulation } from './simulations/queue.ts';
import { verifySlotAssignment } from './slot-assignment.ts';
import { type Certificate, sweptFaults } from './swept.ts';
import { verifyThresholdPolicy } from './threshold-answer.ts';
import { isObject, Unreadable } from './wire.ts';

/** By operation, named as under /v1. */
const certificates: Readonly<Record<string, Certificate>> = {
  'access-frequencies': verifyAccessFrequencies,
  'access-sequence': verifyAccessSequence,
  'activation-policy': verifyActivationPolicy,
  'crawl-allocation': verifyCrawlAllocation,
  'crawl-plan': verifyCrawlPlan,
  'crawl-price': verifyCrawlPrice,
  'crawl-schedule': verifyCrawlSchedule,
  'crawler-count': verifyCrawlerCount,
  'simulations/queue': verifyQueueSimulation,
  'slot-assignment': verifySlotAssignment,
  'threshold-policy': verifyThresholdPolicy,
  'estimates/arrival-process': verifyArrivalProcess,
  'estimates/change-rates': verifyChangeRates,
  'estimates/change-signals': verifyChangeSignals,
  'estimates/embarrassment-weights': verifyEmbarrassmentWeights,
  'estimates/freshness': verifyFreshness,
  'estimates/host-limits': verifyHostLimits,
  'estimates/service-time': verifyServiceTime,
  'estimates/update-process': verifyUpdateProcess,
};

/**
 * What is wrong with an answer; empty where nothing is.
 *
 * @param operation its name, as under /v1
 * @param request as it was sent: one that the service accepts
 * @param answer as it came back; typed arrays may stand for lists of numbers
 */
export function verify(operation: string, request: unknown, answer: unknown): string[] {
  const certificate = Object.hasOwn(certificates, operation) ? certificates[operation] : undefined;
  if (certificate === undefined) return [`there is no operation ${operation}`];
  if (!isObject(request)) return ['the request must be an object'];
  if (!isObject(answer)) return ['the answer must be an object'];
  try {
    const faults = envelopeFaults(answer);
    return faults.length > 0 ? faults : [...certificate(request, answer), ...sweptFaults(request, answer, certificate)];
  } catch (error) {
    if (error instanceof Unreadable) return [error.message];
    // Where a part lacks what its form promises, reading it ends so.
    if (error instanceof TypeError || error instanceof RangeError)
      return [`the answer is not of the contract's form: ${error.message}`];
    throw error;
  }
}
