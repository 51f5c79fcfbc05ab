/** GET /v1/limits: every bound a request meets, so that a client can check before it sends. */
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Config } from '../config.ts';
import type { Operation } from '../operations/operation.ts';
import { arrowType, jsonType, logTypes } from '../plugins/media-types.ts';
import { encodings } from '../workers/inflate.ts';
import { getRoute } from './get-route.ts';

const limitsSchema = z.object({
  bodyBytes: z.int().describe('Largest body, as it comes and inflated, in bytes'),
  jsonBytes: z.int().describe('The same of a body of JSON; larger lists come as Arrow'),
  timeLimitMs: z.object({
    default: z.int().describe('Milliseconds, where a request gives none'),
    maximum: z.int().describe('Milliseconds that a request may ask for'),
  }),
  queueTimeoutMs: z
    .int()
    .describe('Milliseconds that a request may wait for a worker; the time limit counts from then'),
  work: z.number().describe('Largest estimated work, in elementary steps of about a nanosecond'),
  workers: z.int().describe('Worker processes'),
  queue: z.int().describe('Requests that may wait for a worker'),
  bodies: z
    .object({
      mediaTypes: z.array(z.string()).describe('Content-Type of requests; Arrow where a list comes as columns'),
      logMediaTypes: z.array(z.string()).describe('Content-Type of crawl logs'),
      encodings: z.array(z.string()).describe('Content-Encoding of requests'),
    })
    .describe('The forms of bodies'),
  operations: z
    .record(z.string(), z.record(z.string(), z.number()))
    .describe('The sizes each operation accepts, by name of the operation and of the size'),
});

interface LimitsOptions {
  readonly config: Config;
  readonly operations: readonly Operation[];
}

export const limitsRoute: FastifyPluginAsync<LimitsOptions> = async (app, { config, operations }) => {
  const limits = {
    bodyBytes: config.bodyLimitBytes,
    jsonBytes: config.jsonLimitBytes,
    timeLimitMs: { default: config.defaultTimeLimitMs, maximum: config.maxTimeLimitMs },
    queueTimeoutMs: config.queueTimeoutMs,
    work: config.maxWork,
    workers: config.workers,
    queue: config.queueLimit,
    bodies: {
      mediaTypes: [jsonType, arrowType],
      logMediaTypes: [...logTypes],
      encodings: [...encodings],
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
