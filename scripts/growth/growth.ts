/**
 * `npm run growth -- [OPERATION …]`: how long an answer takes, and how much memory, as a request grows: for every
 * operation three sizes, each in a process of its own, as a table for docs/how-to/sizes.md, of the largest. Times are of the
 * processor, from the first byte of the body to the last of the answer; without a limit of time.
 */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../src/config.ts';
import { now } from '../../src/dispatch/clock.ts';
import { parse, prepareParsed, solve } from '../../src/dispatch/pipeline.ts';
import { serialiseBytes } from '../../src/dispatch/serialise.ts';
import { operations } from '../../src/operations/index.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { growing } from './requests.ts';

/** Processor time in milliseconds, the most memory in MiB, and the answer's status. */
interface Figures {
  readonly ms: number;
  readonly mib: number;
  readonly status: string;
}

const longestMs = 300_000;

function answered(name: string, size: number): Figures {
  const operation = operations.find((each) => each.name === name);
  const grown = growing.find((each) => each.operation === name);
  if (operation === undefined || grown === undefined) throw new Error(`no operation ${name}`);
  const config = { ...readConfig({}), maxWork: Number.POSITIVE_INFINITY };
  const bodyOf = (count: number): Buffer => Buffer.from(JSON.stringify(grown.request(count, seededRandom(1))));
  const run = (body: Buffer): string => {
    const parsed = parse(operation, body, config);
    const ready = parsed.kind === 'parsed' ? prepareParsed(operation, parsed.value, config) : parsed;
    const solved = ready.kind === 'ready' ? solve(ready, unlimitedBudget(1), now) : ready;
    if (solved.kind === 'problem') throw new Error(`${name}: ${JSON.stringify(solved.problem)}`);
    serialiseBytes(solved.envelope);
    return solved.facts.status ?? '';
  };
  // The code is compiled on the smallest size.
  run(bodyOf(grown.sizes[0]));
  const body = bodyOf(size);
  const before = process.cpuUsage();
  const status = run(body);
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, mib: process.resourceUsage().maxRSS / 1024, status };
}

const [first, ...rest] = process.argv.slice(2);
if (first === '--one') {
  process.stdout.write(JSON.stringify(answered(rest[0], Number(rest[1]))));
} else {
  const wanted =
    first === undefined ? growing : growing.filter(({ operation }) => [first, ...rest].includes(operation));
  process.stdout.write(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown'}\n\n`);
  process.stdout.write('| Operation | Largest size tried | Time | MiB | × 10 takes |\n|---|---|---|---|---|\n');
  for (const { operation, counted, sizes } of wanted) {
    const figures = sizes.map((size): Figures | null => {
      const words = [fileURLToPath(import.meta.url), '--one', operation, String(size)];
      const run = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: longestMs });
      if (run.status !== 0) process.stderr.write(run.stderr);
      return run.status === 0 ? JSON.parse(run.stdout) : null;
    });
    const [least, , most] = figures;
    const growth = least && most ? (most.ms / least.ms) ** (1 / Math.log10(sizes[2] / sizes[0])) : Number.NaN;
    const rounded = (value: number): number => Number(value.toPrecision(2));
    const time = (ms: number): string => (ms < 1000 ? `${rounded(ms)} ms` : `${rounded(ms / 1000)} s`);
    const measured = most ? `${time(most.ms)} | ${most.mib.toFixed(0)}` : '– | –';
    const size = `${sizes[2].toLocaleString('en')} ${counted}`;
    process.stdout.write(`| \`${operation}\` | ${size} | ${measured} | × ${growth.toPrecision(2)} |\n`);
  }
}
