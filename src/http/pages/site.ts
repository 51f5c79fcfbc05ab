/**
 * The pages people look at (Swagger UI, the OpenAPI document, the console) are small services behind the service. They
 * are loaded when they are first asked for, under security headers of their own, and out of the way of every other
 * request.
 */
import type { IncomingMessage } from 'node:http';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { problemDetails } from '../problem-details.ts';
import { compileNothing, noCompilers } from '../schema-compilers.ts';

/** What a site takes over from the service it stands behind. */
export interface SiteParts {
  readonly logger: FastifyBaseLogger;
  /** The id under which the service knows a request. */
  requestId(request: IncomingMessage): string;
}

/** A service without a port: requests come to it through `routing`. */
export async function newSite({ logger, requestId }: SiteParts): Promise<FastifyInstance> {
  const site: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    schemaController: { compilersFactory: noCompilers },
  });
  compileNothing(site);
  await site.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
  });
  await site.register(problemDetails);
  site.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  return site;
}
