/** The wire shapes of `estimates/host-limits`. */

import * as z from 'zod';
import { answeredOutcome, inconclusiveOutcome, type RequestLog, refusedOutcome } from '../solvers/host-limits/index.ts';
import type { SolvedAnswer } from './contract/answer.ts';
import { count, epochMoment, id, number, plain, rate, share, time } from './contract/field.ts';
import { list } from './contract/list.ts';
import { requestSchema } from './contract/options.ts';
import { chance, integer, nameText, numberOrNull, openInterval, real } from './contract/range.ts';
import { conditions, refusals } from './contract/refusals.ts';
import { choice, object, strictObject } from './contract/strict-object.ts';
import { largestTime, latestTime } from './parts/epoch-times.ts';
import { placeIn, positionsOf, table } from './table/table.ts';
import { cellsOf, tableAnswerSchema } from './table/table-answer.ts';
import { countText, duration, figure } from './words/numbers.ts';

export const hostLimitsLimits = { hosts: 100_000, requestsPerHost: 1_000_000 } as const;

const wait = real({ atLeast: 0, atMost: 1e9 }).nullable().optional();

/** A request to a host and its result. */
const hostRequest = strictObject('HostLimitsHostRequest', {
  time: real({ atLeast: 0, atMost: largestTime })
    // a later time is refused by a message that names the likely cause
    .meta({ maximum: latestTime, ...epochMoment('When it was made') }),
  status: integer({ atLeast: 0, atMost: 999 }).meta(number('HTTP status: 429 and 503 are refusals; 0 is no answer')),
  retryAfter: wait.meta(time({ unit: 'seconds' })),
  latency: wait.meta(time('From the request to its answer', { unit: 'seconds' })),
});

type HostRequest = z.output<typeof hostRequest>;

/** `[{time, status, retryAfter?, latency?}, …]`. */
const requestList = list(hostRequest, { minItems: 0, maxItems: hostLimitsLimits.requestsPerHost }).check(
  conditions((requests, refuse) => {
    const k = requests.findIndex(({ time }) => time > latestTime);
    if (k < 0) return;
    const { time } = requests[k];
    const message = `must be epoch seconds; got ${time}: this looks like epoch milliseconds, divide by 1000`;
    refuse([k, 'time'], 'too_big', message, time);
  }),
);

const wireRequest = requestSchema({
  hosts: table('HostLimitsHost', hostLimitsLimits.hosts, 'The hosts with their logs', {
    host: nameText.meta(id('Name of the host, or of another group')),
    requests: requestList.meta(plain('Its requests')),
    delay: real({ above: 0, atMost: 1e9 })
      .optional()
      .meta(time('Delay in force; left out: nextDelay goes on from minDelay')),
    since: real({ atLeast: 0, atMost: latestTime })
      .optional()
      .meta(epochMoment('Since when it is in force; left out: the whole log')),
  }),
  refusals: real({ atLeast: 1e-5, atMost: 0.5 })
    .default(0.01)
    .meta(
      share('Acceptable share of refusals (429, 503)', {
        unit: 'of the requests',
        lever: { from: 0.005, to: 0.5 },
      }),
    ),
  confidence: real({ atLeast: 0.5, atMost: 0.999999 })
    .default(0.95)
    .meta(share({ role: 'advanced' })),
  memory: integer({ atLeast: 1, atMost: 10_000 })
    .default(5)
    .meta(count('Gaps back by which a host judges the pace', { unit: 'gaps', role: 'advanced' })),
  slowAfter: real({ above: 0, atMost: 1e9 })
    .optional()
    .meta(time('Longer answers count as refusals; left out: none do', { role: 'advanced' })),
  connections: integer({ atLeast: 1, atMost: 10_000 })
    .default(1)
    .meta(count('Parallel requests of a host', { unit: 'requests', role: 'advanced' })),
  increase: chance
    .default(0.1)
    .meta(share('Rise of nextDelay’s rate without refusals, as a share of maxRate', { role: 'advanced' })),
});

export const hostLimitsRequest = wireRequest.transform((request, context) => {
  const refuse = refusals(context.issues);
  const { hosts, memory, connections, increase, confidence } = request;
  const { host, requests, delay, since } = hosts.columns;
  positionsOf(host, (h) => placeIn('hosts', hosts)(h, 'host'), refuse);
  const { log, outOfOrder } = requestLog(requests, request.slowAfter ?? Number.POSITIVE_INFINITY);
  return {
    options: request.options,
    hosts,
    problem: {
      names: host,
      outOfOrder,
      log,
      maxRefusalShare: request.refusals,
      confidence,
      memory,
      connections,
      increase,
      delay,
      since: since.map((time) => (Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time)),
    },
  };
});

/** @param slowAfter seconds after which an answer counts as a refusal */
function requestLog(
  hosts: readonly (readonly HostRequest[])[],
  slowAfter: number,
): { readonly log: RequestLog; readonly outOfOrder: number } {
  const offsets = new Uint32Array(hosts.length + 1);
  let outOfOrder = 0;
  for (const [h, requests] of hosts.entries()) {
    offsets[h + 1] = offsets[h] + requests.length;
    for (let k = 1; k < requests.length; k++) if (requests[k].time < requests[k - 1].time) outOfOrder++;
  }
  const sortedRequests = hosts.flatMap((requests) => requests.toSorted((a, b) => a.time - b.time));
  const log = {
    offsets,
    time: Float64Array.from(sortedRequests, ({ time }) => time),
    outcome: Uint8Array.from(sortedRequests, (request) => outcomeOf(request, slowAfter)),
    retryAfter: Float64Array.from(sortedRequests, ({ retryAfter }) => retryAfter ?? Number.NaN),
    latency: Float64Array.from(sortedRequests, ({ latency }) => latency ?? Number.NaN),
  };
  return { log, outOfOrder };
}

function outcomeOf({ status, latency }: HostRequest, slowAfter: number): number {
  if (status === 429 || status === 503) return refusedOutcome;
  if (status === 0 || status >= 500) return inconclusiveOutcome;
  return (latency ?? 0) > slowAfter ? refusedOutcome : answeredOutcome;
}

export const hostLimitsSolution = object('HostLimitsSolution', {
  hosts: tableAnswerSchema('HostLimitsSolutionHost', 'The hosts, as in the request', {
    host: z.string().meta(id()),
    minDelay: numberOrNull.meta(time('Least delay that the host bears; null: unknown', { role: 'first' })),
    maxRate: numberOrNull.meta(rate('The same as requests a second', { role: 'first' })),
    interval: openInterval.meta(
      time('Its interval [low, high] by refusals alone; high null: unknown', { label: 'delay, interval' }),
    ),
    nextDelay: numberOrNull.meta(time('The delay to use until the next log')),
    evidence: choice('HostLimitsEvidence', ['refusals', 'latency', 'none']).describe(
      'What sets minDelay; none: the pace of the log',
    ),
    requests: z.int().meta(count({ unit: 'requests' })),
    refusals: z.int().meta(count({ unit: 'requests' })),
    judged: z.int().meta(count('Requests at a steady pace', { unit: 'requests' })),
    refusalShare: numberOrNull.meta(
      share('Of refusals at minDelay, as fitted; null: no pace is borne', { unit: 'of the requests' }),
    ),
    medianLatency: numberOrNull.meta(time('Seconds; null with fewer than 20 latencies')),
    notBefore: numberOrNull.meta(epochMoment('Until when the host asked for silence; null: past')),
    quota: object('HostLimitsQuota', {
      period: z.number().meta(time('Length of the window, seconds')),
      count: z.int().meta(count('Requests that it answers', { unit: 'requests' })),
      window: choice('HostLimitsWindow', ['fixed', 'sliding']).meta(
        plain('fixed: windows follow each other; sliding: the time before each request'),
      ),
      phase: numberOrNull.meta(time('Start of a fixed window, after a multiple of the period; null: sliding')),
    })
      .nullable()
      .meta(plain('Requests allowed per window, if a quota explains the refusals')),
  }),
});

export function hostLimitsSentence({ solution }: SolvedAnswer<typeof hostLimitsSolution>): string {
  const delays = cellsOf(solution.hosts, 'minDelay');
  const evidence = cellsOf(solution.hosts, 'evidence');
  const knownHosts = Array.from(cellsOf(solution.hosts, 'host'), (host, h) => ({
    host: String(host),
    delay: Number(delays[h]),
  }))
    .filter(({ delay }, h) => delay > 0 && evidence[h] !== 'none')
    .sort((a, b) => b.delay - a.delay);
  const hosts = countText(delays.length, 'host');
  if (knownHosts.length === 0) return `The log shows no limit for any of ${hosts}.`;
  const [slowest] = knownHosts;
  return `The log shows the limits of ${figure(knownHosts.length)} of ${hosts}: the slowest, "${slowest.host}", bears a request every ${duration(slowest.delay)}.`;
}
