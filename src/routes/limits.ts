/** GET /v1/limits: every bound a request meets, so that a client can check before it sends. */
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Config } from '../config.ts';
import { encodings, maxInflation } from '../http/bodies/inflate.ts';
import { maxLines } from '../http/bodies/line-answers.ts';
import { arrowType, jsonType, linesType, logTypes } from '../http/bodies/media-types.ts';
import { getRoute } from '../http/get-route.ts';
import type { OperationFacts } from '../operations/operation.ts';

const limitsSchema = z.object({
  bodyBytes: z.int().describe('Largest body, in bytes'),
  timeLimitMs: z.object({
    default: z.int().describe('Milliseconds, where a request gives none'),
    maximum: z.int().describe('Milliseconds that a request may ask for'),
  }),
  work: z.number().describe('Largest estimated work, in elementary steps of about a nanosecond'),
  workers: z.int().describe('Worker processes'),
  queue: z.int().describe('Requests that may wait for a worker'),
  bodies: z
    .object({
      mediaTypes: z
        .array(z.string())
        .describe('Content-Type of requests; Arrow where a list comes as columns, NDJSON for a request a line'),
      logMediaTypes: z.array(z.string()).describe('Content-Type of crawl logs; their lines may be NDJSON too'),
      encodings: z.array(z.string()).describe('Content-Encoding of requests'),
      inflatedBytes: z.int().describe('Largest body once it is inflated, in bytes'),
      inflation: z.int().describe('How many times its size a body may become, from a mebibyte on'),
      lines: z.int().describe('Most requests in one body of NDJSON'),
    })
    .describe('The forms of bodies'),
  operations: z
    .record(z.string(), z.record(z.string(), z.number()))
    .describe('The sizes each operation accepts, by name of the operation and of the size'),
});

interface LimitsOptions {
  readonly config: Config;
  readonly operations: readonly OperationFacts[];
}

export const limitsRoute: FastifyPluginAsync<LimitsOptions> = async (app, { config, operations }) => {
  const limits = {
    bodyBytes: config.bodyLimitBytes,
    timeLimitMs: { default: config.defaultTimeLimitMs, maximum: config.maxTimeLimitMs },
    work: config.maxWork,
    workers: config.workers,
    queue: config.queueLimit,
    bodies: {
      mediaTypes: [jsonType, arrowType, linesType],
      logMediaTypes: [...logTypes],
      encodings: [...encodings.keys()],
      inflatedBytes: config.bodyLimitBytes,
      inflation: maxInflation,
      lines: maxLines,
    },
    operations: Object.fromEntries(operations.map((operation) => [operation.name, operation.limits])),
  };
  app.get(
    '/v1/limits',
    {
      schema: getRoute(
        'limits',
        'The limits of this server: body, time, work, and the sizes each operation accepts',
        limitsSchema,
      ),
    },
    async () => limits,
  );
};
