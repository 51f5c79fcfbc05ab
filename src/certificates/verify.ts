/**
 * Whether an answer is right, for every operation: the limits that the request sets are kept, the objective follows from
 * the formula of the contract, and no bound is above its value. A request and an answer go in as the contract has them.
 *
 * A certificate shares no method with the solver whose answer it checks. It does not prove again that an answer is the
 * best. What it compared, and what it did not, is named field by field.
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
import { isObject, listIn, MalformedInput, numberIn, objectAt, textIn, type WireObject } from './wire.ts';

export type { Verification } from './findings.ts';

type Certificate = (request: WireObject, answer: WireObject, findings: Findings) => void;

/** By operation, named as under /v1. */
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
 * What is wrong with an answer, what was compared and what was not.
 *
 * @param operation its name, as under /v1
 * @param request as it was sent: one that the service accepts
 * @param answer as it came back; typed arrays may stand for lists of numbers
 */
export function verify(operation: string, request: unknown, answer: unknown): Verification {
  const certificate = Object.hasOwn(certificates, operation) ? certificates[operation] : undefined;
  const refused = (fault: string): Verification => ({ faults: [fault], checked: [], unchecked: [] });
  if (certificate === undefined) return refused(`there is no operation ${operation}`);
  if (!isObject(request)) return refused('the request must be an object');
  if (!isObject(answer)) return refused('the answer must be an object');
  const findings = new Findings();
  try {
    checkAnswer(request, answer, certificate, findings);
    checkSweep(request, answer, certificate, findings);
  } catch (error) {
    if (error instanceof MalformedInput) findings.fault(error.message);
    // where a part lacks what its form promises, reading it ends so
    else if (error instanceof TypeError || error instanceof RangeError)
      findings.fault(`the answer is not of the contract's form: ${error.message}`);
    else throw error;
  }
  return findings.verification(answer);
}

/** What holds of every answer, and what its operation adds. */
function checkAnswer(request: WireObject, answer: WireObject, certificate: Certificate, findings: Findings): void {
  const status = textIn(answer, 'status');
  findings.expect('status', statuses.includes(status), `the status is ${status}, none of ${statuses.join(', ')}`);
  if (status === 'infeasible') {
    // that nothing keeps the limits is not shown again
    if (!isObject(answer.conflict)) findings.fault('infeasible without a conflict');
    return;
  }
  if (!isObject(answer.solution) && answer.evaluation === undefined) findings.fault(`${status} without a solution`);
  if (isObject(answer.objective)) {
    const { gap } = answer.objective;
    checkObjective(findings, answer.objective, 'objective');
    const proved = status !== 'optimal' || (typeof gap === 'number' && gap <= 1e-6);
    findings.expect('status', proved, `optimal with a gap of ${gap}`);
  }
  certificate(request, answer, findings);
}

/** The rows of a sweep, each as the answer of the request with its value in place. */
function checkSweep(request: WireObject, answer: WireObject, certificate: Certificate, findings: Findings): void {
  const { sweep, ...single } = request;
  if (!isObject(sweep)) return;
  const steps = textIn(sweep, 'parameter').slice(1).split('/');
  for (const row of listIn(answer, 'sweep', true)) {
    const reported = objectAt(row);
    const value = numberIn(reported, 'value');
    if (reported.status === 'infeasible') continue;
    const own = new Findings();
    checkAnswer(objectAt(withValue(single, steps, value)), reported, certificate, own);
    findings.include(own, reported, 'sweep', `at ${value} of the sweep`);
  }
}

/** A copy in which the value at the end of the steps is another. */
function withValue(within: unknown, [step, ...rest]: readonly string[], value: number): unknown {
  if (step === undefined) return value;
  if (Array.isArray(within)) return within.with(Number(step), withValue(within[Number(step)], rest, value));
  return isObject(within) ? { ...within, [step]: withValue(within[step], rest, value) } : value;
}
