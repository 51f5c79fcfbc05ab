/**
 * The short form of `node scripts/torment/torment.ts`: a few seconds of the search, and a few requests that once stalled the service.
 */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oddKinds, oddRequest } from '../../scripts/torment/odd-requests.ts';
import { allocation } from '../../scripts/torment/requests/allocations.ts';
import { Adversary, type Attack, attack, newToll } from '../../scripts/torment/search.ts';
import { ServerUnderTorment } from '../../scripts/torment/server-under-torment.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { timed } from '../timed.ts';

/** A turn of the event loop, in its own processor time: what other processes take does not count. */
const longestTurnMs = 50;
const server = new ServerUnderTorment({ WORKERS: '1', QUICK_WORKER: 'false', DEFAULT_TIME_LIMIT_MS: '60000' });
let document: Record<string, unknown>;

beforeAll(async () => {
  await server.start();
  document = JSON.parse(await (await fetch(`${server.url}/openapi.json`)).text());
  await attack(server, { operation: 'crawler-count', body: '{}' }, newToll());
  await server.condition();
});
afterAll(() => server.stop());

const once: readonly (Attack & { readonly name: string })[] = [
  {
    name: 'eight pages and a Weibull access time of shape .007',
    operation: 'access-frequencies',
    body: '{"pages":{"changeRate":[1.2,2.1,18494,1.4,2.3e90,0.38,0.41,2.5]},"accessTime":{"type":"weibull","shape":0.007,"scale":0.66},"policy":"randomized","options":{"timeLimitMs":500}}',
  },
  {
    name: 'a weight of 1e15 where crawlers are searched for',
    operation: 'activation-policy',
    body: '{"capacity":10,"crawlerRate":3053,"service":1,"costs":{"starvation":1e15},"options":{"timeLimitMs":500}}',
  },
  {
    name: 'five million crawls for three pages',
    operation: 'crawl-plan',
    body: '{"interval":86400,"crawls":5000000,"pages":[{"changeRate":1},{"changeRate":2},{"changeRate":3}],"options":{"timeLimitMs":500}}',
  },
  {
    name: 'a service time near to never ending',
    operation: 'simulations/queue',
    body: '{"capacity":2,"duration":10,"replications":2,"arrivals":{"model":"scaled","matrices":[[[-1]],[[1]]],"factors":[1]},"service":{"type":"phase-type","initial":[1,0],"generator":[[-1e9,1e9],[1e9,-1000000000.01]]},"obsolescence":null,"evaluate":{"thresholds":[]},"options":{"timeLimitMs":100}}',
  },
];

describe('no request stalls the service:', timed, () => {
  it.each(once)('$name', async (one) => {
    const toll = newToll();
    await server.condition();
    await attack(server, one, toll);
    expect((await server.condition()).longestProcessorMs).toBeLessThan(longestTurnMs);
    expect(toll.wounds.filter(({ kind }) => kind !== 'overtime')).toEqual([]);
    expect(await server.check()).toBe(true);
  });

  it('a small compressed body of many lines that are all blanks', async () => {
    // One line that does not compress keeps the body below the ratio at which it is refused as a bomb.
    const words = Array.from({ length: 20_000 }, seededRandom(1)).join('');
    const body = gzipSync(`"${words}"\n${`${' '.repeat(999)}\n`.repeat(25_000)}`);
    expect(body.length).toBeLessThan(256 * 1024);
    await server.condition();
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    const init = { method: 'POST', headers, body: new Uint8Array(body) };
    const answered = await fetch(`${server.url}/v1/crawler-count`, init);
    expect((await answered.text()).trim().split('\n')).toHaveLength(1);
    expect(answered.status).toBe(200);
    expect((await server.condition()).longestProcessorMs).toBeLessThan(longestTurnMs);
  });

  it('whatever a search of a few seconds finds', async () => {
    const adversary = new Adversary(document, seededRandom(20261122));
    const toll = newToll();
    const end = performance.now() + 4000;
    while (performance.now() < end || toll.requests < 10) {
      const next = adversary.next();
      const { overMs } = await attack(server, next, toll);
      const { longestProcessorMs } = await server.condition();
      adversary.learn(next, overMs + longestProcessorMs);
      expect(longestProcessorMs, `${next.operation} ${next.body.slice(0, 1000)}`).toBeLessThan(longestTurnMs);
    }
    expect(toll.wounds.filter(({ kind }) => kind === 'no-answer')).toEqual([]);
    expect(await server.check()).toBe(true);
  });
});

describe('no odd request gets what it should not:', timed, () => {
  const guarded = new ServerUnderTorment({ WORKERS: '1', QUICK_WORKER: 'false', API_KEYS: 'known' });
  beforeAll(() => guarded.start());
  afterAll(() => guarded.stop());

  it.each(oddKinds)('%s', async (kind) => {
    const toll = newToll();
    const random = seededRandom(32);
    for (let i = 0; i < 3; i++) await oddRequest(kind, { open: server, guarded }, random, toll);
    expect(toll.wounds.filter(({ kind: of }) => of !== 'overtime')).toEqual([]);
    expect([server.lost, guarded.lost]).toEqual([0, 0]);
  });
});

describe('no body takes the service with it:', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('pattern %d of ten megabytes', async (pattern) => {
    const { operation, body } = allocation(pattern, 1e7, seededRandom(pattern));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/v1/${operation}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    expect([400, 413, 422]).toContain(response.status);
    await response.text();
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
    expect(await server.check()).toBe(true);
  });
});
