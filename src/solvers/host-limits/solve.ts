/**
 * The shortest delay that each host sustains, from a log of statuses and times.
 *
 * 1. The pace of every request that was made at a steady one (steady-paces.ts).
 * 2. The shortest delay at which refusals stay within the tolerance, and its interval (pace-limit.ts). Where every pace
 *    was refused too often: twice the slowest.
 * 3. Little's formula: with no more than c requests under way at once the delay is at least the median latency divided
 *    by c.
 * 4. A quota of requests a window, where that explains the refusals (quota.ts).
 * 5. The delay to try next: the quota's, or a step (next-delay.ts).
 * Complexity: O(n log n) in a host's requests. Stopping rule: none. Known limits: minDelay attributes refusals to the
 * pace alone; a limit by address shows only as far as the log's paces differ.
 */
import { type Warning, warning } from '../answer.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import { nextDelay } from './next-delay.ts';
import { estimatePaceLimit, minRequestsAtPace } from './pace-limit.ts';
import { answeredOutcome, type HostLimit, type HostLimitsProblem, type HostQuota, refusedOutcome } from './problem.ts';
import { findQuota } from './quota.ts';
import { selectSteadyPaces } from './steady-paces.ts';

/**
 * The shortest sustainable delay, the next delay and the quota of every host.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function solveHostLimits(problem: HostLimitsProblem, budget: Budget) {
  const hosts: HostLimit[] = [];
  for (let h = 0; h < problem.delay.length; h++) {
    if (budget.stopRequested()) throw new NothingToReturn(`stopped at host ${h} of ${problem.delay.length}`);
    hosts.push(estimateLimit(problem, h));
  }
  return {
    status: 'evaluated' as const,
    solution: { hosts },
    warnings: warningsOf(problem.outOfOrder, hosts),
    statistics: { solver: 'monotone-fit', hosts: hosts.length, requests: problem.log.time.length },
  };
}

function warningsOf(outOfOrder: number, hosts: readonly HostLimit[]): Warning[] {
  const warnings: Warning[] = [];
  const warn = (count: number, code: string, detail: string): void => {
    if (count > 0) warnings.push(warning(code, `${count} ${detail}`, ['hosts']));
  };
  warn(outOfOrder, 'out-of-order', 'requests are earlier than the one before them; taken in order of time');
  warn(
    hosts.filter(({ judged }) => judged === 0).length,
    'no-steady-pace',
    'of the hosts have no request at a steady pace: lower memory, or ask at even gaps for a while',
  );
  warn(
    hosts.filter(({ judged, refusalShare }) => judged > 0 && refusalShare === null).length,
    'all-paces-refused',
    'of the hosts refused too many requests at every pace: minDelay is then twice the slowest pace',
  );
  return warnings;
}

function estimateLimit(problem: HostLimitsProblem, h: number): HostLimit {
  const { log, maxRefusalShare, confidence, memory, connections, increase } = problem;
  const requests = log.offsets[h + 1] - log.offsets[h];
  const paces = selectSteadyPaces(log, h, memory);
  const steadyRequests = paces.pace.length;
  const latency = medianLatency(problem, h);
  const latencyDelay = latency === null ? 0 : latency / connections;
  const host = problem.names[h];
  const counts = {
    requests,
    refusals: refusalsSince(problem, h, Number.NEGATIVE_INFINITY).refusals,
    judged: steadyRequests,
  };
  const quota = findQuota(log, h);
  const details = { medianLatency: latency, notBefore: retryTimeOf(problem, h), quota };
  // without requests at a steady pace, the interval has no bounds
  const { delay, low, high, share } = estimatePaceLimit(paces, maxRefusalShare, confidence);
  const isBounded = delay < Number.POSITIVE_INFINITY;
  const slowest = paces.pace.reduce((longest, each) => Math.max(longest, each), 0);
  const refusalDelay = isBounded ? delay : 2 * slowest;
  const longestDelay = Math.max(refusalDelay, latencyDelay);
  const minDelay = steadyRequests === 0 && longestDelay === 0 ? null : longestDelay;
  const hasRefusals = paces.isRefused.some((each) => each === 1);
  let evidence: HostLimit['evidence'] = hasRefusals ? 'refusals' : 'none';
  if (latencyDelay > refusalDelay) evidence = 'latency';
  const delayInForce = Number.isNaN(problem.delay[h]) ? null : problem.delay[h];
  return {
    host,
    minDelay,
    maxRate: minDelay === null ? null : 1 / minDelay,
    interval: [low, Number.isFinite(high) ? high : null],
    nextDelay: delayToTry(problem, h, {
      sustainableDelay: steadyRequests > 0 || delayInForce === null ? minDelay : Math.max(longestDelay, delayInForce),
      minDelay: Math.max(low, latencyDelay),
      increase: isBounded ? increase : 0,
      quota,
    }),
    evidence,
    ...counts,
    refusalShare: isBounded ? share : null,
    ...details,
  };
}

interface DelayEvidence {
  readonly sustainableDelay: number | null;
  readonly minDelay: number;
  readonly increase: number;
  readonly quota: HostQuota | null;
}

function delayToTry(
  problem: HostLimitsProblem,
  h: number,
  { sustainableDelay, minDelay, increase, quota }: DelayEvidence,
): number | null {
  // under a quota the delay follows from the quota: no step is tried
  if (quota !== null) return Math.max(quota.period / quota.count, minDelay);
  if (sustainableDelay === null) return null;
  // without a known delay in force: a step from the sustainable delay, since there is no reason to halve the rate
  if (Number.isNaN(problem.delay[h])) return Math.max(sustainableDelay / (1 + increase), minDelay);
  const { requests, refusals } = refusalsSince(problem, h, problem.since[h]);
  return nextDelay({
    delay: problem.delay[h],
    sustainableDelay,
    increase,
    requests,
    refusals,
    maxRefusalShare: problem.maxRefusalShare,
    minDelay,
  });
}

/** Requests since a time that were answered or refused. */
function refusalsSince(
  { log }: HostLimitsProblem,
  h: number,
  startTime: number,
): { requests: number; refusals: number } {
  let requests = 0;
  let refusals = 0;
  for (let k = log.offsets[h]; k < log.offsets[h + 1]; k++) {
    if (log.time[k] < startTime) continue;
    if (log.outcome[k] === refusedOutcome) refusals++;
    if (log.outcome[k] === refusedOutcome || log.outcome[k] === answeredOutcome) requests++;
  }
  return { requests, refusals };
}

function medianLatency({ log }: HostLimitsProblem, h: number): number | null {
  const latencies = log.latency
    .subarray(log.offsets[h], log.offsets[h + 1])
    .filter((each) => !Number.isNaN(each))
    .sort();
  return latencies.length < minRequestsAtPace
    ? null
    : 0.5 * (latencies[(latencies.length - 1) >> 1] + latencies[latencies.length >> 1]);
}

function retryTimeOf({ log }: HostLimitsProblem, h: number): number | null {
  let retryTime = Number.NEGATIVE_INFINITY;
  const from = log.offsets[h];
  const to = log.offsets[h + 1];
  for (let k = from; k < to; k++) {
    if (!Number.isNaN(log.retryAfter[k])) retryTime = Math.max(retryTime, log.time[k] + log.retryAfter[k]);
  }
  return to > from && retryTime > log.time[to - 1] ? retryTime : null;
}
