/** Every refusal in one form: application/problem+json (RFC 9457), with 404, 405 and errors of the framework. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type Problem, problem, problemContentType, problemKindOf } from '../schemas/contract/problem.ts';
import { didYouMean } from '../words/suggest.ts';
import { isStillSending, LingeringAnswer } from './bodies/lingering.ts';

/** Sends a problem; its instance is the request id. */
export function sendProblem(reply: FastifyReply, what: Problem): FastifyReply {
  const { retryAfterSeconds, ...members } = what;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  reply.code(what.status).header('content-type', problemContentType);
  const text = JSON.stringify({ ...members, instance: reply.request.id });
  const { raw } = reply.request;
  if (!isStillSending(raw)) return reply.send(text);
  // What comes next on the connection is the body.
  reply.header('connection', 'close').header('content-length', Buffer.byteLength(text));
  return reply.send(new LingeringAnswer(text, raw, reply.raw));
}

export const tooLarge = (): Problem =>
  problem('too-large', 'the body is larger than this server accepts; its limit is at GET /v1/limits');

const internal = (): Problem =>
  problem('internal', 'the server failed on this request; it has been logged under the request id');

/** What is said of an error that the framework or one of its plugins raised. */
function problemOf(error: FastifyError): Problem {
  const status = error.statusCode ?? 500;
  if (error.code === 'ERR_INFLATE' && status === 413) return problem('too-large', error.message);
  if (status === 503) return problem('busy', error.message, { retryAfterSeconds: 2 });
  if (status >= 500) return internal();
  if (status === 413) return tooLarge();
  switch (error.code) {
    case 'FST_ERR_CTP_EMPTY_TYPE':
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return problem(
        'unsupported-media-type',
        'send the body as Content-Type: application/json; GET /v1/limits lists the others',
      );
    case 'FST_ERR_BAD_URL':
      return problem(
        'bad-request',
        'the path has a % that does not begin an escape of two hexadecimal digits of UTF-8',
      );
    default:
      // Bodies are read by the pipeline: what the framework cannot read is the request around them.
      return { ...problem(status === 400 ? 'bad-request' : problemKindOf(status), saidOf(error)), status };
  }
}

/** The name of a status says nothing more than the status: it comes of paths that no page can have. */
const saidOf = ({ message }: FastifyError): string =>
  message === 'Bad Request' ? 'the path has a character that the path of no page has' : message;

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const what = problemOf(error);
  if (what.status === 500) request.log.error({ requestId: request.id, err: error }, 'unexpected error');
  sendProblem(reply, what);
}

/** For the framework's option `frameworkErrors`: what goes wrong before a route is found, outside every plugin. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  answerError(error, request, reply);
}

/** The path of a request's target as the router reads it: without an origin or a query, and decoded. */
function pathOf(target: string): string {
  const [path] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return decodeURIComponent(path);
}

export const problemDetails = fp(
  async (app) => {
    const methods = new Map<string, Set<string>>();
    app.addHook('onRoute', (route) => {
      const known = methods.get(route.url) ?? new Set<string>();
      for (const method of [route.method].flat()) known.add(method.toUpperCase());
      methods.set(route.url, known);
    });
    app.addHook('onRequest', (request, reply, done) => {
      if (request.raw.httpVersion === '1.1' && request.raw.headers.host === undefined)
        sendProblem(reply, problem('bad-request', 'a request of HTTP/1.1 must have a Host header'));
      else done();
    });
    app.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      const what = problem('method-not-allowed', 'CONNECT is not allowed: this is no proxy');
      refuse(what, socket, 'Allow: GET, HEAD, POST\r\n');
    });
    app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      const detail = `Expect: ${String(request.headers.expect).slice(0, 80)} cannot be met; only 100-continue can`;
      const text = JSON.stringify({ ...problem('expectation-failed', detail), instance: randomUUID() });
      response.writeHead(417, { 'content-type': problemContentType, connection: 'close' }).end(text);
    });
    app.setErrorHandler(answerError);
    app.setNotFoundHandler((request, reply) => {
      const path = pathOf(request.url);
      const allowed = methods.get(path);
      if (allowed && !allowed.has(request.method)) {
        const allow = [...allowed].sort().join(', ');
        reply.header('allow', allow);
        const detail = `${request.method} is not allowed at ${path.slice(0, 200)}; allowed: ${allow}`;
        return sendProblem(reply, problem('method-not-allowed', detail));
      }
      const near =
        path.length > 80
          ? ''
          : didYouMean(
              path,
              [...methods.keys()].filter((known) => known.length > 1),
            );
      const hint = near === '' ? '' : `${near} `;
      const detail = `nothing is served at ${path.slice(0, 200)}; ${hint}GET /openapi.json lists the operations`;
      return sendProblem(reply, problem('not-found', detail));
    });
  },
  { name: 'problem-details' },
);

/** Answers what is not even HTTP, or came too slowly: a bare response on the socket, which is then closed. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refuse(unreadable(error.code), socket);
}

/** @param more header lines, each with its end */
function refuse({ retryAfterSeconds: _, ...what }: Problem, socket: Duplex, more = ''): void {
  const body = JSON.stringify({ ...what, instance: randomUUID() });
  const head = `HTTP/1.1 ${what.status} ${what.title}\r\nConnection: close\r\nContent-Type: ${problemContentType}\r\n`;
  socket.end(`${head}${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function unreadable(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('too-slow', 'the request did not arrive in time');
  if (code === 'HPE_HEADER_OVERFLOW') return problem('headers-too-large', 'the headers are larger than 16 KiB');
  return problem('bad-request', 'this is not an HTTP request that can be read');
}
