/**
 * `node scripts/load/load.ts`: mixed small and large requests against the service, and then small ones while every worker is busy.
 * Prints throughput, p50 and p99, and memory. `node scripts/load/load.ts 30` for thirty seconds a phase.
 */
import { arch, cpus } from 'node:os';
import autocannon from 'autocannon';
import { exampleRequests, type LoadRequest, largeRequest, slowRequest } from './requests.ts';
import { startServer } from './server-process.ts';

const seconds = Number(process.argv[2] ?? 10);
const headers = { 'content-type': 'application/json' };

async function phase(title: string, url: string, requests: readonly LoadRequest[], connections: number): Promise<void> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 60,
    requests: requests.map(({ path, body }) => ({ method: 'POST', path, body, headers })),
  });
  const { p50, p99 } = result.latency;
  process.stdout.write(
    `${title}: ${result.requests.average.toFixed(0)} requests/s, p50 ${p50} ms, p99 ${p99} ms, ` +
      `${result['2xx']} answered, ${result['5xx']} shed, ${result['4xx']} refused, ${result.errors} errors\n`,
  );
}

async function small(title: string, url: string, path: string, body?: string): Promise<void> {
  const result = await autocannon({
    url: `${url}${path}`,
    connections: 2,
    duration: seconds,
    ...(body === undefined ? {} : { method: 'POST' as const, body, headers }),
  });
  const { p50, p99 } = result.latency;
  process.stdout.write(`${title}: p50 ${p50} ms, p99 ${p99} ms, ${result['2xx']} answered, ${result.non2xx} refused\n`);
}

/** Keeps every worker busy until told to stop. */
function saturate(url: string, workers: number): () => Promise<void> {
  const stop = new AbortController();
  const loops = Array.from({ length: workers * 2 }, async () => {
    while (!stop.signal.aborted) {
      const { path, body } = slowRequest(20_000);
      await fetch(`${url}${path}`, { method: 'POST', headers, body, signal: stop.signal }).then(
        (response) => response.arrayBuffer(),
        () => undefined,
      );
    }
  });
  return async () => {
    stop.abort();
    await Promise.all(loops);
  };
}

const workers = Number(process.env.WORKERS ?? 2);
const server = await startServer({ WORKERS: String(workers) });
const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
process.stdout.write(
  `Node ${process.version}, ${arch()}, ${cpus().length} cores, ${workers} workers, ${seconds} s a phase\n`,
);
const examples = exampleRequests();
const smallest = examples.filter(({ path }) => path === '/v1/crawler-count');
await phase('small crawler-count', server.url, smallest, 32);
await phase('every example', server.url, examples, 16);
await phase('mixed with 10,000 pages in columns', server.url, [...examples, largeRequest(10_000)], 16);
const release = saturate(server.url, workers);
await new Promise((resolve) => setTimeout(resolve, 500));
await small('GET /health/live while all workers are busy', server.url, '/health/live');
await small('small crawler-count while all workers are busy', server.url, smallest[1].path, smallest[1].body);
await release();
const before = await server.memory();
const million = largeRequest(1_000_000);
const start = performance.now();
const answer = await fetch(`${server.url}${million.path}`, { method: 'POST', headers, body: million.body });
const bytes = (await answer.arrayBuffer()).byteLength;
const elapsed = performance.now() - start;
const after = await server.memory();
process.stdout.write(
  `crawl-allocation of 1,000,000 pages over HTTP: ${answer.status}, ${elapsed.toFixed(0)} ms, ${mebibytes(bytes)} answer; ` +
    `resident ${mebibytes(before.rss)} before, ${mebibytes(after.rss)} after\n`,
);
await server.stop();
