import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { smallRequest } from './small-and-large.ts';
import { spawnServer } from './spawned-server.ts';
import { listeningService, waitUntil } from './test-service.ts';

const body = (value: number) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ value }),
});

/** A request whose headers the service has read: it has answered `100 Continue`, and the body may come. */
async function acceptedRequest(url: string): Promise<ClientRequest> {
  const accepted = request(`${url}${smallRequest.path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(smallRequest.body),
      expect: '100-continue',
    },
  });
  accepted.flushHeaders();
  await once(accepted, 'continue');
  return accepted;
}

describe('draining', () => {
  it('fails readiness first, finishes what was accepted, and then closes the port', async () => {
    const service = await listeningService();
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    let answerCount = 0;
    const accepted = [1, 2, 3, 4].map(async () => {
      const response = await fetch(`${service.url}/v1/test/spin`, body(400));
      answerCount++;
      return response;
    });
    await waitUntil(() => service.pool.inFlight + answerCount === 4);
    service.startDraining();
    const ready = await fetch(`${service.url}/health/ready`);
    expect(ready.status).toBe(503);
    expect(ready.headers.get('retry-after')).toBe('1');
    expect((await fetch(`${service.url}/v1/test/echo`, body(1))).status).toBe(200);
    const drained = service.server.close();
    const answers = await Promise.all(accepted);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await drained;
    await expect(fetch(`${service.url}/health/live`)).rejects.toThrow();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('on %s loses no accepted request and exits with 0', async (signal) => {
    const { url, process: server, exited, log } = await spawnServer({ DRAIN_DELAY_MS: '10' });
    const requests = await Promise.all(Array.from({ length: 50 }, () => acceptedRequest(url)));
    server.kill(signal);
    await expect.poll(log).toContain('"msg":"draining"');
    const statuses = requests.map(async (waiting) => {
      waiting.end(smallRequest.body);
      const [response] = await once(waiting, 'response');
      response.resume();
      return response.statusCode;
    });
    expect(await Promise.all(statuses)).toEqual(new Array(50).fill(200));
    expect(await exited).toBe(0);
  });
});
