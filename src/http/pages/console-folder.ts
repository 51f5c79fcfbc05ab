/**
 * Where the console's files come from. A build (`npm run build`) has them beside it, in dist/console. The service started
 * from its sources builds them when they are first asked for, with Vite and in a process of its own, into a cache folder
 * named after a digest of what they are made from: `npm start` on a fresh clone shows the console without a step by hand.
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
const builtFolder = join(root, 'dist', 'console');
/** What the console is made from; the digest of these names the cache folder. */
const sources = [
  'src/console',
  'src/logs',
  'src/solvers/distributions',
  'src/solvers/numerics',
  'docs/glossary.md',
  'scripts/build-console.ts',
  'package-lock.json',
];

const fromSources = import.meta.url.endsWith('.ts');

/** The folder with the console's files, built first where that is needed. */
export async function consoleFolder(): Promise<string> {
  return fromSources ? developmentBuild() : builtFolder;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

async function digestOfSources(): Promise<string> {
  const digest = createHash('sha256');
  for (const source of sources) {
    const path = join(root, source);
    const names = extname(source) === '' ? await filesBelow(path) : [''];
    for (const name of names) digest.update(name).update(await readFile(join(path, name)));
  }
  return digest.digest('hex').slice(0, 16);
}

async function developmentBuild(): Promise<string> {
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, `crawl-optimizer-console-${await digestOfSources()}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, 'crawl-optimizer-building-'));
  try {
    await promisify(execFile)(process.execPath, ['scripts/build-console.ts', join(scratch, 'console')], { cwd: root });
    await rename(join(scratch, 'console'), folder);
  } catch (error) {
    // Another process may have finished the same build first.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return folder;
}
