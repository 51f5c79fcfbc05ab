import * as contract from '../schemas/activation-policy.ts';
import { limitsConflictSchema } from '../schemas/contract/answer.ts';
import { activationPolicyWork, solveActivationPolicy } from '../solvers/activation-policy/index.ts';
import { defineOperation } from './operation.ts';

/** When to switch crawlers on and off (Liu & Nain 2006, sections 1.2.2-1.2.3). */
export const activationPolicy = defineOperation({
  name: 'activation-policy',
  tag: 'crawlers',
  summary: 'When to switch crawlers on and off, optimally',
  description: [
    'Each active crawler brings pages at `crawlerRate` to an indexing queue with room for `capacity` pages; `service` is the time to',
    'index one. A page’s arrival deactivates its crawler, which may be reactivated at once. At each departure one more crawler may be',
    'activated. The policy minimises the long-run average of `costs.starvation`·(queue empty) + `costs.loss`·(pages lost per time unit) +',
    '`costs.crawler`·(active crawlers). The bound proves it over all policies.',
    '',
    'Apply it as a table: after an event that leaves `q` pages in the queue, activate one crawler if fewer than `targets[q]` are active.',
    '`evaluate` evaluates your own policy. `constraints` asks for the cheapest policy that keeps one limit. Indexing times are',
    'exponential: `threshold-policy` takes other laws, batches and correlated arrivals.',
    '',
    'Source: Z. Liu, P. Nain, *Optimization issues in web search engines* (2006), sections 1.2.2–1.2.3, with its misprints corrected.',
  ].join('\n'),
  request: contract.activationRequest,
  solution: contract.activationSolution,
  supplement: contract.activationSupplement,
  conflict: limitsConflictSchema,
  sentence: contract.activationSentence,
  evaluationSentence: ({ supplement, objective }) =>
    supplement?.evaluation === undefined
      ? ''
      : contract
          .activationSentence({ solution: supplement.evaluation, objective })
          .replace(/^Keep/, 'This policy keeps'),
  objective: { measure: 'cost of idle time, lost pages and active crawlers', unit: 'cost/time' },
  examples: {
    'activation-policy-figure-1.6': 'Liu & Nain, Figure 1.6: sixteen crawlers, a queue of five',
    'activation-policy-unlimited': 'Table 1.3: as many crawlers as the optimum can use',
    'activation-policy-evaluate': 'What a controller’s present thresholds cost, and the best possible',
    'activation-policy-limits': 'How much crawling for at most 3% of loss',
  },
  limits: contract.activationLimits,
  work: activationPolicyWork,
  solve: solveActivationPolicy,
});
