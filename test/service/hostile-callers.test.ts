/** Callers without a key, or with rubbish after a right request: they hold nothing, and no answer is written into another. */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { exampleRequest } from '../../src/package.ts';
import { openConnection, receiveAll } from './raw-connection.ts';
import { sharedService, waitUntil } from './test-service.ts';

const service = await sharedService({
  API_KEYS: 'sekrit',
  IN_FLIGHT_BYTES: String(2 ** 20),
  BODY_LIMIT_BYTES: String(2 ** 20),
});

const key = { 'x-api-key': 'sekrit', 'content-type': 'application/json' };
const request = JSON.stringify(exampleRequest({ name: 'crawl-plan', summary: '' }));
const keyed = async (): Promise<number> =>
  (await fetch(`${service.url}/v1/crawl-plan`, { method: 'POST', headers: key, body: request })).status;

const head = (line: string, length: number, more = ''): string =>
  `${line} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${more}Content-Length: ${length}\r\n\r\n`;

describe('callers without a key', () => {
  it.each([
    ['announce a body, read their refusal and close', 'POST /v1/crawl-plan', true],
    ['announce a body and send nothing', 'POST /v1/crawl-plan', false],
    ['announce a body for a path that is not served', 'POST /nope', false],
    ['announce a body for another method', 'PUT /v1/crawl-plan', false],
    ['announce a body for a method and a path that are not served', 'PATCH /nope', false],
  ])('that %s take nothing from the others', async (_what, line, closes) => {
    const sockets = await Promise.all(
      Array.from({ length: 9 }, () => openConnection(service.port, head(line, 2 ** 20 - 1))),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    if (closes) for (const socket of sockets) socket.destroy();
    expect(await keyed()).toBe(200);
    for (const socket of sockets) socket.destroy();
    expect(await keyed()).toBe(200);
  });
});

describe('a body that is refused while it arrives', () => {
  const blanks = (count: number): Buffer => Buffer.alloc(count, ' ');

  it.each([
    ['too large', 413, head('POST /v1/crawl-plan', 2 ** 21, 'X-API-Key: sekrit\r\n')],
    ['without a key', 401, head('POST /v1/crawl-plan', 2 ** 21)],
    ['for a path that is not served', 404, head('POST /nope', 2 ** 21)],
  ])('is read to its end, so that its caller sees the answer: %s', async (_what, status, text) => {
    const socket = await openConnection(service.port, text);
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
    });
    await waitUntil(() => received.includes('\r\n\r\n'));
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    socket.write(blanks(2 ** 21));
    socket.end('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    expect(received).toContain('{"status":"live"}');
  });

  it('is answered to a caller that reads only after it has written everything', async () => {
    for (let k = 0; k < 20; k++) {
      const body = ' '.repeat(2 ** 22);
      const refusal = await fetch(`${service.url}/v1/crawl-plan`, { method: 'POST', headers: key, body });
      expect(refusal.status).toBe(413);
      expect(Object(await refusal.json()).type).toContain('too-large');
    }
  });

  it('is not read without end', async () => {
    const socket = await openConnection(service.port, head('POST /v1/crawl-plan', 2 ** 40));
    const more = (): boolean => socket.write(blanks(2 ** 18), (error) => error == null && more());
    more();
    await waitUntil(() => socket.closed);
    // The service reads four times the largest body; the kernel buffers of both ends hold the rest of the bytes.
    expect(socket.bytesWritten).toBeLessThan(2 ** 26);
    expect(await keyed()).toBe(200);
  });
});

describe('a valid request followed by garbage', () => {
  const right = (path: string, body: string, more = ''): string =>
    head(`POST /v1/${path}`, Buffer.byteLength(body), `X-API-Key: sekrit\r\n${more}`) + body;
  const events = 'Accept: text/event-stream\r\n';

  it.each(['', events])('gets no other answer than its own, nor a status line among its events: %j', async (more) => {
    const socket = await openConnection(service.port, right('test/spin', '{"value":60000}', more));
    const received = receiveAll(socket);
    await waitUntil(() => service.pool.running === 1);
    socket.write('GARBAGE\r\n\r\n');
    const text = await received;
    expect(text).toMatch(more === '' ? /^$/ : /^HTTP\/1\.1 200 /);
    expect(text).not.toContain('400');
    expect(await keyed()).toBe(200);
  });
});
