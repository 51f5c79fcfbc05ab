/**
 * Builds the demonstration into the given folder. It is the console as static files that any file server can show. The
 * solvers run in a worker of the browser in place of the service.
 */
import { copyFileSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node scripts/build-demo.ts <folder>');
const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** What is another in the browser: who answers, and the version, which the service reads from its package. */
const inTheBrowser = (): Plugin => ({
  name: 'in-the-browser',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    const found = await this.resolve(id, importer, { ...options, skipSelf: true });
    return found?.id === source('console/api/service.ts') && !importer?.startsWith(source('demo'))
      ? source('demo/service.ts')
      : found;
  },
  load: (id) => (id === source('version.ts') ? `export const version = ${JSON.stringify(version)};` : null),
});

await build({
  configFile: false,
  root: source('console'),
  base: './',
  logLevel: 'warn',
  plugins: [inTheBrowser()],
  worker: { format: 'es', plugins: () => [inTheBrowser()] },
  build: {
    outDir: resolve(folder),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 4000,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
copyFileSync(fileURLToPath(new URL('../openapi/openapi.json', import.meta.url)), join(resolve(folder), 'openapi.json'));
