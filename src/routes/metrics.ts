import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

/** GET /metrics, in Prometheus' text format. */
export function routeMetrics(app: FastifyInstance, registry: Registry): void {
  app.get(
    '/metrics',
    { schema: { tags: ['service'], operationId: 'metrics', summary: 'Metrics in the text format of Prometheus' } },
    async (_request, reply) => reply.header('content-type', registry.contentType).send(await registry.metrics()),
  );
}
