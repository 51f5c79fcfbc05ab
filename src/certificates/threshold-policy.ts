/** Checks an answer of threshold-policy through its own numbers: conservation of pages, costs, limits, thresholds. */
import * as z from 'zod';
import { objectiveSchema, statusSchema } from '../schemas/contract/answer.ts';
import {
  thresholdPolicyBeside,
  thresholdPolicyRequest,
  thresholdPolicySolution,
} from '../schemas/threshold-policy/index.ts';
import { inContract } from './contract-form.ts';
import { close, type Expect, faultList } from './faults.ts';
import type { WireObject } from './wire.ts';

const answered = z.object({
  status: statusSchema,
  objective: objectiveSchema.optional(),
  solution: thresholdPolicySolution.optional(),
  ...z.object(thresholdPolicyBeside).partial().shape,
});

type Problem = Pick<z.output<typeof thresholdPolicyRequest>, 'capacity' | 'costs' | 'constraints'>;
type Answer = z.output<typeof answered>;
type Policy = z.output<typeof thresholdPolicySolution>;
type Measures = NonNullable<Answer['fixedModes']>[number]['measures'];

const limited = [
  'lossProbability',
  'obsolescenceProbability',
  'starvationProbability',
  'responseTime',
  'activeCrawlers',
] as const;

/** What is wrong with an answer of the contract. */
export function verifyThresholdPolicy(request: WireObject, answer: WireObject): string[] {
  const problem = inContract(thresholdPolicyRequest, request, 'the request');
  return certifyThresholdPolicy(problem, answer);
}

/**
 * What is wrong with an answer to a problem; empty where nothing is. Pages are lost, expire or are indexed; Little's law holds; costs
 * are those of the measures; nothing that stands beside the policy costs less. O(K·modes).
 */
export function certifyThresholdPolicy(problem: Problem, answer: unknown): string[] {
  const told = inContract(answered, answer, 'the answer');
  const { faults, expect } = faultList();
  for (const fixed of told.fixedModes ?? []) {
    faults.push(...measureFaults(fixed.measures, `mode ${fixed.crawlers}`));
    const cost = costOf(problem, fixed.measures);
    expect(close(fixed.cost, cost, 1e-9), `mode ${fixed.crawlers} costs ${cost}, not ${fixed.cost}`);
  }
  const policy = told.solution ?? told.evaluation;
  if (policy === undefined || told.objective === undefined) return faults;
  faults.push(...measureFaults(policy.measures, 'the policy'));
  const { value } = told.objective;
  const cost = costOf(problem, policy.measures);
  expect(close(value, cost, 1e-9), `cost ${value}, from its measures ${cost}`);
  formFaults(problem, policy, expect);
  profitFaults(told, expect);
  if (told.status !== 'evaluated') optimumFaults(problem, told, expect);
  return faults;
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

/** Conservation and Little's law. */
function measureFaults(measures: Measures, whose: string): string[] {
  const { faults, expect } = faultList();
  const { lossProbability, obsolescenceProbability, successProbability, arrivalRate, queueLength } = measures;
  const total = lossProbability + obsolescenceProbability + successProbability;
  expect(close(total, 1, 1e-9), `${whose}: probabilities of a page's fates sum to ${total}`);
  const present = arrivalRate * measures.sojournTime;
  expect(close(queueLength, present, 1e-8), `${whose}: queue length ${queueLength}, by Little's law ${present}`);
  const times =
    successProbability * measures.responseTime + obsolescenceProbability * (measures.obsoleteSojournTime ?? 0);
  const sojourn = measures.sojournTime;
  expect(close(sojourn, times, 1e-8), `${whose}: sojourn time ${sojourn}, of those served and expired ${times}`);
  for (const [name, given] of Object.entries(measures)) {
    if (typeof given === 'number') expect(given >= 0 && given < Infinity, `${whose}: ${name} is ${given}`);
  }
  return faults;
}

/** Counts, modes and thresholds say the same; a table names each pair of phases once. */
function formFaults({ capacity }: Problem, policy: Policy, expect: Expect): void {
  const { crawlersByQueueLength: counts, modes, thresholds, crawlersByState } = policy;
  expect(counts.length === capacity + 1, `there are ${counts.length} counts, not ${capacity + 1}`);
  if (crawlersByState !== undefined) {
    const { phases, table } = crawlersByState;
    expect(new Set(phases.map((pair) => pair.join())).size === phases.length, 'a pair of phases is listed twice');
    expect(
      table.every((row) => row.length === phases.length && row.every((count) => modes.includes(count))),
      'the table has other counts than the modes, or not one for each pair of phases',
    );
    return;
  }
  if (thresholds === null) return;
  expect(thresholds.length === modes.length - 1, `${modes.length} modes with ${thresholds.length} thresholds`);
  const said = counts.map((_, level) => modes[thresholds.filter((last) => last < level).length]);
  expect(said.join() === counts.join(), `the thresholds say ${said}, the list ${counts}`);
}

/** 1 − cost/(cost of some fixed mode). */
function profitFaults({ fixedModes = [], relativeProfit, objective }: Answer, expect: Expect): void {
  if (typeof relativeProfit !== 'number' || objective === undefined) return;
  const saves = ({ cost }: { readonly cost: number }): boolean =>
    close(relativeProfit, cost > 0 ? 1 - objective.value / cost : 0, 1e-9, 1e-9);
  expect(fixedModes.some(saves), `a profit of ${relativeProfit} is that over no fixed mode`);
}

/** An optimum keeps the limits, and neither a fixed mode nor thresholds or subsets beside it cost less. */
function optimumFaults({ constraints = {} }: Problem, answer: Answer, expect: Expect): void {
  const { solution, objective, fixedModes = [], subsets = [], byQueueLength } = answer;
  if (solution === undefined || objective === undefined) return;
  const keeps = (measures: Measures): boolean =>
    limited.every((name) => measures[name] <= (constraints[name] ?? Number.POSITIVE_INFINITY) * (1 + 1e-9));
  expect(keeps(solution.measures), 'the limits are not kept');
  expect(solution.thresholds !== null || solution.crawlersByState !== undefined, 'the optimum is not monotone');
  const others = [
    ...fixedModes
      .filter(({ measures }) => keeps(measures))
      .map(({ crawlers, cost }) => ({ name: `mode ${crawlers}`, cost })),
    ...subsets.map(({ modes, cost }) => ({ name: `subset ${modes}`, cost })),
    ...(byQueueLength === undefined ? [] : [{ name: 'the policy by queue length', cost: byQueueLength.cost }]),
  ];
  const margin = 1e-9 * Math.abs(objective.value);
  for (const { name, cost } of others) {
    expect(objective.value <= cost + margin, `${name} costs ${cost}, less than ${objective.value}`);
    expect(objective.bound === null || objective.bound <= cost + margin, `the bound is above ${cost}, of ${name}`);
  }
}
