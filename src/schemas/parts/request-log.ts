/** The log of requests to hosts, and its form as the estimate of host limits takes it. */
import type * as z from 'zod';
import {
  answeredOutcome,
  inconclusiveOutcome,
  type RequestLog,
  refusedOutcome,
} from '../../solvers/host-limits/index.ts';
import { epochMoment, number, time } from '../contract/field.ts';
import { list } from '../contract/list.ts';
import { integer, real } from '../contract/range.ts';
import { conditions } from '../contract/refusals.ts';
import { strictObject } from '../contract/strict-object.ts';
import { largestTime, latestTime } from './epoch-times.ts';

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
export const requestList = (most: number) =>
  list(hostRequest, { minItems: 0, maxItems: most }).check(
    conditions((requests, refuse) => {
      const k = requests.findIndex(({ time }) => time > latestTime);
      if (k < 0) return;
      const { time } = requests[k];
      const message = `must be epoch seconds; got ${time}: this looks like epoch milliseconds, divide by 1000`;
      refuse([k, 'time'], 'too_big', message, time);
    }),
  );

/** @param slowAfter seconds after which an answer counts as a refusal */
export function requestLog(
  hosts: readonly (readonly HostRequest[])[],
  slowAfter: number,
): { readonly log: RequestLog; readonly outOfOrder: number } {
  const offsets = new Uint32Array(hosts.length + 1);
  let outOfOrder = 0;
  for (const [h, requests] of hosts.entries()) {
    offsets[h + 1] = offsets[h] + requests.length;
    for (let k = 1; k < requests.length; k++) if (requests[k].time < requests[k - 1].time) outOfOrder++;
  }
  const all = hosts.flatMap((requests) => requests.toSorted((a, b) => a.time - b.time));
  const log = {
    offsets,
    time: Float64Array.from(all, ({ time }) => time),
    outcome: Uint8Array.from(all, (request) => outcomeOf(request, slowAfter)),
    retryAfter: Float64Array.from(all, ({ retryAfter }) => retryAfter ?? Number.NaN),
    latency: Float64Array.from(all, ({ latency }) => latency ?? Number.NaN),
  };
  return { log, outOfOrder };
}

function outcomeOf({ status, latency }: HostRequest, slowAfter: number): number {
  if (status === 429 || status === 503) return refusedOutcome;
  if (status === 0 || status >= 500) return inconclusiveOutcome;
  return (latency ?? 0) > slowAfter ? refusedOutcome : answeredOutcome;
}
