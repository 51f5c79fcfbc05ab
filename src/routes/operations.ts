/** The routes of the operations: bytes to the dispatcher, its reply to the caller, as one answer or as events. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Dispatcher, DispatchRequest, Reply } from '../dispatch/dispatcher.ts';
import { answerLines, tooManyLines } from '../http/bodies/line-answers.ts';
import { arrowType, linesType, logTypes, mediaType, wantedFormat } from '../http/bodies/media-types.ts';
import { readWhole } from '../http/bodies/whole-body.ts';
import { askWhetherThere, isClosed, whenClosed } from '../http/caller-left.ts';
import { EventStream, wantsEvents } from '../http/event-stream.ts';
import { sendProblem } from '../http/problem-details.ts';
import { endLeft, leftStatus, type RequestRun } from '../http/request-end.ts';
import { logOperations } from '../logs/asked/log-operations.ts';
import type { Operation, ServedOperation } from '../operations/operation.ts';
import { type Problem, problem, problemContentType, problemSchema } from '../schemas/contract/problem.ts';
import { besideLog, isLog, logHint, notALog } from './log-requests.ts';
import { faultOfQuery, type Query, querySchema } from './query.ts';
import { TurnEnd } from './turn-end.ts';

// Said in words only: a second media type would make the answer of every generated client "object or text".
const answered = 'The answer, in one of the forms that the top of this document tells of';

const refusals: Readonly<Record<number, string>> = {
  400: 'The body is not JSON (or not Arrow, where it says so), is damaged, or holds a key such as __proto__',
  404: 'No such resource',
  405: 'Another method; Allow says which',
  406: 'Arrow alone is accepted, and the answer has no list that comes as columns',
  413: 'The body is larger than GET /v1/limits says, as it comes or inflated',
  415: 'Of another Content-Type or Content-Encoding than GET /v1/limits lists',
  422: 'The request does not fit the schema or the conditions of the model: `errors` names each value and what to change',
  429: 'More requests than this client may send; Retry-After says when to try again',
  500: 'A fault of the server; the log has it under the request id',
  503: 'Busy or shutting down; Retry-After says when to try again',
  504: 'The time limit was reached with nothing to return',
};

/** Every refusal of an operation, for the OpenAPI document. */
const refusalResponses = Object.fromEntries(
  Object.entries(refusals).map(([status, description]) => [
    status,
    { description, content: { [problemContentType]: { schema: problemSchema } } },
  ]),
);

/** `crawler-count` → `crawlerCount`: the operationId, and the name in the library. */
export function operationId(name: string): string {
  return name.replaceAll(/[-/]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

interface OperationOptions {
  readonly operations: readonly ServedOperation[];
  readonly dispatcher: Dispatcher;
  /** Largest body. */
  readonly bodyLimitBytes: number;
}

export const operationRoutes: FastifyPluginAsync<OperationOptions> = async (
  app,
  { operations, dispatcher, bodyLimitBytes: limit },
) => {
  const solving: Solving = { dispatcher, turnEnd: new TurnEnd(), stops: new Map() };
  // Whoever knows the id of a solve that runs here is its caller.
  app.post<{ Params: { id: string } }>('/v1/solves/:id/stop', { schema: { hide: true } }, (request, reply) => {
    const stop = solving.stops.get(request.params.id);
    if (stop === undefined)
      return sendProblem(reply, problem('not-found', 'no solve of this id sends events from here'));
    stop.abort();
    return reply.code(204).send();
  });
  // In this order, which the documents keep.
  for (const operation of operations) {
    if (!logOperations.includes(operation.name)) {
      routeOperation(app, operation, solving);
      continue;
    }
    await app.register(async (inner) => {
      inner.addContentTypeParser([...logTypes], ({ headers }, payload, done) => {
        readWhole(payload, { length: Number(headers['content-length'] ?? Number.NaN), limit }, done);
      });
      routeOperation(inner, operation, solving);
    });
  }
};

interface Solving {
  readonly dispatcher: Dispatcher;
  /** When what is solved at once is answered. */
  readonly turnEnd: TurnEnd;
  /** By request id, what ends a solve that sends events with the best it has found. */
  readonly stops: Map<string, AbortController>;
}

function routeOperation(
  app: FastifyInstance,
  operation: ServedOperation,
  { dispatcher, turnEnd, stops }: Solving,
): void {
  app.route<{ Querystring: Query; Body: Uint8Array | undefined }>({
    method: 'POST',
    url: `/v1/${operation.name}`,
    schema: { querystring: querySchema, ...(operation.operation && documented(operation.operation)) },
    // The pipeline checks bodies, here or in a worker; which queries are right depends on the body.
    validatorCompiler: () => () => true,
    handler: (request, reply) => {
      const { accept, 'content-type': contentType } = request.headers;
      const { query, body = new Uint8Array(0) } = request;
      const media = mediaType(contentType);
      const logged = logOperations.includes(operation.name) && isLog(media, query, body);
      if (!logged && logTypes.includes(media)) return sendProblem(reply, problem('unsupported-media-type', notALog));
      const fault = faultOfQuery(logged ? { validateOnly: query.validateOnly } : query);
      if (fault !== null) return sendProblem(reply, problem('bad-request', fault));
      const formats = formatsOf(logged ? 'log' : media === arrowType ? 'arrow' : 'json', accept, operation);
      if (formats === null) {
        const detail = `the answer of ${operation.name} has no list that comes as columns; accept application/json`;
        sendProblem(reply, problem('not-acceptable', detail));
        return;
      }
      const asked = {
        operation,
        body,
        formats,
        ...(logged && { beside: besideLog(query) }),
        validateOnly: query.validateOnly === 'true',
        leaving: () => leavingSignal(reply),
      };
      if (media === linesType && !logged) {
        answerEach(request, reply, asked, dispatcher);
        return;
      }
      if (!wantsEvents(accept)) {
        const result = dispatcher.handle(asked);
        if (result instanceof Promise)
          return result.then((later) => {
            whenSent(reply, later, dispatcher);
            return answer(request, reply, operation, later);
          });
        turnEnd.later(() => {
          try {
            answer(request, reply, operation, result);
          } catch (error) {
            reply.send(error);
          }
        });
        return;
      }
      const events = new EventStream();
      const onProgress = events.progress.bind(events);
      const leaving = () => leavingSignal(reply, events.nothing.bind(events));
      const stop = new AbortController();
      stops.set(request.id, stop);
      Promise.resolve(dispatcher.handle({ ...asked, onProgress, leaving, stop: stop.signal })).then((result) => {
        stops.delete(request.id);
        note(request, operation, result);
        if (result.kind === 'left') {
          endLeft(request, reply);
          return;
        }
        if (result.kind === 'answer') app.holdAnswer(reply, result.body.length);
        events.finish(result, request.id);
      });
      return events.sendTo(reply);
    },
  });
}

/** What the OpenAPI document says of an operation. */
function documented({ name, tag, summary, description, requestSchema, answerSchema }: Operation): FastifySchema {
  return {
    operationId: operationId(name),
    tags: [tag],
    summary,
    description,
    body: requestSchema,
    response: {
      200: { description: answered, content: { 'application/json': { schema: answerSchema } } },
      ...refusalResponses,
    },
  };
}

type Formats = NonNullable<DispatchRequest['formats']>;

/** How the body is written and how the answer shall be; null where the answer cannot be what alone is accepted. */
function formatsOf(body: Formats['body'], accept: string | undefined, operation: ServedOperation): Formats | null {
  const { format, jsonToo } = wantedFormat(accept);
  if (format === 'arrow' && wantsEvents(accept)) return { body, answer: 'json' };
  if (format === 'json' || operation.answersInColumns) return { body, answer: format };
  return jsonToo ? { body, answer: 'json' } : null;
}

/**
 * Answers a body of many requests line by line: no more at a time than there are workers, none once the caller has
 * left.
 */
function answerEach(
  request: FastifyRequest,
  reply: FastifyReply,
  asked: DispatchRequest,
  dispatcher: Dispatcher,
): FastifyReply {
  const excess = tooManyLines(asked.body);
  if (excess !== null) return sendProblem(reply, excess);
  const { operation } = asked;
  request.run = { operation: operation.name, where: 'lines' };
  // A line may begin with a blank.
  const left = leavingSignal(reply, () => reply.raw.write(' '));
  const solver = {
    atOnce: dispatcher.workers,
    requestId: request.id,
    left,
    async solve(body: Uint8Array, line: number): Promise<Reply> {
      await dispatcher.room(left);
      const one = { operation, body, validateOnly: asked.validateOnly, leaving: () => left };
      const result = await dispatcher.handle(one);
      if (result.kind === 'problem' && result.failure !== undefined) {
        request.log.error({ requestId: request.id, line, failure: result.failure }, 'solve failed');
      }
      const httpStatus = result.kind === 'problem' ? result.problem.status : result.kind === 'left' ? leftStatus : 200;
      for (const listener of request.server.lineEndListeners) listener(runOf(operation, result), httpStatus);
      return result;
    },
  };
  const lines = readerBound(request, reply, answerLines(asked.body, solver));
  return reply.header('content-type', `${linesType}; charset=utf-8`).send(Readable.from(lines));
}

/** What is written, given up where its reader takes none of it for too long. */
async function* readerBound<Piece>(request: FastifyRequest, reply: FastifyReply, pieces: AsyncIterable<Piece>) {
  for await (const piece of pieces) {
    const callOff = request.server.awaitReader(reply);
    try {
      yield piece;
    } finally {
      callOff();
    }
  }
}

/**
 * Aborted when the connection closes before the answer is written.
 *
 * @param say sends what means nothing in an answer that has begun
 */
function leavingSignal({ raw }: FastifyReply, say = () => {}): AbortSignal {
  const left = new AbortController();
  if (isClosed(raw)) left.abort();
  else askWhetherThere(raw, say);
  whenClosed(raw, () => {
    if (!raw.writableFinished) left.abort();
  });
  return left.signal;
}

const runOf = ({ name }: ServedOperation, { where, kind, facts }: Reply): RequestRun => ({
  operation: name,
  where,
  left: kind === 'left',
  ...facts,
});

/** Keeps what the log and the metrics say of the run. */
function note(request: FastifyRequest, operation: ServedOperation, result: Reply): void {
  request.run = runOf(operation, result);
  if (result.kind === 'problem' && result.failure !== undefined)
    request.log.error({ requestId: request.id, failure: result.failure }, 'solve failed');
}

/** The memory of an answer is the next one's once all of it has left. */
function whenSent({ raw }: FastifyReply, result: Reply, dispatcher: Dispatcher): void {
  if (result.kind !== 'answer') return;
  const { body } = result;
  whenClosed(raw, () => {
    if (raw.writableFinished) dispatcher.answered(body);
  });
}

function answer(request: FastifyRequest, reply: FastifyReply, operation: ServedOperation, result: Reply): FastifyReply {
  note(request, operation, result);
  if (result.kind === 'left') return endLeft(request, reply);
  if (result.kind === 'problem') return sendProblem(reply, hinted(request, operation, result.problem));
  request.server.holdAnswer(reply, result.body.length);
  const type = result.format === 'arrow' ? arrowType : 'application/json; charset=utf-8';
  return reply.header('content-type', type).send(result.body);
}

/** The problem, with what to do where the body is a crawl log that was sent as JSON. */
function hinted({ body }: FastifyRequest, { name }: ServedOperation, what: Problem): Problem {
  if (!(what.type.endsWith(':not-json') && body instanceof Uint8Array)) return what;
  return { ...what, detail: `${what.detail}${logHint(name, body)}` };
}
