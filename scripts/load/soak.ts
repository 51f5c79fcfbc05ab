/**
 * `npm run soak`: ten minutes of mixed load; the heap of the main thread after collection must stay flat within 5%
 * between the first and the last quarter. `npm run soak -- 2` for two minutes, `-- 60` for an hour.
 */
import autocannon from 'autocannon';
import { exampleRequests, largeRequest } from './requests.ts';
import { startServer } from './server-process.ts';

const minutes = Number(process.argv[2] ?? 10);
const rounds = 20;
const headers = { 'content-type': 'application/json' };
const requests = [...exampleRequests(), largeRequest(10_000)].map(({ path, body }) => ({
  method: 'POST' as const,
  path,
  body,
  headers,
}));
const server = await startServer({ WORKERS: '2' });
const heaps: number[] = [];
let served = 0;
let failed = 0;
/** Answered 503 or 504: a machine with other work on it has too little time for all requests. */
let refused = 0;
for (let round = 0; round < rounds; round++) {
  const duration = Math.max(1, Math.round((minutes * 60) / rounds));
  const result = await autocannon({ url: server.url, connections: 12, duration, timeout: 60, requests });
  served += result['2xx'];
  const { '503': shed, '504': late } = result.statusCodeStats ?? {};
  const busy = (shed?.count ?? 0) + (late?.count ?? 0);
  refused += busy;
  failed += result.errors + result['4xx'] + result['5xx'] - busy;
  const { heapUsed, rss, inFlight } = await server.memory();
  heaps.push(heapUsed);
  process.stdout.write(
    `round ${round + 1}: ${(heapUsed / 2 ** 20).toFixed(2)} MiB heap, ${(rss / 2 ** 20).toFixed(0)} MiB resident, ${inFlight} in flight, ${served} served, ${refused} out of time, ${failed} failed\n`,
  );
}
await server.stop();
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
// The first round compiles and fills caches; it is not part of either quarter.
const early = mean(heaps.slice(1, 1 + rounds / 4));
const late = mean(heaps.slice(-rounds / 4));
const growth = late / early - 1;
process.stdout.write(`heap after collection, last quarter against first: ${(100 * growth).toFixed(2)}%\n`);
if (growth > 0.05 || failed > 0) process.exit(1);
