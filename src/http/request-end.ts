/**
 * The end of a request, once each. The framework's onResponse does not come when the caller has left before the answer,
 * and an operator wants to see those.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { RunFacts } from '../dispatch/pipeline.ts';

type RequestEndListener = (request: FastifyRequest, httpStatus: number, elapsedMs: number) => void;
/** Told of each line of a request of many. */
type LineEndListener = (run: RequestRun, httpStatus: number) => void;

/** What the dispatcher said of the run, for the log and the metrics. */
export type RequestRun = RunFacts & { readonly operation: string; readonly where?: string; readonly left?: boolean };

declare module 'fastify' {
  interface FastifyInstance {
    requestEndListeners: RequestEndListener[];
    lineEndListeners: LineEndListener[];
  }
  interface FastifyRequest {
    run: RequestRun | null;
  }
}

/** What a request is counted as whose caller left before the answer. */
export const leftStatus = 499;

export const requestEnd = fp(
  async (app) => {
    const listeners: RequestEndListener[] = [];
    app.decorate('requestEndListeners', listeners);
    app.decorate('lineEndListeners', []);
    app.decorateRequest('run', null);
    app.addHook('onResponse', (request, reply, done) => {
      for (const listener of listeners) listener(request, reply.statusCode, reply.elapsedTime);
      done();
    });
  },
  { name: 'request-end' },
);

/** Ends a request whose caller has left: nothing is sent. */
export function endLeft(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  for (const listener of request.server.requestEndListeners) listener(request, leftStatus, reply.elapsedTime);
  return reply.hijack();
}
