/**
 * Small requests through the whole service against a bare Fastify POST route with the same plugins, which answers with the
 * same bytes' worth of JSON. Each server is a process of its own; the load comes from here.
 */
import type { Benchmark } from './benchmark.ts';
import { closedLoop } from './service/closed-loop.ts';
import { type ServerProcess, serviceFile, startServer } from './service/server-process.ts';

const requests = 5_000;
/** Warm-up runs: before V8 has compiled all, the first 20,000 requests take twice as long, the next 40,000 10% longer. */
export const warmUps = 20;
/** Measured runs. A shared machine changes its speed within seconds, so both servers get many short runs in turn. */
const measuredRuns = 25;
const connections = 32;
// A cell of Table 1.1 of Liu & Nain.
const body = JSON.stringify({
  crawlerRate: 0.01,
  service: { type: 'exponential', rate: 1 },
  capacity: 10,
  costs: { starvation: 0.1 },
});
let response = '';

const load = (url: string): Promise<void> =>
  closedLoop(new URL(`${url}/v1/crawler-count`), body, connections, requests);

const bareFile = new URL('service/bare-route.ts', import.meta.url);

/** Results of the runs of each server. */
const processorMs: Record<string, number[]> = {};

/** Sends the load to a server and notes its processor time, which varies least on a noisy machine. */
async function measureRun(file: URL): Promise<void> {
  const { url, usedMs } = await server(file);
  const startMs = usedMs(false);
  await load(url);
  processorMs[file.href] = [...(processorMs[file.href] ?? []), usedMs(false) - startMs];
}

/** The clock has steps of 10 ms, too coarse for one run, so processor time is taken over all measured runs. */
const mean = (values: readonly number[] = []): number =>
  values.slice(warmUps).reduce((sum, value) => sum + value, 0) / (values.length - warmUps);

const servers = new Map<string, Promise<ServerProcess>>();
function server(file: URL): Promise<ServerProcess> {
  const started = servers.get(file.href) ?? startServer(file, { RESPONSE: response });
  servers.set(file.href, started);
  return started;
}

export const benchmarks: readonly Benchmark[] = [
  {
    name: `service: ${requests} small crawler-count requests over ${connections} connections, with its log`,
    target: '60% of the throughput of the bare route',
    repetitions: warmUps + measuredRuns,
    async check() {
      const { url } = await server(serviceFile);
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      response = await (await fetch(`${url}/v1/crawler-count`, post)).text();
      const answer: { status?: string; solution?: { crawlers?: number } } = JSON.parse(response);
      if (answer.status !== 'optimal' || answer.solution?.crawlers !== 72) throw new Error(`wrong answer: ${response}`);
    },
    run: () => measureRun(serviceFile),
    baseline: {
      name: "bare Fastify POST route with the same plugins, response and the framework's log",
      run: () => measureRun(bareFile),
    },
    figures() {
      const own = mean(processorMs[serviceFile.href]);
      const bare = mean(processorMs[bareFile.href]);
      return {
        'processor time a request': `${((1000 * own) / requests).toFixed(1)} µs, bare ${((1000 * bare) / requests).toFixed(1)} µs`,
        'throughput a core against the bare route': `${((100 * bare) / own).toFixed(0)}%`,
      };
    },
    async finish() {
      for (const running of servers.values()) await (await running).stop();
    },
  },
];
