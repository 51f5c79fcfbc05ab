/** The service as a Fastify instance: plugins and routes; nothing global, fit for inject(), started by server.ts. */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Config } from './config.ts';
import { operations as ownOperations } from './operations/index.ts';
import type { Operation } from './operations/operation.ts';
import { apiKeys } from './plugins/api-keys.ts';
import { bodies } from './plugins/bodies.ts';
import { consolePages } from './plugins/console.ts';
import { crossOrigin } from './plugins/cors.ts';
import { metrics } from './plugins/metrics.ts';
import { openApi } from './plugins/openapi.ts';
import { answerError, problemDetails, UnreadableRequests } from './plugins/problem-details.ts';
import { requestRate } from './plugins/rate-limit.ts';
import { requestLog } from './plugins/request-log.ts';
import { securityHeaders } from './plugins/security-headers.ts';
import { loadShedding } from './plugins/under-pressure.ts';
import { operationRoutes } from './routes/operations.ts';
import { serviceRoutes } from './routes/service.ts';
import { Pool } from './workers/pool.ts';

/** Additions for tests: more operations, and the worker module that knows them. */
interface AppParts {
  readonly extraOperations?: readonly Operation[];
  readonly workerFile?: URL;
}

export interface App {
  readonly operations: readonly Operation[];
  readonly server: FastifyInstance;
  readonly pool: Pool;
  /** Fails readiness from this call on, and gives every answer `Connection: close`. */
  startDraining(): void;
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Writes log lines to standard output. A full disk under the log costs lines and no request: pino's own destination
 * would block for ever when the process ends.
 */
const logLines = {
  write(line: string): void {
    try {
      writeSync(1, line);
    } catch {
      // Standard output is closed or full: the line is lost.
    }
  },
};

/** Builds the service; `server.listen` or `server.inject` comes next. */
export async function buildApp(config: Config, { extraOperations = [], workerFile }: AppParts = {}): Promise<App> {
  const pool = new Pool({ ...config, workerFile: workerFile ?? new URL(`./worker.${extension}`, import.meta.url) });
  const operations = [...ownOperations, ...extraOperations];
  const unreadable = new UnreadableRequests();
  let isDraining = false;
  const server: FastifyInstance = Fastify({
    logger: { level: config.logLevel, stream: logLines },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: config.bodyLimitBytes,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    http: { headersTimeout: config.headersTimeoutMs, connectionsCheckingInterval: 1000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: config.trustProxy,
    clientErrorHandler: unreadable.refuse,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply, config),
  });
  server.server.maxConnections = config.maxConnections;
  server.server.on('request', unreadable.note);
  // The schemas of the routes are for the OpenAPI document: the pipeline checks requests and writes answers.
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => JSON.stringify);
  server.addHook('onClose', () => pool.close());
  await server.register(metrics, { pool });
  await server.register(requestLog);
  await server.register(securityHeaders);
  await server.register(problemDetails, { config });
  await server.register(crossOrigin, { config });
  await server.register(loadShedding, { config });
  await server.register(requestRate, { config });
  await server.register(apiKeys, { config });
  await server.register(bodies, { config, pool });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining) reply.header('connection', 'close');
    done();
  });
  await server.register(openApi, { operations });
  await server.register(consolePages);
  await server.register(operationRoutes, { operations, pool, config });
  await server.register(serviceRoutes, { config, pool, operations, isDraining: () => isDraining });
  const startDraining = (): void => {
    isDraining = true;
  };
  return { server, operations, pool, startDraining };
}
