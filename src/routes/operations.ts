/** The routes of the operations: a body goes to the process that answers it, the answer back, whole or as events. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import * as z from 'zod';
import type { Config } from '../config.ts';
import { logOperations } from '../logs/requests/log-request.ts';
import type { Operation } from '../operations/operation.ts';
import { answerFormat, arrowType, encodingOf, jsonType, logTypes, mediaType } from '../plugins/media-types.ts';
import { bodyLimit, sendProblem, tooLargeDetail, typesDetail } from '../plugins/problem-details.ts';
import {
  describeIssue,
  type Problem,
  problem,
  problemContentType,
  problemSchema,
} from '../schemas/contract/problem.ts';
import { closedObject } from '../schemas/contract/strict-object.ts';
import { answerQuestion, type Question, type RoutedResult } from '../workers/answer.ts';
import { bodyPieces } from '../workers/body-pieces.ts';
import { encodings, isEncoding } from '../workers/inflate.ts';
import type { LogQuery } from '../workers/log-body.ts';
import type { Pool } from '../workers/pool.ts';
import { EventStream, wantsEvents } from './event-stream.ts';

// Only JSON has a media type here: with a second one, generated clients would type an answer "object or text".
const answerDescription = 'The answer, in one of the forms that the top of this document describes';

const refusals: Readonly<Record<number, string>> = {
  400: 'The body is not JSON (or not Arrow, where it says so), is damaged, or holds a key such as __proto__',
  404: 'No such resource',
  405: 'Another method; Allow says which',
  406: 'Arrow alone is accepted, and the answer has no list that comes as columns',
  408: 'The rest of a crawl log did not arrive in time',
  413: 'The body is larger than GET /v1/limits says, as it comes or inflated, or takes more memory than a worker has',
  415: 'Of another Content-Type or Content-Encoding than GET /v1/limits lists',
  422: 'The request does not fit the schema or the conditions of the model: `errors` names each value and what to change',
  429: 'More requests than this client may send; Retry-After says when to try again',
  500: 'A fault of the server; the log has it under the request id',
  503: 'Busy or shutting down; Retry-After says when to try again',
  504: 'The time limit was reached with nothing to return',
};

/** Every refusal of an operation by its status, for the OpenAPI document. */
export const refusalResponses = Object.fromEntries(
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
  readonly pool: Pool;
  readonly config: Config;
}

export const operationRoutes: FastifyPluginAsync<OperationOptions> = async (app, { operations, pool, config }) => {
  // The OpenAPI document keeps the order of registration.
  for (const operation of operations) routeOperation(app, operation, pool, config);
};

const querySchema = closedObject({
  validateOnly: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: check the request and estimate its work without solving'),
});
type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The fault of a query string; null if there is none. */
function faultOfQuery(query: Query): string | null {
  const [issue] = querySchema.safeParse(query, { reportInput: true }).error?.issues ?? [];
  const [fault] = issue === undefined ? [] : describeIssue(issue);
  return fault === undefined ? null : `query: ${fault.path?.join('.')}: ${fault.message}`;
}

type Route = { Querystring: Query; Body: Uint8Array | Readable | undefined };
type OperationRequest = FastifyRequest<Route>;

function routeOperation(app: FastifyInstance, operation: Operation, pool: Pool, config: Config): void {
  const { defaultTimeLimitMs, maxTimeLimitMs, maxWork } = config;
  const limits = { defaultTimeLimitMs, maxTimeLimitMs, maxWork };
  app.route<Route>({
    method: 'POST',
    url: `/v1/${operation.name}`,
    schema: routeSchema(operation),
    // The pipeline checks bodies, and `questionOf` checks queries, whose parameters depend on the type of the body.
    validatorCompiler: () => () => true,
    handler: async (request, reply) => {
      const question = questionOf(operation, request, reply, config);
      if ('status' in question) return sendProblem(reply, question);
      if (wantsEvents(request.headers.accept)) return sendEvents(question, request, reply);
      return send(question, request, reply, await answerQuestion(question, limits, pool));
    },
  });

  function sendEvents(question: Question, request: OperationRequest, reply: FastifyReply): FastifyReply {
    const events = new EventStream();
    const onProgress = events.progress.bind(events);
    answerQuestion({ ...question, onProgress }, limits, pool).then((result) => {
      noteRun(question, request, result);
      if (result.kind === 'left') app.endUnanswered(reply);
      else {
        if (result.kind === 'answer') app.holdAnswer(reply, result.body.length);
        events.finish(result, request.id);
      }
    });
    return events.sendTo(reply);
  }
}

/** The question of a request, or the problem if the request cannot be understood. */
function questionOf(
  operation: Operation,
  request: OperationRequest,
  reply: FastifyReply,
  config: Config,
): Question | Problem {
  const { accept, 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
  const { query, body = new Uint8Array(0) } = request;
  const media = mediaType(contentType);
  const isLog = logTypes.includes(media);
  if (isLog && !logOperations.includes(operation.name)) return problem('unsupported-media-type', typesDetail);
  const encoding = encodingOf(media, contentEncoding);
  if (encoding !== 'identity' && !isEncoding(encoding)) {
    const detail = `Content-Encoding ${encoding.slice(0, 40)} is not supported; accepted is one of ${encodings.join(', ')}`;
    reply.header('accept-encoding', encodings.join(', '));
    return problem('unsupported-media-type', detail);
  }
  const fault = faultOfQuery(isLog ? { validateOnly: query.validateOnly } : query);
  if (fault !== null) return problem('bad-request', fault);
  const formatOfAnswer = wantsEvents(accept) ? 'json' : answerFormat(accept, operation.lists.answer !== null);
  if (formatOfAnswer === null) {
    const detail = `the answer of ${operation.name} has no list that comes as columns; accept application/json`;
    return problem('not-acceptable', detail);
  }
  const validateOnly = query.validateOnly === 'true';
  const maxBytes = bodyLimit(request, config);
  const tooLarge = tooLargeDetail('inflates to more', request, config);
  return {
    operation,
    ...(body instanceof Readable ? { body: new Uint8Array(0), pieces: bodyPieces(body) } : { body }),
    ...((encoding !== 'identity' || isLog) && {
      packing: { encoding: encoding === 'identity' ? undefined : encoding, maxBytes, tooLarge },
    }),
    format: media === arrowType ? 'arrow' : 'json',
    answer: validateOnly ? 'json' : formatOfAnswer,
    ...(isLog && { logQuery: logQueryOf(query, media) }),
    validateOnly,
    createSignal: () => createAbortSignal(reply),
  };
}

/** The query of a request whose body is a crawl log: all properties of the request but the log. */
function logQueryOf({ validateOnly: _, ...query }: Query, media: string): LogQuery {
  const pairs = Object.entries(query).flatMap(([name, value = '']) =>
    [value].flat().map((each) => [name, each] as const),
  );
  return { query: pairs, now: Math.ceil(Date.now() / 1000), mediaType: media };
}

/** Aborted when the connection closes before the answer is written. */
function createAbortSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { socket } = raw.req;
  const onClose = (): void => {
    socket.off('close', onClose);
    if (!raw.writableFinished) controller.abort();
  };
  // A pipelined response is attached to its socket only in its turn, and misses a close event before then.
  raw.once('close', onClose);
  socket.once('close', onClose);
  if (raw.closed || socket.destroyed) controller.abort();
  return controller.signal;
}

/** Keeps the figures of the run for the request log and the metrics. */
function noteRun({ operation }: Question, request: FastifyRequest, result: RoutedResult): void {
  request.run = { operation: operation.name, where: result.where, left: result.kind === 'left', ...result.facts };
  if (result.kind === 'problem' && result.failure !== undefined) {
    request.log.error({ failure: result.failure }, 'solve failed');
  }
}

function send(question: Question, request: OperationRequest, reply: FastifyReply, result: RoutedResult): FastifyReply {
  noteRun(question, request, result);
  if (result.kind === 'left') return request.server.endUnanswered(reply);
  if (result.kind === 'problem') return sendProblem(reply, result.problem);
  request.server.holdAnswer(reply, result.body.length);
  const type = question.answer === 'arrow' ? arrowType : 'application/json; charset=utf-8';
  return reply.header('content-type', type).send(result.body);
}

const arrowColumns = z.string().meta({
  id: 'ArrowColumns',
  format: 'binary',
  description:
    'The columns of the list as an Arrow IPC stream; the other properties as JSON text in the metadata of its schema, ' +
    'under `request`',
});

/** The schema of an operation's route, from which the OpenAPI document is made. */
function routeSchema(operation: Operation): FastifySchema {
  const { name, tag, summary, description, requestSchema, answerSchema, lists, timeUnit, measure } = operation;
  return {
    operationId: operationId(name),
    tags: [tag],
    summary,
    description,
    externalDocs: { url: `console/#/${name}` },
    ...(timeUnit !== undefined && { 'x-time-unit': timeUnit }),
    ...(measure !== undefined && { 'x-objective': measure }),
    querystring: querySchema,
    body: {
      content: {
        [jsonType]: { schema: requestSchema },
        ...(lists.request !== null && { [arrowType]: { schema: arrowColumns } }),
      },
    },
    response: {
      200: { description: answerDescription, content: { [jsonType]: { schema: answerSchema } } },
      ...refusalResponses,
    },
  };
}
