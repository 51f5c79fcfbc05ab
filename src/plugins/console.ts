/** @fastify/static: the files of the console at /console/, under a policy that knows this host only. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import staticFiles from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import { packageFolder } from '../version.ts';

const root = fileURLToPath(packageFolder);

/** What the console is built from, beside the script that builds it. */
const sources = [
  'src/console',
  'src/logs',
  'src/solvers/laws',
  'src/solvers/numerics',
  'docs/glossary.md',
  'scripts/build-console.ts',
  'scripts/compressed-forms.ts',
  'package-lock.json',
];

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

export const consolePages: FastifyPluginAsync = async (app) => {
  const fromSources = import.meta.url.endsWith('.ts');
  const folder = fromSources ? await cacheFolder() : join(root, 'dist/console');
  let built: Promise<void> | undefined;
  if (fromSources) {
    // A clone shows the console without a step by hand: whoever asks first waits for its build.
    app.addHook('onRequest', async () => {
      built ??= buildInto(folder).catch((error) => {
        built = undefined;
        throw error;
      });
      await built;
    });
  }
  app.get('/console', { schema: { hide: true } }, async (_request, reply) => reply.redirect('console/', 308));
  await app.register(staticFiles, {
    root: folder,
    prefix: '/console/',
    preCompressed: true,
    schemaHide: true,
    // Set below, by the kind of file.
    cacheControl: false,
    setHeaders(response, path) {
      // A cache must keep the compressed forms and the plain one apart, whichever comes first.
      response.setHeader('vary', 'accept-encoding');
      response.setHeader(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
      response.setHeader('content-security-policy', contentSecurityPolicy);
    },
  });
};

/** Named after a digest of the sources: an older build is not taken for this one. */
async function cacheFolder(): Promise<string> {
  const digest = createHash('sha256');
  for (const source of sources) {
    const path = join(root, source);
    const names = extname(source) === '' ? (await readdir(path, { recursive: true })).sort() : [''];
    for (const name of names)
      if (name === '' || extname(name) !== '') digest.update(name).update(await readFile(join(path, name)));
  }
  const folder = join(root, 'node_modules/.cache', `crawl-optimizer-console-${digest.digest('hex').slice(0, 16)}`);
  await mkdir(folder, { recursive: true }).catch(() => undefined);
  return folder;
}

async function buildInto(folder: string): Promise<void> {
  if (existsSync(join(folder, 'index.html'))) return;
  const scratch = await mkdtemp(join(root, 'node_modules/.cache/crawl-optimizer-building-'));
  try {
    await promisify(execFile)(process.execPath, ['scripts/build-console.ts', join(scratch, 'console')], { cwd: root });
    await rm(folder, { recursive: true, force: true });
    await rename(join(scratch, 'console'), folder);
  } catch (error) {
    // Another process may have finished the same build first.
    if (!existsSync(join(folder, 'index.html'))) throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
