import type * as z from 'zod';
import { phaseTypeForm, queueLimits, writtenPolicy } from '../schemas/parts/controlled-queue.ts';
import { maxSweepValues } from '../schemas/parts/series/sweep.ts';
import {
  thresholdPolicyBeside,
  thresholdPolicyConflict,
  thresholdPolicyRequest,
  thresholdPolicySolution,
} from '../schemas/threshold-policy/index.ts';
import { type Budget, unlessStopped } from '../solvers/budget.ts';
import { filterCost } from '../solvers/simulation/index.ts';
import {
  estimateThresholdPolicyWork,
  shownFilter,
  solveThresholdPolicy,
  type ThresholdPolicyAnswer,
  type ThresholdPolicyProblem,
  thresholdPoliciesInTurn,
  writtenPhases,
} from '../solvers/threshold-policy/index.ts';
import { defineOperation } from './operation.ts';

function problemOf(request: z.output<typeof thresholdPolicyRequest>): ThresholdPolicyProblem {
  const { options: _, sweep: _sweep, policy, service, obsolescence, ...rest } = request;
  return {
    ...rest,
    service: phaseTypeForm(service, 'service'),
    obsolescence: obsolescence === null ? null : phaseTypeForm(obsolescence, 'obsolescence'),
    policy: policy === undefined ? undefined : writtenPolicy(policy),
  };
}

export const thresholdPolicy = defineOperation({
  name: 'threshold-policy',
  tag: 'crawlers',
  summary:
    'How many crawlers should be active at each queue length, with correlated batch arrivals and pages that expire',
  description:
    'Pages arrive in batches from a Markovian process that depends on how many crawlers are active, are indexed one at a time (phase-type ' +
    'times), and are worthless when they have waited too long. Finds the thresholds on the queue length at which crawlers are switched off, with ' +
    'proof, or evaluates a policy; every measure is exact. Model: Avrachenkov, Dudin, Klimenok, Nain, Semenova, "Optimal threshold control by the ' +
    'robots of web search engines with obsolescence of documents" (2012), with its data and formulas corrected. Any consistent time unit.',
  request: thresholdPolicyRequest,
  solution: thresholdPolicySolution,
  beside: thresholdPolicyBeside,
  conflict: thresholdPolicyConflict,
  examples: [
    {
      name: 'threshold-policy-paper',
      summary: 'The main example of the paper: four modes, batches, expiring pages (Table 1)',
    },
    {
      name: 'threshold-policy-real-data',
      summary: 'The crawler of the INRIA–Canon project: correlated batches of 1 to 8 pages',
    },
    {
      name: 'threshold-policy-limits',
      summary: 'The cheapest policy that keeps limits on expired pages and response time',
    },
    {
      name: 'threshold-policy-phases',
      summary: 'The main example for a controller that sees the phases of arrivals and indexing',
    },
    {
      name: 'threshold-policy-phases-limits',
      summary: 'The same with a limit on the response time: a table with one state left to chance',
    },
    {
      name: 'threshold-policy-filter',
      summary: 'The same where the phases are not seen: a belief about them, and what acting on it costs',
    },
    {
      name: 'threshold-policy-measures',
      summary: 'A given policy with all measures: laws of lengths, phases and times, and the arrivals of each mode',
    },
    {
      name: 'threshold-policy-figure-1',
      summary: 'Figure 1 of the paper: the cost by the threshold between three crawlers and one',
    },
    {
      name: 'threshold-policy-figure-2',
      summary: 'Figure 2: the same where times to index vary more, six times their mean squared',
    },
    {
      name: 'threshold-policy-figure-3',
      summary: 'Figure 3: where they vary still more, the threshold between four crawlers and one',
    },
    {
      name: 'threshold-policy-figure-4',
      summary: 'Figure 4: the cost by the threshold where the times until pages expire vary much',
    },
    { name: 'threshold-policy-evaluate', summary: 'What a given policy does, with quantiles of the response time' },
  ],
  limits: { ...queueLimits, sweepValues: maxSweepValues },
  work: (request) => estimateThresholdPolicyWork(problemOf(request)),
  solve: (request, budget) => answered(request, solveThresholdPolicy(problemOf(request), budget), budget),
  solveInTurn() {
    const solve = thresholdPoliciesInTurn();
    return (request, budget) => answered(request, solve(problemOf(request), budget), budget);
  },
});

/** An answer as the wire has it. */
function answered(request: z.output<typeof thresholdPolicyRequest>, answer: ThresholdPolicyAnswer, budget: Budget) {
  return {
    status: answer.status,
    ...(answer.objective === undefined ? {} : { objective: answer.objective }),
    ...(answer.solution === undefined ? {} : { solution: answer.solution }),
    beside: {
      fixedModes: answer.fixedModes,
      ...(answer.subsets === undefined ? {} : { subsets: answer.subsets }),
      ...(answer.relativeProfit === undefined ? {} : { relativeProfit: answer.relativeProfit }),
      ...(answer.byQueueLength === undefined ? {} : { byQueueLength: answer.byQueueLength }),
      ...(answer.mixture === undefined ? {} : { mixture: answer.mixture }),
      ...(answer.drawnState === undefined ? {} : { drawnState: answer.drawnState }),
      ...(answer.filter === undefined
        ? {}
        : { filter: playedFilter(problemOf(request), answer, answer.filter, budget) }),
      ...(answer.dualPrices === undefined ? {} : { dualPrices: answer.dualPrices }),
      ...(answer.front === undefined ? {} : { front: answer.front }),
      ...fullInformation(answer.objective?.value, answer.fullInformationCost),
    },
    ...(answer.conflict === undefined ? {} : { conflict: { ...answer.conflict } }),
    warnings: answer.warnings,
    statistics: answer.statistics,
  };
}

/** The filter as the answer shows it, and what it costs when it is played. */
function playedFilter(
  problem: ThresholdPolicyProblem,
  { objective, solution, byQueueLength }: ThresholdPolicyAnswer,
  { queue, filter }: NonNullable<ThresholdPolicyAnswer['filter']>,
  budget: Budget,
) {
  const { replications = 20, horizon } = problem.filter ?? {};
  if (objective === undefined || solution === undefined) return undefined;
  const seen = { cost: objective.value, measures: solution.measures };
  const run = { queue, description: problem, costs: problem.costs, filter, seen, replications, horizon };
  const blind = byQueueLength?.cost ?? Number.NaN;
  const saved = blind - objective.value;
  const worthIt = saved > 1e-9 * Math.abs(objective.value);
  const left = (cost: number): number => (blind - cost) / saved;
  const acting = (['likeliest', 'expected'] as const).map((on) => {
    const cost = unlessStopped(null, () => filterCost(run, on, budget));
    const known = cost !== null && worthIt;
    return {
      on,
      cost: cost === null ? null : { mean: cost.mean, interval: [...cost.interval] },
      survives: known ? left(cost.mean) : null,
      survivesInterval: known ? [left(cost.interval[1]), left(cost.interval[0])] : null,
    };
  });
  return { ...shownFilter(queue, filter, writtenPhases(problem.service)), acting };
}

/** How far knowing the phases could go; left out where it was not computed or is beyond double precision. */
function fullInformation(cost: number | undefined, informed: number | null | undefined) {
  if (cost === undefined || typeof informed !== 'number' || !Number.isFinite(informed)) return {};
  return { fullInformation: { cost: informed, relativeImprovement: cost > 0 ? 1 - informed / cost : 0 } };
}
