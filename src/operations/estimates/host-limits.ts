import * as contract from '../../schemas/estimates-host-limits.ts';
import { solveHostLimits } from '../../solvers/host-limits/index.ts';
import { defineOperation } from '../operation.ts';

export const hostLimits = defineOperation({
  name: 'estimates/host-limits',
  tag: 'estimates',
  summary: 'How fast each host can be asked, from a log of statuses and times',
  description: [
    'A host that is asked too fast answers 429 or 503. From the log of its requests the answer has the least delay at which no more than a',
    'tolerated share is refused, with an interval. If answers take longer than that, the delay is longer. Use `minDelay` as the `minDelay`',
    'of the host in `crawl-plan`. Times and delays are in seconds.',
    '',
    'The chance of a refusal falls with the pace, the mean of the last `memory` gaps. The estimate is the monotone fit; the interval comes',
    'from exact binomial tests. Between plans use `nextDelay`: the rate rises by a fixed step while nothing is refused, and is halved',
    'otherwise.',
    '',
    'Sources: M. Ayer et al., Ann. Math. Statist. 26 (1955), the monotone fit; C. Clopper, E. Pearson, Biometrika 26 (1934); D.-M. Chiu,',
    'R. Jain, Computer Networks and ISDN Systems 17 (1989), additive increase and multiplicative decrease.',
  ].join('\n'),
  request: contract.hostLimitsRequest,
  solution: contract.hostLimitsSolution,
  timeUnit: 'seconds',
  sentence: contract.hostLimitsSentence,
  supplement: {},
  examples: {
    'host-limits': 'A host that refuses requests less than a second apart, and one that never refused',
    'host-limits-columns': 'Columns, with latencies, a Retry-After and the delays in force',
  },
  limits: contract.hostLimitsLimits,
  work: ({ problem }) => 5000 * problem.log.time.length + 1000 * problem.delay.length,
  solve: ({ problem }, budget) => solveHostLimits(problem, budget),
});
