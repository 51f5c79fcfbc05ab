/** The column `requests` of a list of hosts: the log of each, stored as the estimate of host limits takes it. */
import type * as z from 'zod';
import {
  answeredOutcome,
  inconclusiveOutcome,
  type RequestLog,
  refusedOutcome,
} from '../../solvers/host-limits/index.ts';
import { type Field, moment, number, time } from '../contract/field.ts';
import { integer, real } from '../contract/range.ts';
import { refusals } from '../contract/refusals.ts';
import { strictObject } from '../contract/strict-object.ts';
import { type Column, schemaColumn } from '../table/column.ts';
import { largestTime, latestTime } from './epoch-times.ts';
import { list } from './list.ts';

const longestWait = 1e9;
const wait = real({ atLeast: 0, atMost: longestWait }).nullable().optional();

/** A request to a host and its result. */
const hostRequest = strictObject({
  time: real({ atLeast: 0, atMost: largestTime })
    // validated by the column, whose message names the likely cause
    .meta({ maximum: latestTime, ...moment('When it was made', { unit: 'epoch seconds' }) }),
  status: integer({ atLeast: 0, atMost: 999 }).meta(number('HTTP status: 429 and 503 are refusals; 0 is no answer')),
  retryAfter: wait.meta(time('Retry-After', { unit: 'seconds' })),
  latency: wait.meta(time('From the request to its answer', { unit: 'seconds' })),
});

type HostRequest = z.output<typeof hostRequest>;

export class RequestLogReader {
  readonly #hosts: HostRequest[][];
  /** Number of requests out of order. */
  outOfOrder = 0;

  constructor(length: number) {
    this.#hosts = new Array<HostRequest[]>(length).fill([]);
  }

  set(position: number, requests: HostRequest[]): void {
    for (let k = 1; k < requests.length; k++) if (requests[k].time < requests[k - 1].time) this.outOfOrder++;
    this.#hosts[position] = requests.sort((a, b) => a.time - b.time);
  }

  /** @param slowAfter seconds after which an answer counts as a refusal */
  log(slowAfter: number): RequestLog {
    const offsets = new Uint32Array(this.#hosts.length + 1);
    for (const [h, requests] of this.#hosts.entries()) offsets[h + 1] = offsets[h] + requests.length;
    const all = this.#hosts.flat();
    return {
      offsets,
      time: Float64Array.from(all, ({ time }) => time),
      outcome: Uint8Array.from(all, (request) => outcomeOf(request, slowAfter)),
      retryAfter: Float64Array.from(all, ({ retryAfter }) => retryAfter ?? Number.NaN),
      latency: Float64Array.from(all, ({ latency }) => latency ?? Number.NaN),
    };
  }
}

function outcomeOf({ status, latency }: HostRequest, slowAfter: number): number {
  if (status === 429 || status === 503) return refusedOutcome;
  if (status === 0 || status >= 500) return inconclusiveOutcome;
  return (latency ?? 0) > slowAfter ? refusedOutcome : answeredOutcome;
}

/** `requests`: `[{time, status, retryAfter?, latency?}]`. */
export function requestsColumn(
  most: number,
  field: string | Field,
): Column<RequestLogReader, readonly z.input<typeof hostRequest>[]> {
  const requests = schemaColumn(
    field,
    list(hostRequest, { minItems: 0, maxItems: most }, 'requests {time, status}').check(({ value, issues }) => {
      const k = value.findIndex(({ time }) => time > latestTime);
      if (k < 0) return;
      const message = `must be epoch seconds; got ${value[k].time}: this looks like epoch milliseconds, divide by 1000`;
      refusals(issues)([k, 'time'], 'too_big', message, value[k].time);
    }),
  );
  return {
    ...requests,
    get cell() {
      return requests.cell;
    },
    store(length) {
      const values = new RequestLogReader(length);
      const store = requests.store(1);
      return {
        values,
        set(position, cell) {
          const fault = store.set(0, cell);
          if (fault === null) values.set(position, store.values[0] ?? []);
          return fault;
        },
      };
    },
  };
}
