/**
 * The OpenAPI document at /openapi.json and Swagger UI at /docs: files that a build has made, with their compressed
 * forms. Nothing is generated or serialised here, so that no request for them holds up the event loop.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { packageFolder } from '../../version.ts';
import { preparedFolder } from './prepared-folder.ts';
import { newSite, type SiteParts } from './site.ts';

/** Swagger UI sets style attributes; nothing else of it needs more than this server. */
const swaggerUiPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'";

/** The site of the documents. */
export async function documentsSite(parts: SiteParts): Promise<FastifyInstance> {
  const root = await preparedFolder('documents');
  // the package holds it once, as people read it
  const document = existsSync(join(root, 'openapi.json')) ? root : fileURLToPath(new URL('openapi/', packageFolder));
  const swaggerUi = join(root, 'docs');
  const site = await newSite(parts);
  await site.register(staticFiles, {
    root: swaggerUi,
    prefix: '/docs/',
    preCompressed: true,
    setHeaders(response, path) {
      // A cache must keep the compressed forms and the plain one apart, whichever comes first.
      response.setHeader('vary', 'accept-encoding');
      if (path.startsWith(swaggerUi)) response.setHeader('content-security-policy', swaggerUiPolicy);
    },
  });
  site.get('/openapi.json', (_request, reply) => reply.sendFile('openapi.json', document));
  site.get('/docs', (_request, reply) => reply.redirect('docs/', 308));
  // Swagger UI asks for its document under this name.
  site.get('/docs/json', (_request, reply) => reply.sendFile('openapi.json', document));
  await site.ready();
  return site;
}
