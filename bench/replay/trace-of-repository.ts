/**
 * Makes a trace of any git repository of versions:
 * `node bench/replay/trace-of-repository.ts REPOSITORY > trace.ndjson`.
 *
 * A page is a file; it is first fetched at the commit that adds it, and changes at every later commit that modifies it.
 * Its host is the folder it lies in. Times are the commits' author times, when the version was seen. A file that is
 * deleted and added again is the same page. Merges are left out: what they bring is in their parents.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [repository] = process.argv.slice(2);
if (repository === undefined) {
  console.error('usage: node bench/replay/trace-of-repository.ts REPOSITORY > trace.ndjson');
  process.exit(2);
}
const git = spawn(
  'git',
  [
    '-C',
    repository,
    '-c',
    'core.quotePath=false',
    'log',
    '--reverse',
    '--no-merges',
    '--no-renames',
    '--name-status',
    '--format=@%at',
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const ended = new Promise<number | null>((resolve) => git.on('close', resolve));
const pages = new Map<string, { firstFetch: number; changes: number[] }>();
let time = 0;
for await (const line of createInterface({ input: git.stdout })) {
  if (line.startsWith('@')) {
    time = Number(line.slice(1));
    continue;
  }
  const [status, id] = line.split('\t');
  if (id === undefined || (status !== 'A' && status !== 'M')) continue;
  const page = pages.get(id);
  if (page) page.changes.push(time);
  else pages.set(id, { firstFetch: time, changes: [] });
}
for (const [id, { firstFetch, changes }] of pages) {
  const host = id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : '';
  console.log(JSON.stringify({ id, host, firstFetch, changes: [...new Set(changes)].sort((a, b) => a - b) }));
}
process.exitCode = (await ended) ?? 1;
