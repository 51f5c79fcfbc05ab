/**
 * Builds the console (src/console) with Vite: `build-console.ts <folder>`. With `--if-changed` it builds only if the
 * sources have changed since the folder was built, and swaps the new folder in; the service calls it so in a clone.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files and folders that the console is built from. */
const sources = [
  'src/console',
  'src/logs',
  'src/schemas/words',
  'src/solvers/laws',
  'src/solvers/numerics',
  'docs/glossary.md',
  'scripts/build-console.ts',
  'package-lock.json',
];

async function digestOfSources(): Promise<string> {
  const digest = createHash('sha256');
  for (const source of sources) {
    const path = join(root, source);
    const names = extname(source) === '' ? (await readdir(path, { recursive: true })).sort() : [''];
    for (const name of names)
      if (name === '' || extname(name) !== '') digest.update(name).update(await readFile(join(path, name)));
  }
  return digest.digest('hex');
}

// Also when a test builds the console: JSX is compiled without source positions.
process.env.NODE_ENV = 'production';
async function buildInto(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: join(root, 'src/console'),
    // Relative addresses: the console also works behind a proxy that serves the service under a path of its own.
    base: './',
    logLevel: 'warn',
    build: {
      outDir: resolve(folder),
      emptyOutDir: true,
      target: 'es2022',
      chunkSizeWarningLimit: 1000,
      // Scripts and styles are separate files: the content security policy forbids inline code.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
  await writeCompressedForms(folder);
}

/** Brotli quality 9: a tenth larger than at the highest quality, in a tenth of the time. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes .br and .gz files beside the folder's text files, which the service sends to clients that accept them. */
async function writeCompressedForms(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(html|js|css|svg|json)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    await writeFile(`${path}.br`, brotliCompressSync(bytes, quality));
  }
}

async function buildIfChanged(folder: string): Promise<void> {
  const digest = await digestOfSources();
  const mark = join(folder, 'sources.sha256');
  if ((await readFile(mark, 'utf8').catch(() => '')) === digest) return;
  const scratch = await mkdtemp(`${folder}-`);
  try {
    await buildInto(scratch);
    await writeFile(join(scratch, 'sources.sha256'), digest);
    await rm(folder, { recursive: true, force: true });
    await rename(scratch, folder);
  } catch (error) {
    // Another process may have finished the same build first.
    if ((await readFile(mark, 'utf8').catch(() => '')) !== digest) throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const [folder, option] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/build-console.ts <folder> [--if-changed]');
await (option === '--if-changed' ? buildIfChanged(resolve(folder)) : buildInto(resolve(folder)));
