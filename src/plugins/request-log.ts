/** pino: one log line and one count an ended request: id, operation, status, times; nothing that the caller sent. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { RunFigures } from '../workers/pipeline.ts';

/** The figures of a run for the request log and the metrics. */
export interface RequestRun extends RunFigures {
  readonly operation: string;
  readonly where: 'inline' | 'worker';
  readonly left: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs and ends a request whose caller has left: nothing is sent, and Fastify does not call onResponse. */
    endUnanswered(reply: FastifyReply): FastifyReply;
  }
  interface FastifyRequest {
    run: RequestRun | null;
  }
}

/** The logged status of a request whose caller disconnected before the answer. */
const callerLeftStatus = 499;

const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;

export const requestLog = fp(async (app) => {
  const note = (request: FastifyRequest, httpStatus: number, elapsedMs: number): void => {
    const route = request.routeOptions.url ?? 'none';
    const level = route.startsWith('/health') || route === '/metrics' ? 'debug' : 'info';
    const { method, run } = request;
    request.log[level]({ method, route, httpStatus, totalMs: microseconds(elapsedMs), ...run }, 'request');
    if (run !== null) app.countRun(run, httpStatus);
  };
  app.decorateRequest('run', null);
  app.addHook('onResponse', (request, reply, done) => {
    note(request, reply.statusCode, reply.elapsedTime);
    done();
  });
  app.decorate('endUnanswered', (reply) => {
    note(reply.request, callerLeftStatus, reply.elapsedTime);
    return reply.hijack();
  });
});
