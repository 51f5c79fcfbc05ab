/** @fastify/static: the console's files at /console/, with a Content-Security-Policy that allows this host only. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import staticFiles from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import { packageFolder } from '../package.ts';
import { problem } from '../schemas/contract/problem.ts';
import { sendProblem } from './problem-details.ts';

const root = fileURLToPath(packageFolder);
const run = promisify(execFile);

/**
 * The digest of the one inline style there is: what Observable Plot puts into every figure drawn with the class `plot`.
 * test/console fails when a release of Plot changes it.
 */
const plotStyle = "'sha256-+TfQir1nvDucAdvE6XUQBt4ayUjpAWkbw2kCdSfekHM='";

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${plotStyle}`,
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const consolePages: FastifyPluginAsync = async (app) => {
  // Vite is a development dependency: a clone without it shows what was built before.
  const fromSources = import.meta.url.endsWith('.ts') && existsSync(join(root, 'node_modules/vite'));
  const folder = join(root, fromSources ? 'node_modules/.cache/crawl-optimizer-console' : 'dist/console');
  if (!fromSources && !existsSync(folder)) {
    const detail = 'the console has not been built; npm ci with the development dependencies, then npm run build';
    for (const path of ['/console', '/console/*'])
      app.get(path, { schema: { hide: true } }, (_request, reply) => sendProblem(reply, problem('not-found', detail)));
    return;
  }
  let buildRun: Promise<unknown> | undefined;
  if (fromSources) {
    // In a clone the first request of the console builds its files, and waits for the build.
    await mkdir(folder, { recursive: true }).catch(() => undefined);
    const script = ['scripts/build-console.ts', folder, '--if-changed'];
    app.addHook('onRequest', async () => {
      buildRun ??= run(process.execPath, script, { cwd: root }).catch((error) => {
        buildRun = undefined;
        throw error;
      });
      await buildRun;
    });
  }
  app.get('/console', { schema: { hide: true } }, async (_request, reply) => reply.redirect('console/', 308));
  await app.register(staticFiles, {
    root: folder,
    prefix: '/console/',
    preCompressed: true,
    schemaHide: true,
    // `setHeaders` sets Cache-Control by the kind of file.
    cacheControl: false,
    setHeaders(response, path) {
      // A cache must store the compressed and the plain forms of a file separately.
      response.setHeader('vary', 'accept-encoding');
      response.setHeader(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
      response.setHeader('content-security-policy', contentSecurityPolicy);
    },
  });
};
