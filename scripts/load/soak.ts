/**
 * `node scripts/load/soak.ts [MINUTES] [REQUESTS A SECOND]`: mixed load, for ten minutes and as fast as it goes unless said
 * otherwise (`-- 60 60` for an hour at sixty requests a second). The heap of the service after collection must stay
 * flat within 5% between the first and the last quarter. What its processes hold together is said beside it: pages of
 * memory that a solve has left come and go with the last large request.
 */
import autocannon from 'autocannon';
import { exampleRequests, largeRequest, smallRequest } from './requests.ts';
import { startServer } from './server-process.ts';

const minutes = Number(process.argv[2] ?? 10);
const requestsPerSecond = process.argv[3] === undefined ? {} : { overallRate: Number(process.argv[3]) };
const rounds = 20;
const largestGrowth = 0.05;
const headers = { 'content-type': 'application/json' };
/** After every request of the mix come so many of the smallest: it is their number that would show a leak soonest. */
const smallAfterEach = 19;
const mix = [...exampleRequests(), largeRequest(10_000)];
const requests = mix
  .flatMap((each) => [each, ...Array.from({ length: smallAfterEach }, () => smallRequest)])
  .map(({ path, body }) => ({ method: 'POST' as const, path, body, headers }));
const connections = 12;
let connected = 0;
/** Every connection begins at a place of its own: otherwise all ask the slowest question at once. */
const setupClient = (client: autocannon.Client): void => {
  const first = (1 + smallAfterEach) * Math.floor((mix.length * (connected++ % connections)) / connections);
  client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
};
const server = await startServer({ WORKERS: '2' });
const heaps: number[] = [];
const residents: number[] = [];
let served = 0;
let failed = 0;
/** What failed, by its status; `timeouts` had no answer, and `errors` no connection. */
const failures = new Map<string, number>();
/** Longer than a machine with other work keeps an answer waiting. */
const patienceSeconds = 300;
/** Answered 503 or 504: a machine with other work on it has too little time for all requests. */
let refused = 0;
for (let round = 0; round < rounds; round++) {
  const duration = Math.max(1, Math.round((minutes * 60) / rounds));
  const load = {
    url: server.url,
    connections,
    duration,
    timeout: patienceSeconds,
    requests,
    setupClient,
    ...requestsPerSecond,
  };
  const result = await autocannon(load);
  served += result['2xx'];
  const { '503': shed, '504': late } = result.statusCodeStats ?? {};
  const busy = (shed?.count ?? 0) + (late?.count ?? 0);
  refused += busy;
  failed += result.errors + result['4xx'] + result['5xx'] - busy;
  const others = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]): [string, number] => [
    status,
    count ?? 0,
  ]);
  const unanswered: [string, number][] = [
    ['timeouts', result.timeouts],
    ['errors', result.errors - result.timeouts],
  ];
  for (const [what, count] of [...others, ...unanswered]) {
    if (count > 0 && !/^2|^503|^504/.test(what)) failures.set(what, (failures.get(what) ?? 0) + count);
  }
  const { heapUsed, rss, workersRss, inFlight } = await server.memory();
  heaps.push(heapUsed);
  residents.push(rss + workersRss);
  const mebibytes = (bytes: number, digits: number): string => `${(bytes / 2 ** 20).toFixed(digits)} MiB`;
  process.stdout.write(
    `round ${round + 1}: ${mebibytes(heapUsed, 2)} heap, ${mebibytes(rss, 0)} resident, ` +
      `${mebibytes(workersRss, 0)} in workers, ${inFlight} in flight, ${served} served, ${refused} out of time, ` +
      `${failed} failed${[...failures].map(([what, count]) => `, ${what}: ${count}`).join('')}\n`,
  );
}
await server.stop();

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
/** The last quarter beside the first. The first round compiles and fills caches; it is part of neither. */
const growth = (values: readonly number[]): number =>
  mean(values.slice(-rounds / 4)) / mean(values.slice(1, 1 + rounds / 4)) - 1;
const percent = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(2)}%`;
process.stdout.write(
  `last quarter against first: heap after collection ${percent(growth(heaps))}, ` +
    `resident memory of all processes ${percent(growth(residents))}\n`,
);
if (growth(heaps) > largestGrowth || failed > 0) process.exit(1);
