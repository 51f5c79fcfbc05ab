/** One log line a request: id, operation, status, times; never a body, a header's secret or a query's value. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RunFacts } from '../dispatch/pipeline.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the dispatcher said of the run, for the log and the metrics. */
    run: (RunFacts & { readonly operation: string; readonly where?: string; readonly left?: boolean }) | null;
  }
}

export function logRequests(app: FastifyInstance): void {
  app.decorateRequest('run', null);
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request: FastifyRequest, reply) => {
    const line = {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      httpStatus: reply.statusCode,
      totalMs: Math.round(reply.elapsedTime * 1000) / 1000,
      ...request.run,
    };
    const quiet = line.route.startsWith('/health') || line.route === '/metrics';
    if (quiet) request.log.debug(line, 'request');
    else request.log.info(line, 'request');
  });
}
