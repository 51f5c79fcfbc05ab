/**
 * Checks a policy by queue length or by state: the cost follows from the measures, limits are kept, thresholds and counts
 * agree, and no other policy of the answer costs less. The measures themselves are not computed again. O(K·modes).
 */
import * as z from 'zod';
import {
  limitedMeasures,
  thresholdPolicyRequest,
  thresholdPolicySolution,
  thresholdPolicySupplement,
} from '../schemas/threshold-policy.ts';
import { parseByContract } from './contract-form.ts';
import type { Findings } from './findings.ts';
import { objectiveOf, readText, type WireObject } from './wire.ts';

const answerForm = z.object({
  solution: thresholdPolicySolution.optional(),
  ...z.object(thresholdPolicySupplement).partial().shape,
});

type Problem = Pick<z.output<typeof thresholdPolicyRequest>, 'capacity' | 'costs' | 'constraints'>;
type Answer = z.output<typeof answerForm>;
type Policy = z.output<typeof thresholdPolicySolution>;
type Measures = NonNullable<Answer['fixedModes']>[number]['measures'];

export function checkThresholdPolicy(request: WireObject, answer: WireObject, findings: Findings): void {
  certifyThresholdPolicy(parseByContract(thresholdPolicyRequest, request, 'the request'), answer, findings);
}

/** Checks an answer to a problem in the solver's form. */
export function certifyThresholdPolicy(problem: Problem, answer: WireObject, findings: Findings): void {
  const wireAnswer = parseByContract(answerForm, answer, 'the answer');
  const { solution, evaluation, fixedModes = [], subsets = [], byQueueLength } = wireAnswer;
  for (const { crawlers, cost, measures } of fixedModes) {
    findings.compare('fixedModes.cost', cost, costOf(problem, measures), { of: `mode ${crawlers}` });
  }
  const policy = solution ?? evaluation;
  if (policy === undefined || answer.objective === undefined) return;
  const name = solution === undefined ? 'evaluation' : 'solution';
  checkForm(problem, policy, name, findings);
  const { value, bound } = objectiveOf(answer);
  findings.compare('objective.value', value, costOf(problem, policy.measures));
  const keeps = (measures: Measures): boolean =>
    limitedMeasures.every((limit) => measures[limit] <= (problem.constraints?.[limit] ?? Infinity) * (1 + 1e-9));
  const modes = fixedModes.filter(({ measures }) => keeps(measures));
  const best = modes.reduce((minimum, { cost }) => Math.min(minimum, cost), Number.POSITIVE_INFINITY);
  if (typeof wireAnswer.relativeProfit === 'number')
    findings.compare('relativeProfit', wireAnswer.relativeProfit, best > 0 ? 1 - value / best : 0, { size: 1 });
  if (readText(answer, 'status') === 'evaluated') return;
  if (!keeps(policy.measures)) findings.fault('the limits are not kept');
  if (policy.thresholds === null && policy.crawlersByState === undefined) findings.fault('the optimum is not monotone');
  const otherCosts = [best, ...subsets.map(({ cost }) => cost), byQueueLength?.cost ?? Number.POSITIVE_INFINITY];
  const minimumCost = otherCosts.reduce((a, b) => Math.min(a, b)) + 1e-9 * Math.abs(value);
  if (value > minimumCost) findings.fault(`a policy beside this one costs less, ${minimumCost} and not ${value}`);
  if (bound > minimumCost) findings.fault(`the bound ${bound} is above the cost ${minimumCost} of another policy`);
}

function costOf({ costs }: Problem, measures: Measures): number {
  const { arrivalRate, lossProbability, obsolescenceProbability } = measures;
  return (
    arrivalRate * (costs.loss * lossProbability + costs.obsolescence * obsolescenceProbability) +
    costs.response * measures.responseTime +
    costs.crawler * measures.activeCrawlers +
    costs.starvation * measures.starvationProbability
  );
}

/** Checks that counts, modes and thresholds agree, and that a table has each pair of phases once. */
function checkForm({ capacity }: Problem, policy: Policy, field: string, findings: Findings): void {
  const { crawlersByQueueLength: counts, modes, thresholds, crawlersByState } = policy;
  if (counts.length !== capacity + 1) findings.fault(`there are ${counts.length} counts, not ${capacity + 1}`);
  if (crawlersByState !== undefined) {
    const { phases, table } = crawlersByState;
    const different = new Set(phases.map((pair) => pair.join())).size === phases.length;
    findings.expect(`${field}.crawlersByState.phases`, different, 'a pair of phases is listed twice');
    const right = table.every((row) => row.length === phases.length && row.every((count) => modes.includes(count)));
    findings.expect(`${field}.crawlersByState.table`, right, 'the table has other counts than the modes and phases');
    return;
  }
  if (thresholds === null) return;
  const byThresholds = counts.map((_, level) => modes[thresholds.filter((last) => last < level).length]);
  const right = thresholds.length === modes.length - 1 && byThresholds.join() === counts.join();
  for (const name of ['crawlersByQueueLength', 'thresholds', 'modes'])
    findings.expect(`${field}.${name}`, right, `the thresholds say ${byThresholds}, the list ${counts}`);
}
