/** One log line a request: id, operation, status, times; never a body, a header's secret or a query's value. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** The route as it is declared. An operation's follows from its name: the framework builds an object to tell it. */
const routeOf = (request: FastifyRequest): string =>
  request.run === null ? (request.routeOptions.url ?? 'none') : `/v1/${request.run.operation}`;

export const requestLog = fp(
  async (app) => {
    app.requestEndListeners.push((request, httpStatus, elapsedMs) => {
      const route = routeOf(request);
      const line = {
        requestId: request.id,
        method: request.method,
        route,
        httpStatus,
        totalMs: Math.round(elapsedMs * 1000) / 1000,
        ...request.run,
      };
      const quiet = route.startsWith('/health') || route === '/metrics';
      if (quiet) request.log.debug(line, 'request');
      else request.log.info(line, 'request');
    });
  },
  { name: 'request-log', fastify: '5.x', dependencies: ['request-end'] },
);
