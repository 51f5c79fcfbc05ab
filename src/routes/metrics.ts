/** GET /metrics, in Prometheus' text format. */
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import { getRoute } from './get-route.ts';

export const metricsRoute: FastifyPluginAsync = async (app) => {
  const summary = 'Metrics in the text format of Prometheus';
  app.get(
    '/metrics',
    { schema: getRoute('metrics', summary, z.string(), { mediaType: 'text/plain' }) },
    async (_request, reply) => reply.header('content-type', app.metrics.contentType).send(await app.metrics.metrics()),
  );
};
