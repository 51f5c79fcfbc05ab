/** One log line a request: id, operation, status, times; never a body, a header's secret or a query's value. */
import type { FastifyInstance } from 'fastify';

export function logRequests(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.requestEndListeners.push((request, httpStatus, elapsedMs) => {
    const line = {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      httpStatus,
      totalMs: Math.round(elapsedMs * 1000) / 1000,
      ...request.run,
    };
    const quiet = line.route.startsWith('/health') || line.route === '/metrics';
    if (quiet) request.log.debug(line, 'request');
    else request.log.info(line, 'request');
  });
}
