/** The wire shapes of `estimates/host-limits`. */
import * as z from 'zod';
import type { HostLimitsProblem } from '../solvers/host-limits/index.ts';
import { requestSchema } from './contract/options.ts';
import { refusals } from './contract/refusals.ts';
import { latestTime } from './parts/epoch-times.ts';
import { type RequestLogReader, requestsColumn } from './parts/request-log.ts';
import { numberColumn, textColumn } from './table/column.ts';
import { type Columns, type Table, table } from './table/table.ts';
import { tableAnswerSchema } from './table/table-answer.ts';

/** Sizes this operation accepts. */
export const hostLimitsLimits = { hosts: 100_000, requestsPerHost: 1_000_000 } as const;

const wireRequest = requestSchema({
  hosts: table(
    {
      host: textColumn('Name of the host, or of any group of pages that is limited together', { broadcasts: false }),
      requests: requestsColumn(
        hostLimitsLimits.requestsPerHost,
        'Its requests: {time (epoch seconds), status, retryAfter? (seconds), latency? (seconds)}',
      ),
      delay: numberColumn(
        'The delay in force between two requests, seconds; left out: nextDelay goes on from minDelay',
        {
          above: 0,
          atMost: 1e9,
          optional: true,
        },
      ),
      since: numberColumn('Since when that delay is in force, epoch seconds; left out: for the whole log', {
        atLeast: 0,
        atMost: latestTime,
        optional: true,
      }),
    },
    { maxRows: hostLimitsLimits.hosts, description: 'The hosts, each with the log of its requests' },
  ),
  refusals: z
    .number()
    .min(1e-5)
    .max(0.5)
    .default(0.01)
    .describe('Share of requests that may be refused (429, 503) at the delay looked for'),
  confidence: z.number().min(0.5).max(0.999999).default(0.95).describe('Confidence of the intervals'),
  memory: z
    .int()
    .min(1)
    .max(10_000)
    .default(5)
    .describe('How many gaps back a host looks when it judges the pace: raise it for limits that allow bursts'),
  slowAfter: z
    .number()
    .positive()
    .max(1e9)
    .optional()
    .describe('An answer that takes longer, in seconds, counts as a refusal; left out: none does'),
  connections: z
    .int()
    .min(1)
    .max(10_000)
    .default(1)
    .describe('Requests of a host that may be under way at once: delays are at least the median latency divided by it'),
  increase: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe('By which share of maxRate the rate of nextDelay rises above the one in force where nothing was refused'),
});

/** A checked request. */
export interface CheckedHostLimits {
  readonly options?: z.output<typeof wireRequest>['options'];
  readonly problem: HostLimitsProblem;
  readonly hosts: Pick<Table<Columns>, 'form' | 'length' | 'ids'>;
  readonly names: readonly (string | undefined)[];
  readonly requests: RequestLogReader;
}

export const hostLimitsRequest = wireRequest.transform((request, context): CheckedHostLimits => {
  const refuse = refusals(context.issues);
  const { hosts, memory, connections, increase, confidence } = request;
  const { host, requests, delay, since } = hosts.columns;
  const seen = new Map<string, number>();
  for (const [h, name = ''] of host.entries()) {
    const before = seen.get(name);
    const path = hosts.form === 'rows' ? ['hosts', h, 'host'] : ['hosts', 'host', h];
    if (before === undefined) seen.set(name, h);
    else refuse(path, 'duplicate', `host ${name} is listed twice, as number ${before} and ${h}`, name);
  }
  return {
    options: request.options,
    hosts,
    names: host,
    requests,
    problem: {
      log: requests.log(request.slowAfter ?? Number.POSITIVE_INFINITY),
      tolerated: request.refusals,
      confidence,
      memory,
      connections,
      increase,
      delay,
      since: since.map((time) => (Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time)),
    },
  };
});

export const hostLimitsSolution = z.object({
  hosts: tableAnswerSchema(
    {
      host: z.string().describe('The host'),
      minDelay: z
        .number()
        .nullable()
        .describe('Least seconds between two requests that the host bears, for crawl-plan; null: the log shows none'),
      maxRate: z.number().nullable().describe('The same as requests a second'),
      interval: z
        .tuple([z.number(), z.number().nullable()])
        .describe('[low, high] of the least delay borne, by refusals alone; high null: the log does not show one'),
      nextDelay: z
        .number()
        .nullable()
        .describe('The delay to try until the next log: half the rate after refusals, else a little more of it'),
      evidence: z
        .enum(['refusals', 'latency', 'none'])
        .describe('What sets minDelay: refusals, how long answers take, or only the pace the host was asked at'),
      requests: z.int().describe('Requests in the log'),
      refusals: z.int().describe('Requests refused'),
      judged: z.int().describe('Requests at a steady pace, by which the delay is judged'),
      refusalShare: z.number().nullable().describe('Fitted share of refusals at minDelay; null where no pace is borne'),
      medianLatency: z.number().nullable().describe('Seconds; null with fewer than 20 latencies'),
      notBefore: z
        .number()
        .nullable()
        .describe('Until when the host asked to be left alone, epoch seconds; null where that is past'),
    },
    'The hosts, in the order and form of the request',
  ),
});
