/** RFC 9457: every refusal as problem details, also those of Fastify, its plugins, and paths that no route serves. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import { type Problem, ProblemError, problem, problemContentType, problemKindOf } from '../schemas/contract/problem.ts';
import { jsonType } from './media-types.ts';

/** Sends a problem; its instance is the request id. */
export function sendProblem(reply: FastifyReply, what: Problem): FastifyReply {
  const { retryAfterSeconds, ...members } = what;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  reply.code(what.status).header('content-type', problemContentType);
  return reply.send(JSON.stringify({ ...members, instance: reply.request.id }));
}

export const typesDetail = 'send the body as Content-Type: application/json; GET /v1/limits lists the others';

/** The problem of an error that the framework or one of its plugins raised. */
function problemOf(error: FastifyError, request: FastifyRequest, config: Config): Problem {
  const status = error.statusCode ?? 500;
  if (status === 503) return problem('busy', error.message, { retryAfterSeconds: 2 });
  if (status >= 500) {
    return problem('internal', 'the server failed on this request; it has been logged under the request id');
  }
  if (status === 413) return problem('too-large', tooLargeDetail('is larger', request, config));
  switch (error.code) {
    case 'FST_ERR_CTP_EMPTY_TYPE':
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return problem('unsupported-media-type', typesDetail);
    case 'FST_ERR_BAD_URL':
      return problem(
        'bad-request',
        'the path has a % that does not begin an escape of two hexadecimal digits of UTF-8',
      );
    default: {
      // @fastify/static refuses a path with an impossible character by `Bad Request`, which explains nothing.
      const detail =
        error.message === 'Bad Request' ? 'the path has a character that the path of no page has' : error.message;
      return { ...problem(status === 400 ? 'bad-request' : problemKindOf(status), detail), status };
    }
  }
}

const isJson = ({ headers }: FastifyRequest): boolean => headers['content-type']?.startsWith(jsonType) ?? false;

/** The largest body, in bytes, by type: parsed JSON takes many times its size in memory, columns and logs do not. */
export const bodyLimit = (request: FastifyRequest, { jsonLimitBytes, bodyLimitBytes }: Config): number =>
  isJson(request) ? jsonLimitBytes : bodyLimitBytes;

/** What is wrong with a body that `is larger` than its limit, or `inflates to more`, and what to send instead. */
export function tooLargeDetail(how: 'is larger' | 'inflates to more', request: FastifyRequest, config: Config): string {
  const limit = `${bodyLimit(request, config)} bytes`;
  if (!isJson(request)) return `the body ${how} than the ${limit} that this server accepts; send fewer rows`;
  const arrow = `send its list as the columns of an Arrow stream, of up to ${config.bodyLimitBytes} bytes, or fewer rows`;
  return `the body ${how} than the ${limit} of JSON that this server accepts; ${arrow}`;
}

/** The path of a request's target as the router reads it: without an origin or a query, and decoded. */
function pathOf(target: string): string {
  const [path] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return decodeURIComponent(path);
}

export const problemDetails = fp<{ readonly config: Config }>(async (app, { config }) => {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const routeMethods = methods.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) routeMethods.add(method.toUpperCase());
    methods.set(route.url, routeMethods);
  });
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply, config));
  const refuse = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = pathOf(request.url);
    const allowedMethods = methods.get(path);
    if (allowedMethods === undefined || allowedMethods.has(request.method)) {
      const detail = `nothing is served at ${path.slice(0, 200)}; GET /openapi.json lists the operations`;
      return sendProblem(reply, problem('not-found', detail));
    }
    const allow = [...allowedMethods].sort().join(', ');
    const detail = `${request.method} is not allowed at ${path.slice(0, 200)}; allowed: ${allow}`;
    return sendProblem(reply.header('allow', allow), problem('method-not-allowed', detail));
  };
  app.setNotFoundHandler((request, reply) => refuse(request, reply));
  // Before the body is read: Fastify would read the whole body of a request that no route serves.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuse(request, reply);
    else done();
  });
});

/** The error handler of all plugins, and of Fastify's option `frameworkErrors`, for errors before a route is found. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply, config: Config): void {
  reply.header('x-request-id', request.id);
  const what = error instanceof ProblemError ? error.problem : problemOf(error, request, config);
  if (what.status === 500) request.log.error({ err: error }, 'unexpected error');
  sendProblem(reply, what);
}

/** For the framework's option `clientErrorHandler`: what is not HTTP, or came too slowly, is answered on the socket. */
export class UnreadableRequests {
  /** The responses that each connection still waits for. */
  readonly #open = new WeakMap<Socket, Set<ServerResponse>>();

  /** Listener for the server's `request` events. */
  readonly note = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const open = this.#open.get(socket) ?? new Set();
    this.#open.set(socket, open.add(response));
    response.once('close', () => open.delete(response));
  };

  readonly refuse = (error: Error & { code?: string }, socket: Socket): void => {
    // Where an answer is under way, a refusal would be read as that answer or as a part of it.
    const isAnswering = [...(this.#open.get(socket) ?? [])].some(({ req, headersSent }) => req.complete || headersSent);
    if (isAnswering || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { retryAfterSeconds: _, ...what } = unreadableProblem(error.code);
    const body = JSON.stringify({ ...what, instance: randomUUID() });
    const head = `HTTP/1.1 ${what.status} ${what.title}\r\nConnection: close\r\nContent-Type: ${problemContentType}\r\n`;
    socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
}

function unreadableProblem(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('too-slow', 'the request did not arrive in time');
  if (code === 'HPE_HEADER_OVERFLOW') return problem('headers-too-large', 'the headers are larger than 16 KiB');
  return problem('bad-request', 'this is not an HTTP request that can be read');
}
