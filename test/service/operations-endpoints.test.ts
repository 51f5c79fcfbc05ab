import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { readyStatus, sharedService, waitUntil } from './test-service.ts';

const service = await sharedService();

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
    await waitUntil(() => service.pool.inFlight === 1);
    expect(await metrics()).toContain('crawl_optimizer_in_flight 1');
    leaving.abort();
    expect(await left).toBe('left');
    await waitUntil(() => service.pool.inFlight === 0);
    await expect.poll(metrics).toContain('crawl_optimizer_aborted_total{operation="test/spin"} 1');
    const text = await metrics();
    expect(text).toContain('crawl_optimizer_requests_total{operation="test/echo",where="inline",http_status="200"} 1');
    expect(text).toContain('crawl_optimizer_requests_total{operation="test/throw",where="worker",http_status="500"} 1');
    expect(text).toContain('crawl_optimizer_answers_total{operation="test/echo-in-worker",status="evaluated"} 1');
    expect(text).toMatch(/crawl_optimizer_solve_seconds_count\{operation="test\/echo"\} 1/);
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
    expect([limits.bodyBytes, limits.jsonBytes]).toEqual([128 * 1024 * 1024, 64 * 1024 * 1024]);
    expect(limits.timeLimitMs).toEqual({ default: 10_000, maximum: 60_000 });
    for (const { name } of operations) expect(limits.operations[name]).toBeDefined();
    expect(limits.bodies).toEqual({
      mediaTypes: ['application/json', 'application/vnd.apache.arrow.stream'],
      logMediaTypes: expect.arrayContaining(['text/plain']),
      encodings: ['gzip', 'br'],
    });
  });

  it('send a browser from GET / to the console, and a program to the document', async () => {
    for (const [accept, location] of [
      ['text/html,*/*;q=0.8', 'console/'],
      ['*/*', 'openapi.json'],
    ]) {
      const answer = await fetch(`${service.url}/`, { headers: { accept }, redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
      expect(answer.headers.get('vary')).toContain('accept');
    }
  });
});
