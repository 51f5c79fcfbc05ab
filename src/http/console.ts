/** The console at /console: its built files, from memory, under a content security policy that knows this host only. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { problem } from '../schemas/contract/problem.ts';
import { type ConsoleFile, loadConsole } from './console-files.ts';
import { sendProblem } from './problem-details.ts';

/**
 * The one inline style there is: what Observable Plot puts into every figure drawn with `className: 'plot'`. A policy may
 * allow it by its digest; test/console fails when a release of Plot changes the text.
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

interface Served extends ConsoleFile {
  readonly gzipped: Uint8Array;
}

type Files = ReadonlyMap<string, Served>;

/** Serves the console; returns what loads it ahead of its first visitor. */
export function serveConsole(app: FastifyInstance): () => Promise<Files> {
  let loading: Promise<Files> | undefined;
  const read = async (): Promise<Files> => {
    const files = await loadConsole();
    return new Map([...files].map(([name, file]) => [name, { ...file, gzipped: gzipSync(file.bytes) }]));
  };
  const load = (): Promise<Files> => {
    loading ??= read().catch((error: unknown) => {
      // The next visitor tries again.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  app.get('/console', { schema: { hide: true } }, async (_request, reply) => reply.redirect('console/', 308));
  app.get<{ Params: { '*': string } }>('/console/*', { schema: { hide: true } }, async (request, reply) => {
    let files: Files;
    try {
      files = await load();
    } catch (error) {
      request.log.error({ err: error }, 'the console could not be loaded');
      return sendProblem(reply, problem('internal', 'the console has not been built: npm run build builds it'));
    }
    const name = request.params['*'] || 'index.html';
    const file = files.get(name);
    if (file === undefined) {
      return sendProblem(reply, problem('not-found', `the console has no file ${name.slice(0, 200)}`));
    }
    const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (zipped) reply.header('content-encoding', 'gzip');
    return reply
      .header('content-type', file.type)
      .header('content-security-policy', contentSecurityPolicy)
      .header('vary', 'accept-encoding')
      .header('cache-control', name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      .send(zipped ? file.gzipped : file.bytes);
  });
  return load;
}
