import { queueLimits } from '../schemas/parts/queue/queue.ts';
import { maxSweepValues } from '../schemas/parts/series/sweep.ts';
import * as contract from '../schemas/threshold-policy.ts';
import { estimateThresholdPolicyWork, solveThresholdPolicy } from '../solvers/threshold-policy/index.ts';
import { defineOperation } from './operation.ts';

export const thresholdPolicy = defineOperation({
  name: 'threshold-policy',
  tag: 'crawlers',
  summary:
    'How many crawlers should be active at each queue length, with correlated batch arrivals and pages that expire',
  description:
    'Pages arrive in batches from a Markovian process that depends on how many crawlers are active. They are indexed one at a time ' +
    '(phase-type times), and are worthless when they have waited too long. Finds the thresholds on the queue length at which crawlers ' +
    'are switched off, with proof, or evaluates a policy. Every measure is exact. `optimal` means a relative gap of at most 1e-6. Use any ' +
    'time unit. Model: Avrachenkov, Dudin, Klimenok, Nain, Semenova, "Optimal threshold control by the robots of web search engines with ' +
    'obsolescence of documents" (2012), with its data and formulas corrected.',
  request: contract.thresholdPolicyRequest,
  solution: contract.thresholdPolicySolution,
  supplement: contract.thresholdPolicySupplement,
  conflict: contract.thresholdPolicyConflict,
  sentence: contract.thresholdPolicySentence,
  evaluationSentence: ({ supplement, objective }) =>
    supplement?.evaluation === undefined
      ? ''
      : contract
          .thresholdPolicySentence({ solution: supplement.evaluation, objective })
          .replace(/^Keep/, 'This policy keeps'),
  objective: { measure: 'cost of lost, expired and waiting pages, crawlers and idle time', unit: 'cost/time' },
  examples: {
    'threshold-policy-paper': 'The main example of the paper: four modes, batches, expiring pages (Table 1)',
    'threshold-policy-real-data': 'The crawler of the INRIA–Canon project: correlated batches of 1 to 8 pages',
    'threshold-policy-limits': 'The cheapest policy that keeps limits on expired pages and response time',
    'threshold-policy-phases': 'The main example for a controller that sees the phases of arrivals and indexing',
    'threshold-policy-measures':
      'A given policy with all measures: laws of lengths, phases and times, and the arrivals of each mode',
    'threshold-policy-figure-1': 'Figure 1 of the paper: the cost by the threshold between three crawlers and one',
    'threshold-policy-figure-2': 'Figure 2: the same where times to index vary more, six times their mean squared',
    'threshold-policy-figure-3': 'Figure 3: where they vary still more, the threshold between four crawlers and one',
    'threshold-policy-figure-4': 'Figure 4: the cost by the threshold where the times until pages expire vary much',
    'threshold-policy-evaluate': 'What a given policy does, with quantiles of the response time',
  },
  limits: { ...queueLimits, sweepValues: maxSweepValues },
  work: estimateThresholdPolicyWork,
  solve: solveThresholdPolicy,
});
