/** Traps that services like this have fallen into; each was met once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { spawnServer } from './spawned-server.ts';
import { listeningService } from './test-service.ts';

let service: App & { url: string };
beforeAll(async () => {
  service = await listeningService();
});
afterAll(() => service.server.close());

describe('the log', () => {
  it('has the request id, route, status and times, and nothing of the request', async () => {
    const logged = await spawnServer({ API_KEYS: 'a-secret-key' });
    const answer = await fetch(`${logged.url}/v1/crawler-count?validateOnly=false`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'a-secret-key' },
      body: JSON.stringify({ crawlerRate: 1.23456789, service: { type: 'wrong-word' } }),
    });
    expect(answer.status).toBe(422);
    const solved = await fetch(`${logged.url}/v1/crawler-count`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'a-secret-key' },
      body: JSON.stringify({
        crawlerRate: 1,
        service: { type: 'exponential', rate: 2 },
        capacity: 5,
        costs: { starvation: 3 },
      }),
    });
    expect(solved.status).toBe(200);
    logged.process.kill('SIGTERM');
    expect(await logged.exited).toBe(0);
    const lines = logged.log().split('\n');
    const [refusal, answered] = lines.filter((each) => each.includes('"request"')).map((each) => JSON.parse(each));
    expect(refusal).toMatchObject({
      requestId: answer.headers.get('x-request-id'),
      route: '/v1/crawler-count',
      operation: 'crawler-count',
      httpStatus: 422,
    });
    expect(answered).toEqual({
      // as the logger's own lines begin
      ...Object.fromEntries(Object.entries(JSON.parse(lines[0])).slice(0, 4)),
      time: expect.any(Number),
      requestId: solved.headers.get('x-request-id'),
      method: 'POST',
      route: '/v1/crawler-count',
      httpStatus: 200,
      totalMs: expect.any(Number),
      operation: 'crawler-count',
      // on a machine too busy for the event loop's own ten milliseconds a worker has it
      where: expect.stringMatching(/^(inline|worker)$/),
      left: false,
      status: 'optimal',
      solveMs: expect.any(Number),
      queueMs: expect.any(Number),
      gap: 0,
      solver: 'closed-form',
      work: expect.any(Number),
      msg: 'request',
    });
    expect(logged.log()).not.toMatch(/a-secret-key|1\.23456789|wrong-word|validateOnly/);
  });
});
