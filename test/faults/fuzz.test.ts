import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { damage } from '../../scripts/stress/requests.ts';
import { type App, buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { operations } from '../../src/operations/index.ts';
import { exampleRequest } from '../../src/package.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { waitForWorker } from '../service/test-service.ts';

const perOperation = 100;
let app: App;
beforeAll(async () => {
  app = await buildApp(
    readConfig({
      LOG_LEVEL: 'silent',
      WORKERS: '2',
      MAX_WORK: '1e8',
      DEFAULT_TIME_LIMIT_MS: '50000',
      MAX_EVENT_LOOP_DELAY_MS: '0',
      QUEUE_TIMEOUT_MS: '120000',
    }),
  ).then(waitForWorker);
});
afterAll(() => app.server.close());

describe('nonsense is refused, never a fault of the server:', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))('%s', async (name, operation) => {
    const random = seededRandom(20261121);
    const requests = operation.examples.map(exampleRequest);
    for (let i = 0; i < perOperation; i++) {
      const payload = damage(requests[i % requests.length], random);
      const headers = { 'content-type': 'application/json' };
      const response = await app.server.inject({ method: 'POST', url: `/v1/${name}`, headers, payload });
      const exchange = `${payload.slice(0, 1000)} → ${response.statusCode} ${response.body.slice(0, 500)}`;
      expect(response.statusCode, exchange).toBeLessThan(500);
      expect([200, 400, 413, 422], exchange).toContain(response.statusCode);
      if (response.statusCode !== 200) {
        expect(response.body.length, exchange).toBeLessThan(100_000);
        expect(response.headers['content-type'], exchange).toContain('application/problem+json');
        expect(response.body, exchange).not.toMatch(/\.ts:\d|node_modules|\\n {4}at /);
      }
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});
