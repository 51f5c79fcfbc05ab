import * as contract from '../../schemas/estimates-freshness.ts';
import { solveFreshness } from '../../solvers/freshness/index.ts';
import { defineOperation } from '../operation.ts';

/** How fresh a crawler's copies are, and which of two rules keeps them fresher, from probes at random times. */
export const freshness = defineOperation({
  name: 'estimates/freshness',
  tag: 'estimates',
  summary: 'How fresh the copies are, and whether a plan keeps them fresher, from probes at random times',
  description: [
    'A probe is a fetch at a random time, of a page drawn in proportion to its weight, that compares what it finds with the copy',
    'held. The share of current copies estimates the time average of the freshness, whatever the pages and the crawler do.',
    '',
    'In a trial `coin(seed, unit, period)` deals every page (or host) to the plan or to the incumbent rule in each period. The difference of',
    'the arms has an interval that holds at all times together: look every day, and act when `verdict` says so. Only the first probe of a',
    'unit in a period counts for it, and none while copies of the other arm may still be held.',
    '',
    'Sources: R. Wolff, Operations Research 30 (1982); I. Waudby-Smith, A. Ramdas, J. R. Statist. Soc. B 86 (2024), Theorem 2.',
  ].join('\n'),
  request: contract.freshnessRequest,
  solution: contract.freshnessSolution,
  beside: {},
  timeUnit: 'seconds',
  sentence: contract.freshnessSentence,
  examples: [
    { name: 'freshness', summary: 'A week of probes of two hosts, without a trial' },
    { name: 'freshness-trial', summary: 'A trial of four days with daily periods, in columns' },
  ],
  limits: contract.freshnessLimits,
  work: ({ problem }) => 500 * problem.time.length,
  solve: ({ problem }, budget) => solveFreshness(problem, budget),
});
