/**
 * Does this revision answer as an older one did, to the bit? `npm run same-answers -- REVISION [operation …]`
 *
 * REVISION is one of git's names or the folder of a checkout with its dependencies installed. Asked of both, by their
 * command lines: the older one's examples, 40 instances of each of its schemas (--generated N), and 200 crawl logs for
 * plans without options (--logs N, --seed S). Told is each place in which answers differ, in how many answers and by
 * how much; `statistics` is not compared. Ends with 1 where an answer lost or changed something by more than --within
 * (0: to the bit); what was added is told only.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Difference, differences, gather } from './differences.ts';
import { documentedRequests, planRequests, type Requests } from './requests.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    generated: { type: 'string', default: '40' },
    logs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    within: { type: 'string', default: '0' },
  },
});
const [revision, ...asked] = positionals;
if (revision === undefined) {
  console.error('usage: npm run same-answers -- REVISION|FOLDER [operation …]');
  console.error('         [--generated 40] [--logs 200] [--seed 1] [--within 0]');
  process.exit(2);
}

/** Checks a revision out and installs what its lock file asks for; a folder is taken as it is. */
function checkedOut(name: string): { readonly root: string; readonly remove: () => void } {
  if (existsSync(join(name, 'src/cli.ts'))) return { root: resolve(name), remove: () => {} };
  const root = join(mkdtempSync(join(tmpdir(), 'same-answers-')), 'checkout');
  execFileSync('git', ['worktree', 'add', '--detach', root, name], { stdio: 'ignore' });
  const remove = (): void => {
    execFileSync('git', ['worktree', 'remove', '--force', root]);
    rmSync(resolve(root, '..'), { recursive: true });
  };
  const lock = 'package-lock.json';
  if (readFileSync(lock, 'utf8') === readFileSync(join(root, lock), 'utf8')) {
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  } else
    execFileSync('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit'], { cwd: root, stdio: 'ignore' });
  return { root, remove };
}

/** One answer, or refusal, a request. */
function answers(root: string, { operation, bodies }: Requests): unknown[] {
  const run = spawnSync(
    process.execPath,
    ['src/cli.ts', operation, '--no-pretty', '--no-progress', '--time-limit', '60000'],
    { cwd: root, input: `${bodies.join('\n')}\n`, encoding: 'utf8', maxBuffer: 1 << 30 },
  );
  const lines = run.stdout.split('\n').filter((line) => line !== '');
  if (lines.length !== bodies.length) {
    throw new Error(`${operation}: ${lines.length} answers to ${bodies.length} requests; ${run.stderr.slice(0, 500)}`);
  }
  return lines.map((line) => JSON.parse(line));
}

const older = checkedOut(revision);
let changed = 0;
try {
  const all = [
    ...documentedRequests(older.root, Number(values.generated)),
    planRequests(Number(values.logs), Number(values.seed)),
  ].filter(({ operation, bodies }) => bodies.length > 0 && (asked.length === 0 || asked.includes(operation)));
  for (const requests of all) {
    const [before, after] = [answers(older.root, requests), answers('.', requests)];
    const found = new Map<string, Difference>();
    let same = 0;
    for (const [k, answer] of before.entries()) {
      const own = differences(answer, after[k], ['statistics']);
      gather(found, own);
      if ([...own.values()].every(({ kind }) => kind === 'added')) same++;
    }
    console.log(`${requests.operation}, ${requests.source}: ${same} of ${before.length} the same to the bit`);
    for (const [place, { kind, answers: count, largest, example }] of found) {
      const size = kind === 'number' ? `, at most ${largest.toExponential(1)}` : '';
      console.log(`  ${place} in ${count}${size}: ${example}`);
      if (kind !== 'added' && !(kind === 'number' && largest <= Number(values.within))) changed++;
    }
  }
} finally {
  older.remove();
}
process.exitCode = changed > 0 ? 1 : 0;
