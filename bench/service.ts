/**
 * Small requests through the whole service against a bare Fastify POST route that answers with the same bytes' worth of
 * JSON: each server is a process of its own, the load comes from here.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from './benchmark.ts';
import { closedLoop } from './service/closed-loop.ts';

const requests = 20_000;
const connections = 32;
const body = readFileSync(new URL('../examples/crawler-count-table-1.1.json', import.meta.url), 'utf8');

async function start(file: string): Promise<{ process: ChildProcess; url: string }> {
  const server = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', WORKERS: '1' },
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

const servers = new Map<string, Promise<{ process: ChildProcess; url: string }>>();
function server(file: string) {
  const running = servers.get(file) ?? start(file);
  servers.set(file, running);
  return running;
}

export const benchmarks: readonly Benchmark[] = [
  {
    name: `service: ${requests} small crawler-count requests over ${connections} connections, with its log`,
    target: 'at least 75% of the throughput of the bare route',
    async check() {
      const { url } = await server('../src/server.ts');
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      const answer: unknown = await (await fetch(`${url}/v1/crawler-count`, post)).json();
      if (typeof answer !== 'object' || answer === null || !('status' in answer) || answer.status !== 'optimal') {
        throw new Error(`wrong answer: ${JSON.stringify(answer)}`);
      }
    },
    run: async () => load((await server('../src/server.ts')).url),
    baseline: {
      name: 'bare Fastify POST route with the same response and its request log',
      run: async () => load((await server('./service/bare-route.ts')).url),
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
