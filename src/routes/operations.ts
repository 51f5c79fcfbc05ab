/** The routes of the operations: bytes to the dispatcher, its reply to the caller, as one answer or as events. */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Dispatcher, Reply } from '../dispatch/dispatcher.ts';
import { EventStream, wantsEvents } from '../http/event-stream.ts';
import { sendProblem } from '../http/problem-details.ts';
import { endLeft } from '../http/request-end.ts';
import type { Operation } from '../operations/operation.ts';
import { problemContentType, problemSchema } from '../schemas/contract/problem.ts';

const querySchema = z.strictObject({
  validateOnly: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: check the request and estimate its work without solving'),
});

// Said in words only: a second media type would make the answer of every generated client "object or text".
const answered =
  'The answer. With `Accept: text/event-stream` it comes as server-sent events: `progress` {fraction, incumbent, bound} (null ' +
  'where not known) while the solve runs, then `answer` (this object) or `problem` (the problem details), each one line of JSON';

const refusals: Readonly<Record<number, string>> = {
  400: 'The body is not JSON, or holds a key such as __proto__',
  404: 'No such resource',
  405: 'Another method; Allow says which',
  413: 'The body is larger than GET /v1/limits says',
  415: 'Not application/json, or compressed',
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
  readonly operations: readonly Operation[];
  readonly dispatcher: Dispatcher;
}

export const operationRoutes: FastifyPluginAsync<OperationOptions> = async (app, { operations, dispatcher }) => {
  for (const operation of operations) routeOperation(app, operation, dispatcher);
};

function routeOperation(app: FastifyInstance, operation: Operation, dispatcher: Dispatcher): void {
  app.route<{ Querystring: z.output<typeof querySchema>; Body: Uint8Array | undefined }>({
    method: 'POST',
    url: `/v1/${operation.name}`,
    schema: {
      operationId: operationId(operation.name),
      tags: [operation.tag],
      summary: operation.summary,
      description: operation.description,
      querystring: querySchema,
      body: operation.requestSchema,
      response: {
        200: { description: answered, content: { 'application/json': { schema: operation.answerSchema } } },
        ...refusalResponses,
      },
    },
    // The pipeline checks bodies, here or in a worker; of the query there is one parameter.
    validatorCompiler: ({ httpPart }) => (httpPart === 'querystring' ? checkQuery : () => true),
    handler: (request, reply) => {
      const asked = {
        operation,
        body: request.body ?? new Uint8Array(0),
        validateOnly: request.query.validateOnly === 'true',
        leaving: () => leavingSignal(reply),
      };
      if (!wantsEvents(request.headers.accept)) {
        const result = dispatcher.handle(asked);
        if (result instanceof Promise) return result.then((later) => answer(request, reply, operation, later));
        answer(request, reply, operation, result);
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
function note(request: FastifyRequest, operation: Operation, result: Reply): void {
  request.run = { operation: operation.name, where: result.where, left: result.kind === 'left', ...result.facts };
  if (result.kind === 'problem' && result.failure !== undefined)
    request.log.error({ requestId: request.id, failure: result.failure }, 'solve failed');
}

function answer(request: FastifyRequest, reply: FastifyReply, operation: Operation, result: Reply): FastifyReply {
  note(request, operation, result);
  if (result.kind === 'left') return endLeft(request, reply);
  if (result.kind === 'problem') return sendProblem(reply, result.problem);
  request.server.holdAnswer(reply, result.body.length);
  return reply.header('content-type', 'application/json; charset=utf-8').send(result.body);
}
