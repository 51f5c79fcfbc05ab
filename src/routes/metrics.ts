import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import { getRoute } from '../http/get-route.ts';

/** GET /metrics, in Prometheus' text format. */
export const metricsRoute: FastifyPluginAsync = async (app) => {
  app.get(
    '/metrics',
    {
      schema: getRoute('metrics', 'Metrics in the text format of Prometheus', z.string(), { mediaType: 'text/plain' }),
    },
    async (_request, reply) => reply.header('content-type', app.metrics.contentType).send(await app.metrics.text()),
  );
};
