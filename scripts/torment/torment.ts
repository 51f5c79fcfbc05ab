/**
 * `npm run torment -- --minutes 10 [--rounds 300] [--megabytes 100] [--replay FOLDER] [--seed N] [--build] [--wounds FILE
 * [--samples]]`: tries to stall, kill or mislead a real server on the loopback interface, and prints what came of it. Ends
 * with 1 when anything gave way. `--build` starts what `npm run build` made, as an operator does: from its sources the
 * service holds twice as much. `--rounds 0` leaves the large bodies out; `--wounds` writes down what gave way and every
 * long turn of the event loop, with `--samples` also what the service was doing in it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { operations } from '../../src/operations/index.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { HostControl } from './host-control.ts';
import { oddKinds, oddRequest } from './odd-requests.ts';
import { allocation } from './requests/allocations.ts';
import { Adversary, type Attack, attack, newToll, probe } from './search.ts';
import { type Condition, ServerUnderTorment } from './server-under-torment.ts';
import { longestOwnMs, stallOf, type Turned, turnRows, untried } from './stalls.ts';

/** With any body of up to 256 KiB the event loop must not stand still for longer. */
const longestStallMs = 50;
const probeEveryMs = 20;
const atATime = 2;
/** How many of the requests are odd ones (odd-requests.ts). */
const oddShare = 0.2;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '300' },
    megabytes: { type: 'string', default: '100' },
    replay: { type: 'string' },
    seed: { type: 'string', default: '20261122' },
    wounds: { type: 'string' },
    samples: { type: 'boolean', default: false },
    build: { type: 'boolean', default: false },
  },
});

const control = new HostControl();
control.start();
const server = new ServerUnderTorment(
  { WORKERS: String(atATime), TORMENT_SAMPLES: String(values.samples) },
  { build: values.build, control },
);
const guarded = new ServerUnderTorment({
  WORKERS: '1',
  QUICK_WORKER: 'false',
  API_KEYS: 'known',
  RATE_LIMIT_PER_MINUTE: '0',
});
await Promise.all([server.start(), guarded.start()]);
const toll = newToll();
/** Long turns and the longest of all, in the search and among the large bodies. */
const searched = untried();
const random = seededRandom(Number(values.seed));

/** Warms the server up: compiling is not what is looked for. */
async function warmUp(): Promise<void> {
  const adversary = new Adversary(await document(), random);
  for (let i = 0; i < 100; i++) await attack(server, adversary.next(), newToll());
  for (let i = 0; i < 50; i++) await probe(server, newToll());
  await server.condition();
}

async function document(): Promise<Record<string, unknown>> {
  const text = await (await fetch(`${server.url}/openapi.json`)).text();
  const parsed: Record<string, unknown> = JSON.parse(text);
  return parsed;
}

/** Counts the turns since the last time, and returns how long the longest was by the service's own doing. */
function count(turned: Turned, condition: Condition, attacks: readonly Attack[]): number {
  const stalls = condition.long.map((turn) => stallOf(turn, attacks, control));
  turned.stalls.push(...stalls);
  turned.longestWallMs = Math.max(turned.longestWallMs, condition.longestWallMs);
  turned.longestProcessorMs = Math.max(turned.longestProcessorMs, condition.longestProcessorMs);
  return stalls.length > 0 ? longestOwnMs(stalls).possible : condition.longestProcessorMs;
}

async function search(minutes: number): Promise<void> {
  const adversary = new Adversary(await document(), random);
  const end = performance.now() + 60_000 * minutes;
  const inFlight = new Set<Attack>();
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      if (random() < oddShare) {
        await oddRequest(oddKinds[Math.floor(random() * oddKinds.length)], { open: server, guarded }, random, toll);
        await server.check();
        continue;
      }
      const next = adversary.next();
      inFlight.add(next);
      const over = await attack(server, next, toll);
      await server.check();
      adversary.learn(next, over + count(searched, await server.condition(), [...inFlight]));
      inFlight.delete(next);
    }
  };
  await Promise.all(Array.from({ length: atATime }, lane));
}

/** Sends every request of a folder once; a file is named KIND-operation-number.json, `/` written `_`. */
async function replay(folder: string): Promise<void> {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const name = basename(file).replaceAll('_', '/');
    const operation = operations.find((each) => name.includes(`-${each.name}-`));
    if (operation === undefined) continue;
    const one: Attack = { operation: operation.name, body: readFileSync(join(folder, file), 'utf8') };
    const before = toll.wounds.length;
    await attack(server, one, toll);
    await server.check();
    const stall = count(searched, await server.condition(), [one]);
    const wounds = toll.wounds.slice(before).map(({ kind, detail }) => `${kind} ${detail}`);
    if (stall > longestStallMs) wounds.push(`stall of ${stall.toFixed(0)} ms`);
    if (wounds.length > 0) process.stdout.write(`${file}: ${wounds.join('; ')}\n`);
  }
}

/** What rounds of large bodies took: resident memory at most and thirty seconds after, and the turns. */
interface Allocated {
  readonly done: number;
  readonly peak: number;
  readonly after: number;
  readonly turned: Turned;
}

async function allocate(rounds: number, bytes: number): Promise<Allocated> {
  let peak = 0;
  const turned = untried();
  for (let round = 0; round < rounds; round++) {
    const { operation, body } = allocation(round, bytes, random);
    const headers = { 'content-type': 'application/json' };
    await fetch(`${server.url}/v1/${operation}`, { method: 'POST', headers, body: new Uint8Array(body) }).then(
      (response) => response.text(),
      () => '',
    );
    await server.check();
    const condition = await server.condition();
    peak = Math.max(peak, condition.residentBytes);
    count(turned, condition, [{ operation, body: body.toString('latin1', 0, 100) }]);
  }
  if (rounds > 0) await new Promise((resolve) => setTimeout(resolve, 30_000));
  return { done: rounds, peak, turned, after: (await server.condition()).residentBytes };
}

type Row = readonly [what: string, figure: string];

const milliseconds = (value: number): string => `${value.toFixed(1)} ms`;

function memoryRows({ done, turned, peak, after }: Allocated): Row[] {
  const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  if (done === 0) return [];
  return [
    ['rounds of large bodies', String(done)],
    ...turnRows(turned, longestStallMs).map(([what, figure]): Row => [`among them: ${what}`, figure]),
    ['resident memory of the service, most / 30 s after', `${mebibytes(peak)} / ${mebibytes(after)}`],
  ];
}

function table(memory: Allocated, workersLost: number): string {
  const wounds = (kind: string): string => String(toll.wounds.filter((wound) => wound.kind === kind).length);
  const paused = control.summary();
  const rows: readonly Row[] = [
    ['requests', String(toll.requests)],
    ['answers / refusals / time limits (504)', `${toll.answers} / ${toll.refusals} / ${toll.timeLimits}`],
    ['5xx other than 504', wounds('5xx')],
    ['no answer', wounds('no-answer')],
    ['overtime: later than 1.1 × limit + 1 s', wounds('overtime')],
    ['late, and without a processor for longer than that', wounds('starved')],
    ['optimal with a gap', wounds('optimal-with-a-gap')],
    ['value below its bound', wounds('below-its-bound')],
    ['answered without a key', wounds('key-passed')],
    ['forms, repeats or the command line that differ', wounds('forms-differ')],
    ['repairs that do not repair', wounds('repair-fails')],
    ...turnRows(searched, longestStallMs),
    ['longest wait for GET /health/live', milliseconds(toll.longestProbeMs)],
    ['the service lost', String(server.lost)],
    ['worker processes lost', String(workersLost)],
    ...memoryRows(memory),
    [
      'the host ran no processor of this machine for, longest at once',
      control.works ? `${(paused.totalMs / 1000).toFixed(1)} s, ${milliseconds(paused.longestMs)}` : 'not known',
    ],
  ];
  return ['| What | Figure |', '|---|---|', ...rows.map(([what, figure]) => `| ${what} | ${figure} |`)].join('\n');
}

await warmUp();
const probing = setInterval(() => void probe(server, toll), probeEveryMs);
if (values.replay !== undefined) await replay(values.replay);
await search(Number(values.minutes));
clearInterval(probing);
const memory = await allocate(Number(values.rounds), Number(values.megabytes) * 1e6);
process.stdout.write(`${table(memory, await server.workersLost())}\n`);
const stalls = [...searched.stalls, ...memory.turned.stalls];
if (values.wounds !== undefined) {
  writeFileSync(values.wounds, JSON.stringify({ stalls, wounds: toll.wounds }, null, 1));
}
await Promise.all([server.stop(), guarded.stop()]);
control.stop();
const held =
  toll.wounds.every(({ kind }) => kind === 'starved') &&
  server.lost === 0 &&
  guarded.lost === 0 &&
  longestOwnMs(searched.stalls).possible < longestStallMs;
process.exit(held ? 0 : 1);
