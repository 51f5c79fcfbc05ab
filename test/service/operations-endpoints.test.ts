import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { operations } from '../../src/operations/index.ts';
import { listeningService, readyStatus, until } from './test-service.ts';

let service: App & { url: string };
beforeAll(async () => {
  service = await listeningService();
});
afterAll(() => service.server.close());

const post = (operation: string, value: number, signal?: AbortSignal) =>
  fetch(`${service.url}/v1/test/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ value }),
    ...(signal && { signal }),
  });
const metrics = async () => (await fetch(`${service.url}/metrics`)).text();

describe('the metrics', () => {
  it('count requests, answers, times and callers that left, by operation, and the gauges return to zero', async () => {
    await post('echo', 1);
    await post('echo-in-worker', 1);
    await post('throw', 1);
    const leaving = new AbortController();
    const left = post('spin', 60_000, leaving.signal).catch(() => 'left');
    await until(() => service.pool.inFlight === 1);
    expect(await metrics()).toContain('crawl_optimizer_in_flight 1');
    leaving.abort();
    expect(await left).toBe('left');
    await until(() => service.pool.inFlight === 0);
    await expect.poll(metrics).toContain('crawl_optimizer_aborted_total{operation="test/spin"} 1');
    const text = await metrics();
    expect(text).toContain('crawl_optimizer_requests_total{operation="test/echo",where="inline",http_status="200"} 1');
    expect(text).toContain('crawl_optimizer_requests_total{operation="test/throw",where="worker",http_status="500"} 1');
    expect(text).toContain('crawl_optimizer_answers_total{operation="test/echo-in-worker",status="evaluated"} 1');
    expect(text).toMatch(/crawl_optimizer_solve_seconds_count\{operation="test\/echo"\} 1/);
    const buckets = [...text.matchAll(/solve_seconds_bucket\{le="([^"]+)",operation="test\/echo"\} (\d+)\n/g)];
    expect(buckets.map(([, bound]) => bound)).toEqual(expect.arrayContaining(['0.0005', '0.25', '60', '+Inf']));
    // up to each bound, so that none is fewer than the one before
    expect(buckets.map(([, , count]) => Number(count))).toEqual(buckets.map(([, , count]) => Number(count)).sort());
    expect(buckets.at(-1)?.[2]).toBe('1');
    expect(text).toMatch(/crawl_optimizer_queue_seconds_count\{operation="test\/echo-in-worker"\} 1/);
    expect(text).toContain('crawl_optimizer_in_flight 0');
    expect(text).toContain('crawl_optimizer_queue_depth 0');
  });
});

describe('the service endpoints', () => {
  it('say that it lives and is ready', async () => {
    expect(await (await fetch(`${service.url}/health/live`)).json()).toEqual({ status: 'live' });
    expect(await readyStatus(service.url)).toBe(200);
    expect(await (await fetch(`${service.url}/health/ready`)).json()).toEqual({ status: 'ready' });
  });

  it('publish the limits of every operation', async () => {
    const { body: limits } = await supertest(service.url).get('/v1/limits');
    expect(limits.bodyBytes).toBe(128 * 1024 * 1024);
    expect(limits.timeLimitMs).toEqual({ default: 10_000, maximum: 60_000 });
    for (const { name } of operations) expect(limits.operations[name]).toBeDefined();
  });

  it('serve the OpenAPI document and Swagger UI', async () => {
    const { body: document } = await supertest(service.url).get('/openapi.json');
    expect(document.openapi).toMatch(/^3\.1/);
    for (const { name } of operations) {
      const { post: documented } = document.paths[`/v1/${name}`];
      expect(documented.operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(Object.keys(documented.requestBody.content['application/json'].examples).length).toBeGreaterThanOrEqual(2);
      expect(Object.keys(documented.responses)).toEqual(
        expect.arrayContaining(['200', '400', '413', '415', '422', '503', '504']),
      );
    }
    const docs = await fetch(`${service.url}/docs`);
    expect(docs.status).toBe(200);
    expect(await docs.text()).toContain('swagger-ui');
  });
});
