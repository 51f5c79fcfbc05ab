/**
 * Whether an answer is right, for every operation: the limits that the request sets are kept, the objective follows from
 * the formula of the contract, and no bound is above its value. Requests and answers have the form of the contract.
 *
 * A certificate shares no method with the solver whose answer it checks. It does not prove
 * optimality again. The result lists the fields that were checked and those that were not.
 */
import { checkFrequencies, checkSequence } from './access.ts';
import { checkActivationPolicy } from './activation-policy.ts';
import { checkAllocation } from './crawl-allocation.ts';
import { checkPlan } from './crawl-plan.ts';
import { checkPrice } from './crawl-price.ts';
import { checkSchedule } from './crawl-schedule.ts';
import { checkCrawlerCount } from './crawler-count.ts';
import { checkArrivalProcess, checkEmbarrassmentWeights } from './estimates/arrivals.ts';
import { checkChangeRates } from './estimates/change-rates.ts';
import { checkServiceTime, checkUpdateProcess } from './estimates/laws.ts';
import { checkChangeSignals, checkFreshness, checkHostLimits } from './estimates/shares.ts';
import { checkObjective, Findings, type Verification } from './findings.ts';
import { checkQueueSimulation } from './simulations-queue.ts';
import { checkAssignment } from './slot-assignment.ts';
import { checkThresholdPolicy } from './threshold-policy.ts';
import { isObject, MalformedInput, readList, readNumber, readObject, readText, type WireObject } from './wire.ts';

export type { Verification } from './findings.ts';

type Certificate = (request: WireObject, answer: WireObject, findings: Findings) => void;

/** Certificates by the operation's path under /v1. */
const certificates: Readonly<Record<string, Certificate>> = {
  'access-frequencies': checkFrequencies,
  'access-sequence': checkSequence,
  'activation-policy': checkActivationPolicy,
  'crawl-allocation': checkAllocation,
  'crawl-plan': checkPlan,
  'crawl-price': checkPrice,
  'crawl-schedule': checkSchedule,
  'crawler-count': checkCrawlerCount,
  'simulations/queue': checkQueueSimulation,
  'slot-assignment': checkAssignment,
  'threshold-policy': checkThresholdPolicy,
  'estimates/arrival-process': checkArrivalProcess,
  'estimates/change-rates': checkChangeRates,
  'estimates/change-signals': checkChangeSignals,
  'estimates/embarrassment-weights': checkEmbarrassmentWeights,
  'estimates/freshness': checkFreshness,
  'estimates/host-limits': checkHostLimits,
  'estimates/service-time': checkServiceTime,
  'estimates/update-process': checkUpdateProcess,
};

const statuses = ['optimal', 'feasible', 'infeasible', 'evaluated'];

/**
 * Checks an answer.
 *
 * @param operation its name, as under /v1
 * @param request a valid request, as sent
 * @param answer the answer, as received; lists of numbers may be typed arrays
 */
export function verify(operation: string, request: unknown, answer: unknown): Verification {
  const certificate = Object.hasOwn(certificates, operation) ? certificates[operation] : undefined;
  const refusal = (fault: string): Verification => ({ faults: [fault], checked: [], unchecked: [] });
  if (certificate === undefined) return refusal(`there is no operation ${operation}`);
  if (!isObject(request)) return refusal('the request must be an object');
  if (!isObject(answer)) return refusal('the answer must be an object');
  const findings = new Findings();
  try {
    checkAnswer(request, answer, certificate, findings);
    checkSweep(request, answer, certificate, findings);
  } catch (error) {
    if (error instanceof MalformedInput) findings.fault(error.message);
    // reading a part that the answer lacks throws one of these
    else if (error instanceof TypeError || error instanceof RangeError)
      findings.fault(`the answer is not of the contract's form: ${error.message}`);
    else throw error;
  }
  return findings.verification(answer);
}

/** Checks the parts common to all answers, then those of the operation. */
function checkAnswer(request: WireObject, answer: WireObject, certificate: Certificate, findings: Findings): void {
  const status = readText(answer, 'status');
  findings.expect('status', statuses.includes(status), `the status is ${status}, none of ${statuses.join(', ')}`);
  if (status === 'infeasible') {
    // infeasibility is not proved again
    if (!isObject(answer.conflict)) findings.fault('infeasible without a conflict');
    return;
  }
  if (!isObject(answer.solution) && answer.evaluation === undefined) findings.fault(`${status} without a solution`);
  if (isObject(answer.objective)) {
    const { gap } = answer.objective;
    checkObjective(findings, answer.objective, 'objective');
    const isProved = status !== 'optimal' || (typeof gap === 'number' && gap <= 1e-6);
    findings.expect('status', isProved, `optimal with a gap of ${gap}`);
  }
  certificate(request, answer, findings);
}

/** Checks each row of a sweep as the answer to the request with the row's value. */
function checkSweep(request: WireObject, answer: WireObject, certificate: Certificate, findings: Findings): void {
  const { sweep, ...single } = request;
  if (!isObject(sweep)) return;
  const steps = readText(sweep, 'parameter').slice(1).split('/');
  for (const row of readList(answer, 'sweep', true)) {
    const rowAnswer = readObject(row);
    const value = readNumber(rowAnswer, 'value');
    if (rowAnswer.status === 'infeasible') continue;
    const own = new Findings();
    checkAnswer(readObject(withValue(single, steps, value)), rowAnswer, certificate, own);
    findings.include(own, rowAnswer, 'sweep', `at ${value} of the sweep`);
  }
}

/** A copy with another value at a path. */
function withValue(parent: unknown, [step, ...rest]: readonly string[], value: number): unknown {
  if (step === undefined) return value;
  if (Array.isArray(parent)) return parent.with(Number(step), withValue(parent[Number(step)], rest, value));
  return isObject(parent) ? { ...parent, [step]: withValue(parent[step], rest, value) } : value;
}
