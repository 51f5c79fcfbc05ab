/**
 * Where the files of the pages come from. A build (`npm run build`) has them beside it, in dist/console and
 * dist/documents. Started from its sources, the service builds them in a process of its own when they are first asked
 * for. They go into a cache folder named after a digest of what they are made from. So `npm start` on a fresh clone
 * shows them without a step by hand.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packageFolder } from '../../version.ts';

const root = fileURLToPath(packageFolder);

/** What the pages are made from, beside the script that makes them; the digest of these names the cache folder. */
const sources = {
  console: [
    'src/console',
    'src/logs',
    'src/solvers/laws',
    'src/solvers/numerics',
    'docs/glossary.md',
    'scripts/build-console.ts',
    'scripts/compressed-forms.ts',
    'package-lock.json',
  ],
  documents: [
    'openapi/openapi.json',
    'scripts/build-documents.ts',
    'scripts/swagger-ui.ts',
    'scripts/compressed-forms.ts',
    'package-lock.json',
  ],
} as const;

export type Pages = keyof typeof sources;

const fromSources = import.meta.url.endsWith('.ts');

/** The folder with the files of these pages, built first where that is needed. */
export async function preparedFolder(pages: Pages): Promise<string> {
  return fromSources ? developmentBuild(pages) : join(root, 'dist', pages);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

async function digestOf(paths: readonly string[]): Promise<string> {
  const digest = createHash('sha256');
  for (const source of paths) {
    const path = join(root, source);
    const names = extname(source) === '' ? await filesBelow(path) : [''];
    for (const name of names) digest.update(name).update(await readFile(join(path, name)));
  }
  return digest.digest('hex').slice(0, 16);
}

async function developmentBuild(pages: Pages): Promise<string> {
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, `crawl-optimizer-${pages}-${await digestOf(sources[pages])}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, 'crawl-optimizer-building-'));
  try {
    const script = `scripts/build-${pages}.ts`;
    await promisify(execFile)(process.execPath, [script, join(scratch, pages)], { cwd: root });
    await rename(join(scratch, pages), folder);
  } catch (error) {
    // Another process may have finished the same build first.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return folder;
}
