/** Callers that ask and then do not read: what they are owed does not pile up. */
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { EventStream } from '../../src/routes/event-stream.ts';
import { listeningService, until } from './test-service.ts';

let service: App & { url: string; port: number };
beforeAll(async () => {
  service = await listeningService({ ANSWER_TIMEOUT_MS: '500', IN_FLIGHT_BYTES: '20000000' });
});
afterAll(() => service.server.close());

const connections = (): Promise<number> =>
  new Promise((resolve) => service.server.server.getConnections((_error, count) => resolve(count)));

describe('a large answer that is not read', () => {
  it('is given up, with its connection, and what it held is free again', async () => {
    const count = 400_000;
    const changeRate = Array.from({ length: count }, (_, i) => 0.001 + ((i * 0.618034) % 1));
    const body = JSON.stringify({
      pages: { changeRate },
      accessTime: { type: 'exponential', rate: 1e6 },
      policy: 'randomized',
    });
    const request = `POST /v1/access-frequencies HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
    const socket = connect(service.port, '127.0.0.1');
    socket.pause();
    socket.on('error', () => {});
    socket.write(`${request}Content-Length: ${body.length}\r\n\r\n${body}`);
    await until(() => service.pool.inFlight === 1);
    await until(() => service.pool.inFlight === 0);
    await expect.poll(connections).toBe(0);
    // The same body fits again only if the answer is no longer counted.
    const answer = await fetch(`${service.url}/v1/access-frequencies?validateOnly=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(200);
    socket.destroy();
  });
});

describe('events that are not read', () => {
  it('are left out but for the last: progress does not pile up', async () => {
    const app = Fastify();
    let waiting = 0;
    app.addHook('onSend', async (_request, _reply, payload) => {
      if (payload instanceof Readable) waiting = payload.readableLength;
      return payload;
    });
    app.get('/', (_request, reply) => {
      const events = new EventStream();
      for (let i = 0; i < 100_000; i++) events.progress({ fraction: i / 100_000 });
      events.finish({ kind: 'left', where: 'worker', facts: {} }, 'id');
      return events.sendTo(reply);
    });
    const answer = await app.inject('/');
    expect(answer.payload).toContain('event: progress');
    expect(waiting).toBeLessThan(200_000);
    await app.close();
  });
});
