/**
 * The end of a request, once each: the framework's onResponse does not come when the caller has left before the
 * answer, and those are the ones an operator wants to see.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RunFacts } from '../dispatch/pipeline.ts';

export type RequestEndListener = (request: FastifyRequest, httpStatus: number, elapsedMs: number) => void;

declare module 'fastify' {
  interface FastifyInstance {
    requestEndListeners: RequestEndListener[];
  }
  interface FastifyRequest {
    /** What the dispatcher said of the run, for the log and the metrics. */
    run: (RunFacts & { readonly operation: string; readonly where?: string; readonly left?: boolean }) | null;
  }
}

/** What a request is counted as whose caller left before the answer. */
const leftStatus = 499;

export function noticeRequestEnd(app: FastifyInstance): void {
  app.decorate('requestEndListeners', []);
  app.decorateRequest('run', null);
  app.addHook('onResponse', (request, reply, done) => {
    for (const listener of app.requestEndListeners) listener(request, reply.statusCode, reply.elapsedTime);
    done();
  });
}

/** Ends a request whose caller has left: nothing is sent. */
export function endLeft(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  for (const listener of app.requestEndListeners) listener(request, leftStatus, reply.elapsedTime);
  return reply.hijack();
}
