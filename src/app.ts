/** The service as a Fastify instance: nothing global, fit for inject(), started by server.ts. */
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Config } from './config.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { admit } from './http/admission.ts';
import { closeConnections } from './http/connections.ts';
import { serveConsole } from './http/console.ts';
import type { Drain } from './http/drain.ts';
import { acceptJsonBytes } from './http/json-bytes.ts';
import { measureRequests } from './http/metrics.ts';
import { documentApi } from './http/openapi.ts';
import { answerWithProblems, refuseUnreadable } from './http/problem-details.ts';
import { noticeRequestEnd } from './http/request-end.ts';
import { logRequests } from './http/request-log.ts';
import { secure } from './http/security.ts';
import { trace } from './http/tracing.ts';
import { operations as allOperations } from './operations/index.ts';
import type { Operation } from './operations/operation.ts';
import { routeHealth } from './routes/health.ts';
import { routeLimits } from './routes/limits.ts';
import { routeMetrics } from './routes/metrics.ts';
import { routeOperation } from './routes/operation-route.ts';
import { version } from './version.ts';

/** Additions for tests: more operations, and the worker module that knows them. */
export interface AppParts {
  readonly extraOperations?: readonly Operation[];
  readonly workerFile?: URL;
}

export interface App {
  readonly server: FastifyInstance;
  readonly dispatcher: Dispatcher;
  readonly state: Drain;
  /** Loads the console, building it first where it has to be: `server.ts` calls it so that no visitor waits for that. */
  readonly loadConsole: () => Promise<unknown>;
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Builds the service; `server.listen` or `server.inject` comes next. */
export async function buildApp(config: Config, parts: AppParts = {}): Promise<App> {
  const operations = [...allOperations, ...(parts.extraOperations ?? [])];
  const state: Drain = { draining: false };
  const server = Fastify({
    logger: { level: config.logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: config.bodyLimitBytes,
    requestTimeout: config.requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    http: { headersTimeout: config.headersTimeoutMs, connectionsCheckingInterval: 1000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: config.trustProxy,
    clientErrorHandler: refuseUnreadable,
    routerOptions: { ignoreTrailingSlash: false },
  });
  const dispatcher = new Dispatcher({
    ...config,
    workerFile: parts.workerFile ?? new URL(`./worker.${extension}`, import.meta.url),
  });
  server.addHook('onClose', async () => dispatcher.close());
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serializerCompiler);
  server.server.maxConnections = config.maxConnections;
  await trace(server, config);
  answerWithProblems(server);
  noticeRequestEnd(server);
  closeConnections(server, state);
  logRequests(server);
  await secure(server, config);
  await admit(server, config, dispatcher);
  acceptJsonBytes(server);
  const registry = measureRequests(server, dispatcher);
  await documentApi(server, operations, version);
  routeHealth(server, dispatcher, operations[0], state);
  routeLimits(server, config, operations);
  routeMetrics(server, registry);
  const loadConsole = serveConsole(server);
  for (const operation of operations) routeOperation(server, operation, dispatcher);
  return { server, dispatcher, state, loadConsole };
}
