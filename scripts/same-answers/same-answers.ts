/**
 * Does this revision answer as an older one did, to the bit? `node scripts/same-answers/same-answers.ts --base BASE [operation …]`
 *
 * BASE is one of git's names or the folder of a checkout with its dependencies installed. Requests are put into today's
 * words for this revision (renaming.ts), and so are the names in the older one's answers. A revision that has today's
 * words is asked in them. Both are asked by their command lines: the older one's examples, each also with some of its
 * numbers changed (--varied 5), and the papers' tables. There are also 40 instances of each of its schemas (--generated
 * N). Of crawl-plan there are 200 logs without options (--logs N, --seed S), and 80 plans with all of them (--plans N).
 *
 * The list names each place in which answers differ, in how many answers and by how much. `statistics` and `summary`
 * are not compared. Ends with 1 where an answer lost or changed something by more than --within (0: to the bit).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Difference, differences, gather } from './differences.ts';
import { optionedPlans, planRequests } from './plan-requests.ts';
import { requestNow } from './renaming.ts';
import { documentedRequests, paperRequests, type Requests, variedRequests } from './requests.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: 'string' },
    generated: { type: 'string', default: '40' },
    varied: { type: 'string', default: '5' },
    logs: { type: 'string', default: '200' },
    plans: { type: 'string', default: '80' },
    seed: { type: 'string', default: '1' },
    within: { type: 'string', default: '0' },
  },
});
const asked = positionals;
const revision = values.base;
if (revision === undefined) {
  console.error('usage: node scripts/same-answers/same-answers.ts --base REVISION|FOLDER [operation …]');
  console.error('         [--generated 40] [--logs 200] [--plans 80] [--seed 1] [--within 0]');
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

/** Requests that both can be asked, in the words of each, and why others cannot. */
function inBothWords(
  requests: Requests,
  todaysWords: boolean,
): { readonly old: Requests; readonly now: Requests; readonly gone: string[] } {
  const [old, now, gone]: [string[], string[], string[]] = [[], [], []];
  for (const body of requests.bodies) {
    // those of the papers are written down in the first words
    const asWritten = todaysWords && requests.source !== 'paper tables';
    const renamed = asWritten ? { request: JSON.parse(body) } : requestNow(requests.operation, JSON.parse(body));
    if ('gone' in renamed) gone.push(renamed.gone);
    else {
      now.push(JSON.stringify(renamed.request));
      old.push(todaysWords ? now[now.length - 1] : body);
    }
  }
  return { old: { ...requests, bodies: old }, now: { ...requests, bodies: now }, gone };
}

/** Both refuse: in which words is not compared. */
const refusal = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'title' in answer && !('statistics' in answer);

const older = checkedOut(revision);
let changed = 0;
try {
  const documented = documentedRequests(older.root, Number(values.generated));
  const all = [
    ...documented,
    ...variedRequests(documented, Number(values.varied), Number(values.seed)),
    ...paperRequests(older.root),
    planRequests(Number(values.logs), Number(values.seed)),
    optionedPlans(Number(values.plans), Number(values.seed)),
  ].filter(({ operation, bodies }) => bodies.length > 0 && (asked.length === 0 || asked.includes(operation)));
  for (const requests of all) {
    const { old, now, gone } = inBothWords(requests, true);
    if (old.bodies.length === 0) continue;
    const [before, after] = [answers(older.root, old), answers('.', now)];
    const found = new Map<string, Difference>();
    let [same, refused] = [0, 0];
    for (const [k, answer] of before.entries()) {
      if (refusal(answer) && refusal(after[k])) {
        refused++;
        continue;
      }
      const own = differences(answer, after[k], ['statistics', 'summary']);
      gather(found, own);
      if ([...own.values()].every(({ kind }) => kind === 'added')) same++;
    }
    const compared = before.length - refused;
    console.log(
      `${requests.operation}, ${requests.source}: ${same} of ${compared} the same to the bit; ${refused} refused by both`,
    );
    for (const reason of new Set(gone)) {
      console.log(`  not compared, as it is gone: ${reason} (${gone.filter((each) => each === reason).length})`);
    }
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
