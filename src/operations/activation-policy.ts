import type * as z from 'zod';
import {
  activationBeside,
  activationConflict,
  activationLimits,
  activationRequest,
  activationSolution,
} from '../schemas/activation-policy/index.ts';
import { phaseTypeForm } from '../schemas/parts/controlled-queue.ts';
import {
  type ActivationAnswer,
  type ActivationProblem,
  activationPoliciesInTurn,
  type ClassMeasures,
  estimateActivationWork,
  solveActivationPolicy,
} from '../solvers/activation-policy/index.ts';
import { objective } from '../solvers/answer.ts';
import { defineOperation } from './operation.ts';

type Request = z.output<typeof activationRequest>;

function problemOf(request: Request): ActivationProblem {
  const { options: _options, sweep: _sweep, service, arrivals, batchSizes, ...rest } = request;
  const { targets, crawlerRate = Number.NaN, indexingRate = Number.NaN, observe, ...numbers } = rest;
  const problem = { ...numbers, crawlerRate, indexingRate, ...(targets && { targets: Int32Array.from(targets) }) };
  if (service === undefined && arrivals === undefined && batchSizes === undefined) return problem;
  const phased = {
    service: service && phaseTypeForm(service, 'service'),
    arrivals: arrivals?.matrices,
    batchShares: batchSizes && sharesOf(batchSizes),
  };
  return { ...problem, phased, ...(observe && { observe }) };
}

/** The shares of batches of 1, 2, … pages. */
function sharesOf(sizes: readonly { readonly size: number; readonly probability: number }[]): number[] {
  const shares = new Array<number>(Math.max(...sizes.map(({ size }) => size))).fill(0);
  for (const { size, probability } of sizes) shares[size - 1] = probability;
  return shares;
}

const averagesOf = ({ starvationProbability, lossRate, meanQueueLength }: ClassMeasures) => ({
  starvationProbability,
  lossRate,
  meanQueueLength,
});

const activeOf = ({ minActive: min, meanActive: mean, maxActive: max }: ClassMeasures) => ({ min, mean, max });

/** When to switch crawlers on and off (Liu & Nain 2006, sections 1.2.2-1.2.3). */
export const activationPolicy = defineOperation({
  name: 'activation-policy',
  tag: 'crawlers',
  summary: 'When to switch crawlers on and off, optimally',
  description: [
    'N crawlers are available. Each active one brings pages at `crawlerRate` to an indexing queue with room for `capacity` pages',
    '(exponential indexing at `indexingRate`). A page’s arrival deactivates its crawler, which may be reactivated at once; at each',
    'departure one more crawler may be activated. The policy returned minimises the long-run average of',
    '`starvationWeight`·(queue empty) + pages lost per unit time + `crawlerCost`·active crawlers,',
    'and the bound proves it over all policies. Apply it as a table: after an arrival or a departure, with `q` pages in the queue and',
    '`b` crawlers active (the one that delivered already off), activate one crawler iff `b < targets[q]`.',
    'With `targets` given, that policy is evaluated instead, and the bound says how much better the best one is.',
    'Indexing times in phases (`service`), pages in batches (`batchSizes`) and bursts of each crawler (`arrivals`) may stand in place',
    'of the rates; `observe` says whether the controller sees the phases.',
    '',
    'Source: Z. Liu, P. Nain, *Optimization issues in web search engines* (2006), sections 1.2.2–1.2.3, with its misprints corrected.',
    'Solved by policy iteration on the switching curve; `relative-value-iteration` is the paper’s Proposition 6.',
  ].join('\n'),
  request: activationRequest,
  solution: activationSolution,
  beside: activationBeside,
  conflict: activationConflict,
  examples: [
    { name: 'activation-policy-figure-1.6', summary: 'Liu & Nain, Figure 1.6: sixteen crawlers, a queue of five' },
    { name: 'activation-policy-unlimited', summary: 'Table 1.3: as many crawlers as the optimum can use' },
    {
      name: 'activation-policy-evaluate',
      summary: 'What a controller’s present thresholds cost, and the best possible',
    },
    {
      name: 'activation-policy-limits',
      summary: 'At most three pages in a hundred lost: one decision is left to chance',
    },
    { name: 'activation-policy-front', summary: 'How many lost pages must be taken for how little idle time' },
    { name: 'activation-policy-running-cost', summary: 'Eighty crawlers, each costing something while active' },
    {
      name: 'activation-policy-phases',
      summary: 'Indexing that now and then takes some 170 times as long, and a controller that sees when it does',
    },
    {
      name: 'activation-policy-bursts',
      summary: 'Eight crawlers whose pages come in bursts and batches, switched by the queue’s length',
    },
  ],
  limits: activationLimits,
  work: (request) => estimateActivationWork(problemOf(request)),
  solve: (request, budget) => answered(request, solveActivationPolicy(problemOf(request), budget)),
  solveInTurn() {
    const solve = activationPoliciesInTurn();
    return (request, budget) => answered(request, solve(problemOf(request), budget));
  },
});

/** An answer as the wire has it. */
function answered(request: Request, answer: ActivationAnswer) {
  const [dearest] = answer.classes;
  const { valueIteration } = answer;
  if (answer.conflict !== undefined) {
    const { conflict, baseline, relativeImprovement, warnings, solver, iterations, states } = answer;
    const statistics = { solver, iterations, states };
    return {
      status: answer.status,
      conflict: { ...conflict },
      beside: { baseline, relativeImprovement },
      warnings,
      statistics,
    };
  }
  return {
    status: answer.status,
    objective: objective(answer.cost, answer.bound),
    solution: {
      crawlers: answer.crawlers,
      targets: answer.targets,
      activeCrawlers: { ...activeOf(dearest), maxActivating: answer.maxActivating },
      ...averagesOf(dearest),
      switchingCurve: answer.curves,
      targetsByState: answer.targetsByState,
      decisionsByState: answer.decisionsByState,
    },
    beside: {
      baseline: answer.baseline,
      relativeImprovement: answer.relativeImprovement,
      byQueueLength: answer.byQueueLength,
      fullInformation: answer.fullInformation,
      front: answer.front,
      dualPrices: answer.dualPrices,
      mixedDecision: answer.mixedDecision,
      mixture: answer.mixture?.map(({ share, targets, averages }) => ({
        share,
        targets,
        cost: averages.cost,
        ...averagesOf(averages),
      })),
      recurrentClasses:
        request.targets && answer.classes.map((c) => ({ cost: c.cost, activeCrawlers: activeOf(c), ...averagesOf(c) })),
    },
    warnings: answer.warnings,
    statistics: {
      solver: answer.solver,
      iterations: answer.iterations,
      states: answer.states,
      ...(valueIteration && { estimate: valueIteration.estimate, upperBound: valueIteration.upperBound }),
    },
  };
}
