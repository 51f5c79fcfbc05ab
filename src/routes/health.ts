/** What monitoring asks: liveness (the event loop turns), readiness (a worker has started, no draining) and metrics. */
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import { sendProblem } from '../plugins/problem-details.ts';
import { problem } from '../schemas/contract/problem.ts';
import type { Pool } from '../workers/pool.ts';
import { getRoute } from './get-route.ts';

const ready = z.object({
  status: z.literal('ready'),
  workers: z.literal('busy').optional().describe('Every worker is busy; the queue has room'),
});

interface HealthOptions {
  readonly pool: Pool;
  readonly workers: number;
  readonly isDraining: () => boolean;
}

export const healthRoutes: FastifyPluginAsync<HealthOptions> = async (app, { pool, workers, isDraining }) => {
  app.get(
    '/health/live',
    { schema: getRoute('healthLive', 'Is the process alive?', z.object({ status: z.literal('live') })) },
    async () => ({ status: 'live' }),
  );
  app.get(
    '/health/ready',
    { schema: getRoute('healthReady', 'Would a request be served?', ready, { busy: true }) },
    async (_request, reply) => {
      const refuse = (kind: 'draining' | 'busy', detail: string) =>
        sendProblem(reply, problem(kind, detail, { retryAfterSeconds: 1 }));
      if (isDraining()) return refuse('draining', 'shutting down; try another instance');
      if (!pool.isReady) return refuse('busy', 'no worker has started yet');
      if (!pool.hasRoom) return refuse('busy', 'all workers and the queue are taken');
      return { status: 'ready', ...(pool.running >= workers && { workers: 'busy' }) };
    },
  );
  app.get(
    '/metrics',
    {
      schema: getRoute('metrics', 'Metrics in the text format of Prometheus', z.string(), { mediaType: 'text/plain' }),
    },
    async (_request, reply) => reply.header('content-type', app.metrics.contentType).send(await app.metrics.metrics()),
  );
};
