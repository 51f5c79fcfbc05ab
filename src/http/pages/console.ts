/** The console at /console: its built files, under a content security policy that knows this host only. */
import { createHash } from 'node:crypto';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { preparedFolder } from './prepared-folder.ts';
import { newSite, type SiteParts } from './site.ts';

/**
 * The one inline style there is: what Observable Plot puts into every figure drawn with `className: 'plot'`. A policy
 * may allow it by its digest; test/console fails when a release of Plot changes the text.
 */
const plotStyle = `:where(.plot) {
  --plot-background: white;
  display: block;
  height: auto;
  height: intrinsic;
  max-width: 100%;
}
:where(.plot text),
:where(.plot tspan) {
  white-space: pre;
}`;

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'sha256-${createHash('sha256').update(plotStyle).digest('base64')}'`,
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The site of the console: the files of its build, with their compressed forms beside them. */
export async function consoleSite(parts: SiteParts): Promise<FastifyInstance> {
  const root = await preparedFolder('console');
  const site = await newSite(parts);
  site.get('/console', async (_request, reply) => reply.redirect('console/', 308));
  await site.register(staticFiles, {
    root,
    prefix: '/console/',
    preCompressed: true,
    // Set below, by the kind of file.
    cacheControl: false,
    setHeaders(response, path) {
      const forGood = path.includes('/assets/');
      // A cache must keep the compressed forms and the plain one apart, whichever comes first.
      response.setHeader('vary', 'accept-encoding');
      response.setHeader('cache-control', forGood ? 'public, max-age=31536000, immutable' : 'no-cache');
      response.setHeader('content-security-policy', contentSecurityPolicy);
    },
  });
  await site.ready();
  return site;
}
