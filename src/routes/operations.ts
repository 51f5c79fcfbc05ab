/** The routes of the operations: bytes to the dispatcher, its reply to the caller, as one answer or as events. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import * as z from 'zod';
import type { Dispatcher, DispatchRequest, Reply } from '../dispatch/dispatcher.ts';
import { answerLines, tooManyLines } from '../http/bodies/line-answers.ts';
import { arrowType, linesType, mediaType, wantedFormat } from '../http/bodies/media-types.ts';
import { EventStream, wantsEvents } from '../http/event-stream.ts';
import { sendProblem } from '../http/problem-details.ts';
import { endLeft } from '../http/request-end.ts';
import type { Operation, ServedOperation } from '../operations/operation.ts';
import { problem, problemContentType, problemSchema } from '../schemas/contract/problem.ts';
import { TurnEnd } from './turn-end.ts';

const querySchema = z.strictObject({
  validateOnly: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: check the request and estimate its work without solving'),
});

// Said in words only: a second media type would make the answer of every generated client "object or text".
const answered =
  'The answer. With `Accept: text/event-stream` it comes as server-sent events: `progress` {fraction, incumbent, bound} (null ' +
  'where not known) while the solve runs, then `answer` (this object) or `problem` (the problem details), each one line of JSON. ' +
  'With `Accept: application/vnd.apache.arrow.stream` the list that answers the request’s comes as the columns of an Arrow ' +
  'stream, and the rest of this object as JSON in the metadata of its schema, under `answer`. To a request of ' +
  '`application/x-ndjson` the answer is a line a request, in their order: this object, or `{"problem": {…}}`';

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
}

export const operationRoutes: FastifyPluginAsync<OperationOptions> = async (app, { operations, dispatcher }) => {
  const solving: Solving = { dispatcher, turnEnd: new TurnEnd() };
  for (const operation of operations) routeOperation(app, operation, solving);
};

interface Solving {
  readonly dispatcher: Dispatcher;
  /** When what is solved at once is answered. */
  readonly turnEnd: TurnEnd;
}

function routeOperation(app: FastifyInstance, operation: ServedOperation, { dispatcher, turnEnd }: Solving): void {
  app.route<{ Querystring: z.output<typeof querySchema>; Body: Uint8Array | undefined }>({
    method: 'POST',
    url: `/v1/${operation.name}`,
    schema: { querystring: querySchema, ...(operation.operation && documented(operation.operation)) },
    // The pipeline checks bodies, here or in a worker; of the query there is one parameter.
    validatorCompiler: ({ httpPart }) => (httpPart === 'querystring' ? checkQuery : () => true),
    handler: (request, reply) => {
      const { accept, 'content-type': contentType } = request.headers;
      const media = mediaType(contentType);
      const formats = formatsOf(media, accept, operation);
      if (formats === null) {
        const detail = `the answer of ${operation.name} has no list that comes as columns; accept application/json`;
        sendProblem(reply, problem('not-acceptable', detail));
        return;
      }
      const asked = {
        operation,
        body: request.body ?? new Uint8Array(0),
        formats,
        validateOnly: request.query.validateOnly === 'true',
        leaving: () => leavingSignal(reply),
      };
      if (media === linesType) {
        answerEach(request, reply, asked, dispatcher);
        return;
      }
      if (!wantsEvents(accept)) {
        const result = dispatcher.handle(asked);
        if (result instanceof Promise) return result.then((later) => answer(request, reply, operation, later));
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
      Promise.resolve(dispatcher.handle({ ...asked, onProgress })).then((result) => {
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

/** How the body is written and the answer shall be; null where the answer cannot be what alone is accepted. */
function formatsOf(media: string, accept: string | undefined, operation: ServedOperation): Formats | null {
  const body = media === arrowType ? 'arrow' : 'json';
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
  request.run = { operation: operation.name };
  const left = asked.leaving();
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

/** Aborted when the connection closes before the answer is written. */
function leavingSignal(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  if (reply.raw.closed) left.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) left.abort();
  });
  return left.signal;
}

function checkQuery(query: object): true | { error: Error } {
  for (const _ in query) {
    const { error } = querySchema.safeParse(query);
    return error ? { error: new Error(`query: ${error.issues[0].message}; accepted: validateOnly=true`) } : true;
  }
  return true;
}

/** Keeps what the log and the metrics say of the run. */
function note(request: FastifyRequest, operation: ServedOperation, result: Reply): void {
  request.run = { operation: operation.name, where: result.where, left: result.kind === 'left', ...result.facts };
  if (result.kind === 'problem' && result.failure !== undefined)
    request.log.error({ requestId: request.id, failure: result.failure }, 'solve failed');
}

function answer(request: FastifyRequest, reply: FastifyReply, operation: ServedOperation, result: Reply): FastifyReply {
  note(request, operation, result);
  if (result.kind === 'left') return endLeft(request, reply);
  if (result.kind === 'problem') return sendProblem(reply, result.problem);
  request.server.holdAnswer(reply, result.body.length);
  const type = result.format === 'arrow' ? arrowType : 'application/json; charset=utf-8';
  return reply.header('content-type', type).send(result.body);
}
