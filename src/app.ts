/** The service as a Fastify instance: nothing global, fit for inject(), started by server.ts. */
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Config } from './config.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import type { Pools } from './dispatch/pools.ts';
import { admission } from './http/admission.ts';
import { bodies } from './http/bodies/bodies.ts';
import { connections } from './http/connections.ts';
import type { Drain } from './http/drain.ts';
import { createLog, type Log } from './http/logger.ts';
import { metrics } from './http/metrics.ts';
import { pages } from './http/pages/pages.ts';
import { answerFrameworkError, problemDetails, refuseUnreadable } from './http/problem-details.ts';
import { requestEnd } from './http/request-end.ts';
import { requestLog } from './http/request-log.ts';
import { compileNothing, noCompilers } from './http/schema-compilers.ts';
import { security } from './http/security.ts';
import { tracing } from './http/tracing.ts';
import type { Operation, ServedOperation } from './operations/operation.ts';
import { healthRoutes } from './routes/health.ts';
import { limitsRoute } from './routes/limits.ts';
import { metricsRoute } from './routes/metrics.ts';
import { operationRoutes } from './routes/operations.ts';
import { rootRoute } from './routes/root.ts';
import { loaded, servedOperations } from './routes/served-operations.ts';
import { workerFile } from './worker-file.ts';

/** Additions: for tests more operations, and the worker module that knows them; for the start its processes. */
interface AppParts {
  readonly extraOperations?: readonly Operation[];
  /** In place of the service's own list of its operations. */
  readonly operations?: readonly ServedOperation[];
  readonly workerFile?: URL;
  /** Processes that have been started already. */
  readonly pools?: Pools;
}

export interface App {
  readonly operations: readonly ServedOperation[];
  readonly server: FastifyInstance;
  readonly dispatcher: Dispatcher;
  readonly state: Drain;
  readonly log: Log;
}

/** Builds the service; `server.listen` or `server.inject` comes next. */
export async function buildApp(config: Config, parts: AppParts = {}): Promise<App> {
  const own = parts.operations ?? (await servedOperations());
  const operations = [...own, ...(parts.extraOperations ?? []).map(loaded)];
  const state: Drain = { draining: false };
  const log = createLog(config);
  const server: FastifyInstance = Fastify({
    loggerInstance: log.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: config.bodyLimitBytes,
    requestTimeout: config.requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    // A request without a host is refused in src/http/problem-details.ts, with a problem.
    http: { headersTimeout: config.headersTimeoutMs, connectionsCheckingInterval: 1000, requireHostHeader: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: config.trustProxy,
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: answerFrameworkError,
    schemaController: { compilersFactory: noCompilers },
    routerOptions: { ignoreTrailingSlash: false },
  });
  // Lines carry the request id themselves: a logger made for every request costs more than its lines. (The framework
  // looks over one that its option childLoggerFactory makes, for every request.)
  Object.assign(server.log, { child: () => server.log });
  const dispatcher = new Dispatcher({ ...config, workerFile: parts.workerFile ?? workerFile }, parts.pools);
  server.addHook('onClose', async () => dispatcher.close());
  compileNothing(server);
  // A caller that sends no more may still read: src/http/caller-left.ts finds out.
  Object.assign(server.server, { maxConnections: config.maxConnections, httpAllowHalfOpen: true });
  await server.register(tracing, { config });
  await server.register(problemDetails);
  await server.register(requestEnd);
  await server.register(connections, { state });
  await server.register(requestLog, { log });
  await server.register(security, { config });
  await server.register(admission, { config, dispatcher });
  await server.register(bodies, { config, dispatcher });
  await server.register(metrics, { dispatcher });
  await server.register(pages, { state });
  await server.register(rootRoute, { operations });
  const probe = operations.find(({ name }) => name === 'crawler-count') ?? operations[0];
  await server.register(healthRoutes, { dispatcher, probe, state });
  await server.register(limitsRoute, { config, operations });
  await server.register(metricsRoute);
  await server.register(operationRoutes, { operations, dispatcher, bodyLimitBytes: config.bodyLimitBytes });
  return { server, operations, dispatcher, state, log };
}
