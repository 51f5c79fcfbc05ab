import type * as z from 'zod';
import {
  activationBeside,
  activationLimits,
  activationRequest,
  activationSolution,
} from '../schemas/activation-policy.ts';
import {
  type ActivationAnswer,
  type ActivationProblem,
  type ClassMeasures,
  estimateActivationWork,
  solveActivationPolicy,
} from '../solvers/activation-policy/index.ts';
import { objective, type Warning } from '../solvers/answer.ts';
import { defineOperation } from './operation.ts';

type Request = z.output<typeof activationRequest>;

function problemOf(request: Request): ActivationProblem {
  const { targets, options: _options, sweep: _sweep, ...rest } = request;
  return { ...rest, ...(targets && { targets: Int32Array.from(targets) }) };
}

const averagesOf = ({ starvationProbability, lossRate, meanQueueLength }: ClassMeasures) => ({
  starvationProbability,
  lossRate,
  meanQueueLength,
});

const activeOf = ({ minActive: min, meanActive: mean, maxActive: max }: ClassMeasures) => ({ min, mean, max });

function warningsOf(request: Request, answer: ActivationAnswer): Warning[] {
  const warnings: Warning[] = [];
  if (answer.classes.length > 1) {
    const detail =
      `the targets make ${answer.classes.length} recurrent classes: which one the system ends in depends on where it ` +
      'starts; the objective and the solution describe the dearest, recurrentClasses all of them';
    warnings.push({ code: 'several-recurrent-classes', detail, pointer: '/targets' });
  }
  const unused = (name: 'relaxation' | 'algorithm', why: string): void => {
    warnings.push({ code: 'unused-property', detail: `${name} ${why}`, pointer: `/${name}` });
  };
  if (request.relaxation !== undefined && request.algorithm !== 'relative-value-iteration') {
    unused('relaxation', 'only concerns relative-value-iteration and was not used');
  } else if (request.targets !== undefined && request.algorithm === 'relative-value-iteration') {
    unused('algorithm', 'was not used: given targets are evaluated exactly');
  }
  if (answer.valueIteration?.ruleMet && answer.status === 'feasible') {
    const detail =
      'the paper’s stopping rule was met, but it certifies nothing: see objective.gap, or use policy-iteration';
    warnings.push({ code: 'stopping-rule-proves-nothing', detail, pointer: '/algorithm' });
  }
  return warnings;
}

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
    '',
    'Source: Z. Liu, P. Nain, *Optimization issues in web search engines* (2006), sections 1.2.2–1.2.3, with its misprints corrected.',
    'Solved by policy iteration on the switching curve; `relative-value-iteration` is the paper’s Proposition 6.',
  ].join('\n'),
  request: activationRequest,
  solution: activationSolution,
  beside: activationBeside,
  examples: [
    { name: 'activation-policy-figure-1.6', summary: 'Liu & Nain, Figure 1.6: sixteen crawlers, a queue of five' },
    { name: 'activation-policy-unlimited', summary: 'Table 1.3: as many crawlers as the optimum can use' },
    {
      name: 'activation-policy-evaluate',
      summary: 'What a controller’s present thresholds cost, and the best possible',
    },
    { name: 'activation-policy-running-cost', summary: 'Eighty crawlers, each costing something while active' },
  ],
  limits: activationLimits,
  work: (request) => estimateActivationWork(problemOf(request)),
  solve(request, budget) {
    const answer = solveActivationPolicy(problemOf(request), budget);
    const [dearest] = answer.classes;
    const { valueIteration } = answer;
    return {
      status: answer.status,
      objective: objective(answer.cost, answer.bound),
      solution: {
        crawlers: answer.crawlers,
        targets: answer.targets,
        activeCrawlers: { ...activeOf(dearest), maxActivating: answer.maxActivating },
        ...averagesOf(dearest),
        switchingCurve: answer.curves,
      },
      beside: {
        baseline: answer.baseline,
        relativeImprovement: answer.relativeImprovement,
        recurrentClasses:
          request.targets &&
          answer.classes.map((c) => ({ cost: c.cost, activeCrawlers: activeOf(c), ...averagesOf(c) })),
      },
      warnings: warningsOf(request, answer),
      statistics: {
        solver: answer.solver,
        iterations: answer.iterations,
        states: answer.states,
        ...(valueIteration && { estimate: valueIteration.estimate, upperBound: valueIteration.upperBound }),
      },
    };
  },
});
