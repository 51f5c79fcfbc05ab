/**
 * `node scripts/torment/torment.ts --minutes 10 [--rounds 300] [--megabytes 100] [--replay FOLDER] [--seed N] [--build] [--wounds FILE
 * [--samples]] [--share 0]`: tries to stall, kill or mislead a real server on the loopback interface, and prints what came of it. Ends
 * with 1 when anything gave way. `--build` starts what `npm run build` made, as an operator does: from its sources the
 * service holds twice as much. `--rounds 0` leaves the large bodies out. `--wounds` keeps what gave way so far and
 * every long turn of the event loop, with `--samples` also what the service was doing in it. `--share .5` uses half a
 * processor in all. What other work on the machine kept waiting is tried again until it can be judged.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { operations } from '../../src/operations/index.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { HostControl } from './host-control.ts';
import { judged, judgePostponed } from './judgement.ts';
import { oddKinds, oddRequest } from './odd-requests.ts';
import { Pace } from './pace.ts';
import { allocation } from './requests/allocations.ts';
import { Adversary, type Attack, attack, newToll, probe } from './search.ts';
import { type Condition, ServerUnderTorment } from './server-under-torment.ts';
import { longestOwnMs, type Stall, stallOf, type Turned, turnRows, untried } from './stalls.ts';

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
    share: { type: 'string', default: '0' },
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

/** Counts the turns since the last time, and returns those that were long. */
function count(turned: Turned, condition: Condition, attacks: readonly Attack[]): readonly Stall[] {
  const stalls = condition.long.map((turn) => stallOf(turn, attacks, control));
  // Of the others nobody will ask what was being asked, and in hours there are many.
  turned.stalls.push(...stalls.map((each) => (each.ownMs[1] < longestStallMs ? { ...each, attacks: [] } : each)));
  turned.longestWallMs = Math.max(turned.longestWallMs, condition.longestWallMs);
  turned.longestProcessorMs = Math.max(turned.longestProcessorMs, condition.longestProcessorMs);
  return stalls;
}

/**
 * Judges turns: a stall is one that was the service's own for sure. Where it may be one, what was asked meanwhile is
 * asked again until its turns can be judged.
 */
async function judgeTurns(stalls: readonly Stall[], attacks: readonly Attack[]): Promise<void> {
  const isJudged = (seen: readonly Stall[]): boolean => {
    const { sure, possible } = longestOwnMs(seen);
    if (sure >= longestStallMs) {
      toll.wounds.push({ kind: 'stall', attack: attacks[0], detail: `a turn of ${sure.toFixed(0)} ms` });
    }
    return possible < longestStallMs || sure >= longestStallMs;
  };
  if (isJudged(stalls)) return;
  await judged(toll, attacks[0], async () => {
    await Promise.all(attacks.map((each) => attack(server, each, newToll())));
    return isJudged(count(searched, await server.condition(), attacks));
  });
}

async function search(minutes: number): Promise<void> {
  const adversary = new Adversary(await document(), random);
  const pace = new Pace(Number(values.share));
  const end = performance.now() + 60_000 * minutes;
  const inFlight = new Set<Attack>();
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      await pace.rest();
      if (random() < oddShare) {
        await oddRequest(oddKinds[Math.floor(random() * oddKinds.length)], { open: server, guarded }, random, toll);
        await server.check();
        continue;
      }
      const next = adversary.next();
      inFlight.add(next);
      let worstMs = 0;
      await judged(toll, next, async (by) => {
        const { overMs, isJudged } = await attack(server, next, toll, by);
        worstMs = Math.max(worstMs, overMs);
        return isJudged;
      });
      await server.check();
      const condition = await server.condition();
      const meanwhile = [next, ...[...inFlight].filter((each) => each !== next)];
      const stalls = count(searched, condition, meanwhile);
      await judgeTurns(stalls, meanwhile);
      adversary.learn(next, worstMs + Math.max(condition.longestProcessorMs, longestOwnMs(stalls).possible));
      inFlight.delete(next);
    }
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  await judgePostponed(toll);
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
    await judgeTurns(count(searched, await server.condition(), [one]), [one]);
    const wounds = toll.wounds.slice(before).map(({ kind, detail }) => `${kind} ${detail}`);
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
    ['kept waiting by other work, and tried again', String(toll.starved)],
    ['never to be judged', wounds('never-judged')],
    ['optimal with a gap', wounds('optimal-with-a-gap')],
    ['value below its bound', wounds('below-its-bound')],
    ['answered without a key', wounds('key-passed')],
    ['forms, repeats or the command line that differ', wounds('forms-differ')],
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

function writeWounds(): void {
  if (values.wounds === undefined) return;
  const { wounds, requests, starved } = toll;
  const minutes = Math.round(performance.now() / 60_000);
  writeFileSync(
    values.wounds,
    JSON.stringify({ minutes, requests, starved, wounds, stalls: searched.stalls }, null, 1),
  );
}

await warmUp();
const writing = setInterval(writeWounds, 10_000);
const probing = setInterval(() => void probe(server, toll), probeEveryMs);
if (values.replay !== undefined) await replay(values.replay);
await search(Number(values.minutes));
clearInterval(probing);
const memory = await allocate(Number(values.rounds), Number(values.megabytes) * 1e6);
process.stdout.write(`${table(memory, await server.workersLost())}\n`);
clearInterval(writing);
writeWounds();
await Promise.all([server.stop(), guarded.stop()]);
control.stop();
const held = toll.wounds.length === 0 && server.lost === 0 && guarded.lost === 0;
process.exit(held ? 0 : 1);
