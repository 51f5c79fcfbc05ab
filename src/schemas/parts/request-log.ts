/** The column `requests` of a list of hosts: the log of each, stored as the estimate of host limits takes it. */
import { answered, inconclusive, type RequestLog, refused } from '../../solvers/host-limits/index.ts';
import { type Field, moment, number, time } from '../contract/field.ts';
import { type Fault, quoted } from '../contract/problem.ts';
import { type Column, saying } from '../table/column.ts';
import { objectFault, propertiesOf } from './cell-objects.ts';
import { latestTime } from './epoch-times.ts';
import { listFault } from './list.ts';

/** A request to a host and how it ended. */
export interface HostRequest {
  readonly time: number;
  readonly status: number;
  readonly retryAfter?: number | null;
  readonly latency?: number | null;
}

const names = ['time', 'status', 'retryAfter', 'latency'];
const longestWait = 1e9;

export class RequestLogReader {
  readonly #hosts: HostRequest[][];
  /** Requests that came before the one listed before them. */
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
  if (status === 429 || status === 503) return refused;
  if (status === 0 || status >= 500) return inconclusive;
  return (latency ?? 0) > slowAfter ? refused : answered;
}

/** `requests`: `[{time, status, retryAfter?, latency?}]`. */
export function requestsColumn(most: number, said: string | Field): Column<RequestLogReader, readonly HostRequest[]> {
  return {
    required: true,
    broadcasts: false,
    cell: {
      type: 'array',
      maxItems: most,
      items: {
        type: 'object',
        properties: {
          time: {
            type: 'number',
            minimum: 0,
            maximum: latestTime,
            ...moment('When it was made', { unit: 'epoch seconds' }),
          },
          status: {
            type: 'integer',
            minimum: 0,
            maximum: 999,
            ...number('HTTP status: 429 and 503 are refusals; 0 is no answer'),
          },
          retryAfter: {
            type: ['number', 'null'],
            minimum: 0,
            maximum: longestWait,
            ...time('Retry-After', { unit: 'seconds' }),
          },
          latency: {
            type: ['number', 'null'],
            minimum: 0,
            maximum: longestWait,
            description: 'Seconds from the request to its answer',
          },
        },
        required: ['time', 'status'],
        additionalProperties: false,
      },
    },
    ...saying(said),
    store(length) {
      const values = new RequestLogReader(length);
      return {
        values,
        set(position, cell) {
          const fault = listFault(cell, { minItems: 0, maxItems: most }, 'requests {time, status}');
          if (fault || !Array.isArray(cell)) return fault;
          const read: HostRequest[] = [];
          for (let k = 0; k < cell.length; k++) {
            const request = readRequest(cell[k]);
            if ('code' in request) return { ...request, path: [k, ...(request.path ?? [])] };
            read.push(request);
          }
          values.set(position, read);
          return null;
        },
      };
    },
  };
}

function readRequest(value: unknown): HostRequest | Fault {
  const fault = objectFault(value, names);
  if (fault !== null) return fault;
  const { time, status, retryAfter, latency } = propertiesOf(value);
  const wrong = (name: string, message: string): Fault => ({ path: [name], code: 'invalid_type', message });
  if (typeof time !== 'number' || !(time >= 0)) return wrong('time', `must be epoch seconds; got ${quoted(time)}`);
  if (time > latestTime) {
    const message = `must be epoch seconds; got ${time}: this looks like epoch milliseconds, divide by 1000`;
    return { path: ['time'], code: 'too_big', message };
  }
  if (typeof status !== 'number' || !(Number.isInteger(status) && status >= 0 && status <= 999)) {
    return wrong('status', `must be an HTTP status, an integer from 0 to 999; got ${quoted(status)}`);
  }
  for (const [name, wait] of [
    ['retryAfter', retryAfter],
    ['latency', latency],
  ] as const) {
    if (wait === undefined || wait === null) continue;
    if (typeof wait !== 'number' || !(wait >= 0 && wait <= longestWait)) {
      return wrong(name, `must be seconds from 0 to ${longestWait}; got ${quoted(wait)}`);
    }
  }
  return {
    time,
    status,
    ...(typeof retryAfter === 'number' && { retryAfter }),
    ...(typeof latency === 'number' && { latency }),
  };
}
