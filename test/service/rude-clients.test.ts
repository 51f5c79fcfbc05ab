/** Callers that break off in the middle, send much and go, or never read what they are owed: nothing of them stays. */
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { EventStream } from '../../src/routes/event-stream.ts';
import { openConnection } from './raw-connection.ts';
import { readyStatus, sharedService, waitUntil } from './test-service.ts';

const inFlightBytes = 20_000_000;

const service = await sharedService({
  IN_FLIGHT_BYTES: String(inFlightBytes),
  KEEP_ALIVE_TIMEOUT_MS: '500',
  ANSWER_TIMEOUT_MS: '500',
});

const connections = (): Promise<number> =>
  new Promise((resolve) => service.server.server.getConnections((_error, count) => resolve(count)));

const post = (path: string, body: string): Promise<Response> =>
  fetch(`${service.url}/v1/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

describe('callers that reset their connection in the middle of a body', () => {
  it('leave neither connections nor bytes counted', async () => {
    const head = 'POST /v1/crawl-plan HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
    const announced = inFlightBytes / 10;
    for (let round = 0; round < 3; round++) {
      const sockets = await Promise.all(
        Array.from({ length: 9 }, () =>
          openConnection(service.port, `${head}Content-Length: ${announced}\r\n\r\n{"pages":[`),
        ),
      );
      for (const socket of sockets) socket.resetAndDestroy();
      await expect.poll(connections).toBe(0);
    }
    // A body of nearly IN_FLIGHT_BYTES is read to its end only if no other bytes count as held.
    expect((await post('crawl-plan', ' '.repeat(inFlightBytes - 1000))).status).toBe(400);
    expect(await readyStatus(service.url)).toBe(200);
  });
});

describe('callers that ask for events and never read them', () => {
  it('have their solves ended and their connections closed', async () => {
    const body = JSON.stringify({ value: 20 });
    const request =
      'POST /v1/test/spin HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
    const silent = await Promise.all(Array.from({ length: 10 }, () => openConnection(service.port, request)));
    for (const socket of silent) socket.pause();
    await waitUntil(() => service.pool.inFlight > 0);
    await waitUntil(() => service.pool.inFlight === 0);
    await expect.poll(connections).toBe(0);
    for (const socket of silent) socket.destroy();
  });
});

describe('a large answer that is not read', () => {
  it('is given up, with its connection, and what it held is free again', async () => {
    const count = 400_000;
    const changeRate = Array.from({ length: count }, (_, i) => 0.001 + ((i * 0.618034) % 1));
    const body = JSON.stringify({
      pages: { changeRate },
      accessTime: { type: 'exponential', rate: 1e6 },
      policy: 'randomized',
    });
    const head = 'POST /v1/access-frequencies HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
    const socket = await openConnection(service.port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    socket.pause();
    await waitUntil(() => service.pool.inFlight === 1);
    await waitUntil(() => service.pool.inFlight === 0);
    await expect.poll(connections).toBe(0);
    // The same body is accepted again only if the unread answer no longer counts as held.
    expect((await post('access-frequencies?validateOnly=true', body)).status).toBe(200);
    socket.destroy();
  });
});

describe('events that are not read', () => {
  it('are dropped except the last one, so that progress does not pile up', async () => {
    const app = Fastify();
    let waiting = 0;
    app.addHook('onSend', async (_request, _reply, payload) => {
      if (payload instanceof Readable) waiting = payload.readableLength;
      return payload;
    });
    app.get('/', (_request, reply) => {
      const events = new EventStream();
      for (let i = 0; i < 100_000; i++) events.progress({ fraction: i / 100_000 });
      events.finish({ kind: 'answer', body: '{}', where: 'worker', facts: {} }, 'id');
      return events.sendTo(reply);
    });
    const answer = await app.inject('/');
    expect(answer.payload).toContain('event: progress');
    expect(waiting).toBeLessThan(200_000);
    await app.close();
  });
});
