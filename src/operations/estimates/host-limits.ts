import {
  type CheckedHostLimits,
  hostLimitsLimits,
  hostLimitsRequest,
  hostLimitsSentence,
  hostLimitsSolution,
} from '../../schemas/estimates-host-limits.ts';
import { type Warning, warning } from '../../solvers/answer.ts';
import { type HostLimit, solveHostLimits } from '../../solvers/host-limits/index.ts';
import { defineOperation } from '../operation.ts';

/** The delay each host bears, from the statuses and times of its requests. */
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
  request: hostLimitsRequest,
  solution: hostLimitsSolution,
  timeUnit: 'seconds',
  sentence: hostLimitsSentence,
  beside: {},
  examples: [
    {
      name: 'host-limits',
      summary: 'A host that refuses requests less than a second apart, and one that never refused',
    },
    { name: 'host-limits-columns', summary: 'Columns, with latencies, a Retry-After and the delays in force' },
  ],
  limits: hostLimitsLimits,
  work: ({ problem }) => 5000 * problem.log.time.length + 1000 * problem.delay.length,
  solve(request, budget) {
    const { hosts } = solveHostLimits(request.problem, budget);
    return {
      status: 'evaluated',
      solution: { hosts: columnsOf(request, hosts) },
      warnings: warningsOf(request, hosts),
      statistics: { solver: 'monotone-fit', hosts: hosts.length, requests: request.problem.log.time.length },
    };
  },
});

function columnsOf({ names }: CheckedHostLimits, hosts: readonly HostLimit[]) {
  return {
    host: names.map((name) => name ?? ''),
    minDelay: hosts.map(({ minDelay }) => minDelay),
    maxRate: hosts.map(({ minDelay }) => (minDelay === null ? null : 1 / minDelay)),
    interval: hosts.map(({ low, high }) => [low, Number.isFinite(high) ? high : null]),
    nextDelay: hosts.map(({ nextDelay }) => nextDelay),
    evidence: hosts.map(({ evidence }) => evidence),
    requests: hosts.map(({ requests }) => requests),
    refusals: hosts.map(({ refusals }) => refusals),
    judged: hosts.map(({ judged }) => judged),
    refusalShare: hosts.map(({ refusalShare }) => refusalShare),
    medianLatency: hosts.map(({ medianLatency }) => medianLatency),
    notBefore: hosts.map(({ notBefore }) => notBefore),
    quota: hosts.map(({ quota }) => quota),
  };
}

function warningsOf({ requests }: CheckedHostLimits, hosts: readonly HostLimit[]): Warning[] {
  const warnings: Warning[] = [];
  const say = (count: number, code: string, detail: string): void => {
    if (count > 0) warnings.push(warning(code, `${count} ${detail}`, ['hosts']));
  };
  say(requests.outOfOrder, 'out-of-order', 'requests are earlier than the one before them; taken in order of time');
  say(
    hosts.filter(({ judged }) => judged === 0).length,
    'no-steady-pace',
    'of the hosts have no request at a steady pace: lower memory, or ask at even gaps for a while',
  );
  say(
    hosts.filter(({ judged, refusalShare }) => judged > 0 && refusalShare === null).length,
    'all-paces-refused',
    'of the hosts refused too many requests at every pace: minDelay is then twice the slowest pace',
  );
  return warnings;
}
