import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import * as z from 'zod';
import { getRoute } from './service-route.ts';

/** GET /metrics, in Prometheus' text format. */
export function routeMetrics(app: FastifyInstance, registry: Registry): void {
  app.get(
    '/metrics',
    {
      schema: getRoute('metrics', 'Metrics in the text format of Prometheus', z.string(), { mediaType: 'text/plain' }),
    },
    async (_request, reply) => reply.header('content-type', registry.contentType).send(await registry.metrics()),
  );
}
