/**
 * Small requests through the whole service against a bare Fastify POST route that answers with the same bytes' worth of
 * JSON. Each server is a process of its own; the load comes from here.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './benchmark.ts';
import { closedLoop } from './service/closed-loop.ts';

const requests = 5_000;
/** Runs after which a server is compiled: the first 20,000 requests take twice as long, those up to 60,000 a tenth more. */
export const warmUps = 20;
/** Runs that are measured. The machine changes within seconds: many short ones in turn meet the same on both sides. */
export const measuredRuns = 25;
const connections = 32;
// A cell of Table 1.1 of Liu & Nain.
const body = JSON.stringify({
  crawlerRate: 0.01,
  service: { type: 'exponential', rate: 1 },
  capacity: 10,
  costs: { starvation: 0.1 },
});
let response = '';

async function start(file: string): Promise<{ process: ChildProcess; url: string }> {
  const server = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', WORKERS: '1', RESPONSE: response },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  server.stdout.on('data', (chunk: Buffer) => {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(chunk.toString())?.[0];
    if (found) resolve(found);
  });
  return { process: server, url: await promise };
}

const load = (url: string): Promise<void> =>
  closedLoop(new URL(`${url}/v1/crawler-count`), body, connections, requests);

/** Processor time a process has used, in milliseconds (Linux only; NaN elsewhere). */
function processorMs(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

/** Of each server's runs. */
const used: Record<string, number[]> = {};

/** Load on the server of this file, and the processor time it took there: what a noisy machine disturbs least. */
async function measured(file: string): Promise<void> {
  const { url, process: child } = await server(file);
  const before = processorMs(child.pid);
  await load(url);
  used[file] = [...(used[file] ?? []), processorMs(child.pid) - before];
}

/** A clock that counts in steps of 10 ms says little of one run, and enough of all that came after the warm-ups. */
const mean = (values: readonly number[] = []): number =>
  values.slice(warmUps).reduce((sum, value) => sum + value, 0) / (values.length - warmUps);

const servers = new Map<string, Promise<{ process: ChildProcess; url: string }>>();
function server(file: string) {
  const running = servers.get(file) ?? start(file);
  servers.set(file, running);
  return running;
}

export const benchmarks: readonly Benchmark[] = [
  {
    name: `service: ${requests} small crawler-count requests over ${connections} connections, with its log`,
    target: 'the throughput of the bare route',
    repetitions: warmUps + measuredRuns,
    async check() {
      const { url } = await server('../src/server.ts');
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      response = await (await fetch(`${url}/v1/crawler-count`, post)).text();
      const answer: { status?: string; solution?: { crawlers?: number } } = JSON.parse(response);
      if (answer.status !== 'optimal' || answer.solution?.crawlers !== 72) throw new Error(`wrong answer: ${response}`);
    },
    run: () => measured('../src/server.ts'),
    baseline: {
      name: 'bare Fastify POST route with the same response and its request log',
      run: () => measured('./service/bare-route.ts'),
    },
    figures() {
      const own = mean(used['../src/server.ts']);
      const bare = mean(used['./service/bare-route.ts']);
      return {
        'processor time a request': `${((1000 * own) / requests).toFixed(1)} µs, bare ${((1000 * bare) / requests).toFixed(1)} µs`,
        'throughput a core against the bare route': `${((100 * bare) / own).toFixed(0)}%`,
      };
    },
    async finish() {
      for (const running of servers.values()) {
        const { process: child } = await running;
        child.kill();
        await once(child, 'exit');
      }
    },
  },
];
