import * as contract from '../../schemas/estimates-change-signals.ts';
import { solveChangeSignals } from '../../solvers/change-signals/index.ts';
import { defineOperation } from '../operation.ts';

export const changeSignals = defineOperation({
  name: 'estimates/change-signals',
  tag: 'estimates',
  summary: 'How far signals of changes can be trusted, from checks and the signals between them',
  description: [
    'Sitemaps (lastmod), IndexNow and pings say that a page has changed. Some are wrong, and they miss some changes. From checks, each with',
    'the number of signals since the one before, the answer has each host’s precision (share of signals that are right) and recall (share',
    'of changes that are signalled), with intervals. `crawl-plan` asks for both beside `signals`.',
    '',
    'A check after a time a with n signals finds no change with probability e^{−(1−ρ)λa}(1−p)^n, and signals come at λρ/p. ln λ is normal over',
    'the pages of a host, and integrated out. With `lastCrawl`, edits of much of a host at once are found, and the checks that span one are',
    'set aside, with a warning.',
    '',
    'Source: R. Busa-Fekete et al. 2025 (noisy change-indicating signals); marginal likelihood.',
  ].join('\n'),
  request: contract.changeSignalsRequest,
  solution: contract.changeSignalsSolution,
  sentence: contract.changeSignalsSentence,
  supplement: {},
  examples: {
    'change-signals': 'Two hosts: a sitemap that is right as a rule, and pings that are wrong as a rule',
    'change-signals-columns': 'Columns, one host',
  },
  limits: contract.changeSignalsLimits,
  work: ({ problem }) => 32_000 * problem.elapsed.length + 100_000 * problem.names.length,
  solve: ({ problem }, budget) => solveChangeSignals(problem, budget),
});
