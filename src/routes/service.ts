/** The GET routes of the service itself: its root, liveness, readiness, metrics and limits. */
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Config } from '../config.ts';
import type { Operation } from '../operations/operation.ts';
import { arrowType, jsonType, logTypes } from '../plugins/media-types.ts';
import { sendProblem } from '../plugins/problem-details.ts';
import { problem } from '../schemas/contract/problem.ts';
import { object } from '../schemas/contract/strict-object.ts';
import { encodings } from '../workers/inflate.ts';
import type { Pool } from '../workers/pool.ts';
import { refusalResponses } from './operations.ts';

const live = object('LiveAnswer', { status: z.literal('live') });

const ready = object('ReadyAnswer', {
  status: z.literal('ready'),
  workers: z.literal('busy').optional().describe('Every worker is busy; the queue has room'),
});

const limitsSchema = object('LimitsAnswer', {
  bodyBytes: z.int().describe('Largest body, as it comes and inflated, in bytes'),
  jsonBytes: z.int().describe('The same of a body of JSON; larger lists come as Arrow'),
  timeLimitMs: object('LimitsTimeLimitMs', {
    default: z.int().describe('Milliseconds, where a request gives none'),
    maximum: z.int().describe('Milliseconds that a request may ask for'),
  }),
  queueTimeoutMs: z
    .int()
    .describe('Milliseconds that a request may wait for a worker; the time limit counts from then'),
  work: z.number().describe('Largest estimated work, in elementary steps of about a nanosecond'),
  workers: z.int().describe('Worker processes'),
  queue: z.int().describe('Requests that may wait for a worker'),
  bodies: object('LimitsBodies', {
    mediaTypes: z.array(z.string()).describe('Content-Type of requests; Arrow where a list comes as columns'),
    logMediaTypes: z.array(z.string()).describe('Content-Type of crawl logs'),
    encodings: z.array(z.string()).describe('Content-Encoding of requests'),
  }).describe('The forms of bodies'),
  operations: z
    .record(z.string(), z.record(z.string(), z.number()))
    .describe('The sizes each operation accepts, by name of the operation and of the size'),
});

/** The `schema` of a route: its answer of status 200, and the refusals it can give. */
const routeSchema = (
  operationId: string,
  summary: string,
  answer: z.ZodType,
  { mediaType = jsonType, refusals = [405] }: { readonly mediaType?: string; readonly refusals?: number[] } = {},
) => ({
  tags: ['service'],
  operationId,
  summary,
  response: {
    200: { description: summary, content: { [mediaType]: { schema: answer } } },
    ...Object.fromEntries(refusals.map((status) => [status, refusalResponses[status]])),
  },
});

interface ServiceOptions {
  readonly config: Config;
  readonly pool: Pool;
  readonly operations: readonly Operation[];
  readonly isDraining: () => boolean;
}

export const serviceRoutes: FastifyPluginAsync<ServiceOptions> = async (app, options) => {
  const { config, pool, operations, isDraining } = options;
  // People in a browser go on to the console, programs to the OpenAPI document.
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    const wantsPage = request.headers.accept?.includes('text/html') ?? false;
    // A relative location is right behind a proxy that adds a prefix to paths.
    return reply.header('vary', 'accept').redirect(wantsPage ? 'console/' : 'openapi.json', 302);
  });
  app.get('/health/live', { schema: routeSchema('healthLive', 'Is the process alive?', live) }, async () => ({
    status: 'live',
  }));
  app.get(
    '/health/ready',
    { schema: routeSchema('healthReady', 'Would a request be served?', ready, { refusals: [405, 503] }) },
    async (_request, reply) => {
      const refuse = (kind: 'draining' | 'busy', detail: string) =>
        sendProblem(reply, problem(kind, detail, { retryAfterSeconds: 1 }));
      if (isDraining()) return refuse('draining', 'shutting down; try another instance');
      if (!pool.isReady) return refuse('busy', 'no worker has started yet');
      if (!pool.hasRoom) return refuse('busy', 'all workers and the queue are taken');
      return { status: 'ready', ...(pool.running >= config.workers && { workers: 'busy' }) };
    },
  );
  const metricsSummary = 'Metrics in the text format of Prometheus';
  app.get(
    '/metrics',
    { schema: routeSchema('metrics', metricsSummary, z.string(), { mediaType: 'text/plain' }) },
    async (_request, reply) => reply.header('content-type', app.metrics.contentType).send(await app.metrics.metrics()),
  );
  const limits = {
    bodyBytes: config.bodyLimitBytes,
    jsonBytes: config.jsonLimitBytes,
    timeLimitMs: { default: config.defaultTimeLimitMs, maximum: config.maxTimeLimitMs },
    queueTimeoutMs: config.queueTimeoutMs,
    work: config.maxWork,
    workers: config.workers,
    queue: config.queueLimit,
    bodies: { mediaTypes: [jsonType, arrowType], logMediaTypes: logTypes, encodings },
    operations: Object.fromEntries(operations.map((operation) => [operation.name, operation.limits])),
  };
  const limitsSummary = 'The limits of this server: body, time, work, and the sizes each operation accepts';
  app.get('/v1/limits', { schema: routeSchema('limits', limitsSummary, limitsSchema) }, async () => limits);
};
