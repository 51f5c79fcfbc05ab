import * as contract from '../../schemas/estimates-freshness.ts';
import { solveFreshness } from '../../solvers/freshness/index.ts';
import { defineOperation } from '../operation.ts';

/** How fresh a crawler's copies are, from probes at random times. */
export const freshness = defineOperation({
  name: 'estimates/freshness',
  tag: 'estimates',
  summary: 'How fresh the copies are, from probes at random times',
  description: [
    'A probe is a fetch at a random time, of a page drawn in proportion to its weight, that compares what it finds with the copy',
    'held. The share of current copies estimates the time average of the freshness, whatever the pages and the crawler do. Its interval',
    'holds at all times together: look as often as you like.',
    '',
    'Sources: R. Wolff, Operations Research 30 (1982); I. Waudby-Smith, A. Ramdas, J. R. Statist. Soc. B 86 (2024), Theorem 2.',
  ].join('\n'),
  request: contract.freshnessRequest,
  solution: contract.freshnessSolution,
  supplement: {},
  timeUnit: 'seconds',
  sentence: contract.freshnessSentence,
  examples: {
    freshness: 'A week of probes of two hosts',
    'freshness-weights': 'A day of probes of pages that were drawn alike and weigh differently',
  },
  limits: contract.freshnessLimits,
  work: ({ problem }) => 500 * problem.time.length,
  solve: ({ problem }, budget) => solveFreshness(problem, budget),
});
