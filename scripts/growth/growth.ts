/**
 * `node scripts/growth/growth.ts [OPERATION …]`: how long an answer takes, and how much memory, as a request grows. Every operation
 * has three decades of sizes, each in a process of its own, as a table for docs/how-to/sizes.md. All of them also write
 * its picture. Times are of the processor, from the first byte of the body to the last of the answer; without a limit
 * of time.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../src/config.ts';
import { now } from '../../src/dispatch/clock.ts';
import { parse, prepareParsed, solve } from '../../src/dispatch/pipeline.ts';
import { serialiseBytes } from '../../src/dispatch/serialise.ts';
import { operations } from '../../src/operations/index.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { growthPicture, type Measured } from './picture.ts';
import { type Growing, type Growth, growing } from './requests.ts';

const longestMs = 300_000;

/** What else grows comes after what grows first. */
const growthsOf = (grown: Growing): readonly Growth[] => [grown, ...(grown.also ?? [])];

function answered(name: string, which: number, size: number): Measured {
  const operation = operations.find((each) => each.name === name);
  const grown = growing.find((each) => each.operation === name);
  if (operation === undefined || grown === undefined) throw new Error(`no operation ${name}`);
  const config = { ...readConfig({}), maxWork: Number.POSITIVE_INFINITY };
  const growth = growthsOf(grown)[which];
  const bodyOf = (count: number): Buffer => Buffer.from(JSON.stringify(growth.request(count, seededRandom(1))));
  const run = (body: Buffer): void => {
    const parsed = parse(operation, body, config);
    const ready = parsed.kind === 'parsed' ? prepareParsed(operation, parsed.value, config) : parsed;
    const solved = ready.kind === 'ready' ? solve(ready, unlimitedBudget(1), now) : ready;
    if (solved.kind === 'problem') throw new Error(`${name}: ${JSON.stringify(solved.problem)}`);
    serialiseBytes(solved.envelope);
  };
  // The code is compiled on the smallest size.
  for (let warm = 0; warm < 3; warm++) run(bodyOf(growth.sizes[0]));
  const body = bodyOf(size);
  const before = process.cpuUsage();
  run(body);
  const { user, system } = process.cpuUsage(before);
  return { size, ms: (user + system) / 1000, mib: process.resourceUsage().maxRSS / 1024 };
}

/** Null where it takes too long. */
function apart(operation: string, which: number, size: number): Measured | null {
  const words = [fileURLToPath(import.meta.url), '--one', operation, String(which), String(size)];
  const run = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: longestMs });
  if (run.status !== 0) process.stderr.write(`${operation} ${size}: ${run.stderr}\n`);
  return run.status === 0 ? JSON.parse(run.stdout) : null;
}

const rounded = (value: number): string => String(Number(value.toPrecision(2)));

/** By how much ten times the size takes longer, in the mean. */
function growthOf(points: readonly Measured[]): string {
  const [least, most] = [points[0], points[points.length - 1]];
  return rounded((most.ms / least.ms) ** (1 / Math.log10(most.size / least.size)));
}

const [first, ...rest] = process.argv.slice(2);
if (first === '--one') {
  process.stdout.write(JSON.stringify(answered(rest[0], Number(rest[1]), Number(rest[2]))));
} else {
  const wanted =
    first === undefined ? growing : growing.filter(({ operation }) => [first, ...rest].includes(operation));
  process.stdout.write(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown'}\n\n`);
  process.stdout.write('| Operation | Largest tried | Seconds | MiB | × 10 takes × |\n|---|---|---|---|---|\n');
  const panels = wanted.map((grown) => {
    const { operation } = grown;
    const lines = growthsOf(grown).map(({ counted, sizes }, which) => ({
      counted,
      points: sizes.map((size) => apart(operation, which, size)).filter((each) => each !== null),
    }));
    const [{ counted, points }, ...others] = lines;
    const most = points[points.length - 1];
    const also = others.map((other) => `, ${other.counted} ${growthOf(other.points)}`).join('');
    const size = `${most.size.toLocaleString('en')} ${counted}`;
    const figures = `${rounded(most.ms / 1000)} | ${most.mib.toFixed(0)} | ${growthOf(points)}${also}`;
    process.stdout.write(`| \`${operation}\` | ${size} | ${figures} |\n`);
    return { operation, lines };
  });
  const picture = new URL('../../docs/pictures/growth.svg', import.meta.url);
  if (first === undefined) writeFileSync(picture, growthPicture(panels));
}
