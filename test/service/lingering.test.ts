/** Callers that are refused while they are still sending: they can send it all, and then read why. */
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { isStillSending, LingeringAnswer, whenSettled } from '../../src/http/bodies/lingering.ts';
import { listeningService } from './test-service.ts';

const bodyLimitBytes = 400_000;
const chunk = Buffer.alloc(20_000, ' ');
const chunks = 25;
const announced = `Content-Length: ${chunks * chunk.length}`;

let service: App & { url: string; port: number };
beforeAll(async () => {
  service = await listeningService({
    WORKERS: '1',
    BODY_LIMIT_BYTES: String(bodyLimitBytes),
    IN_FLIGHT_BYTES: '500000',
    API_KEYS: 'secret-of-sixteen-letters',
  });
});
afterAll(() => service.server.close());

interface Refusal {
  readonly name: string;
  readonly headers: readonly string[];
  readonly status: number;
}

const key = 'X-API-Key: secret-of-sixteen-letters';
const json = 'Content-Type: application/json';
const accepted = `Content-Length: ${bodyLimitBytes}`;

const refusals: readonly Refusal[] = [
  { name: 'a body announced above the limit', headers: [key, json, announced], status: 413 },
  {
    name: 'the same on a connection for one request',
    headers: [key, json, announced, 'Connection: close'],
    status: 413,
  },
  { name: 'no key', headers: [json, accepted], status: 401 },
  { name: 'another type', headers: [key, 'Content-Type: image/png', accepted], status: 415 },
  { name: 'another encoding', headers: [key, json, 'Content-Encoding: rot13', accepted], status: 415 },
  { name: 'no gzip in what should be', headers: [key, json, 'Content-Encoding: gzip', accepted], status: 400 },
];

/** Opens a connection, sends a head and one chunk, and waits for the answer to arrive, which is not read. */
async function refused(headers: readonly string[]): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`POST /v1/crawl-plan HTTP/1.1\r\nHost: a\r\n${headers.join('\r\n')}\r\n\r\n`);
  socket.write(chunk);
  await once(socket, 'readable');
  return socket;
}

/** Sends the rest in small pieces, waiting for each to leave, and then reads to the end. */
async function sendRestAndRead(socket: Socket, rest: number): Promise<string> {
  for (let sent = 0; sent < rest; sent++) {
    await new Promise<void>((resolve, reject) => {
      socket.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  }
  let text = '';
  for await (const piece of socket) text += String(piece);
  return text;
}

describe('a caller that reads only when it has sent everything learns', () => {
  it.each(refusals)('of $name', async ({ headers, status }) => {
    const length = headers.includes(announced) ? chunks : bodyLimitBytes / chunk.length;
    const answer = await sendRestAndRead(await refused(headers), length - 1);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.split('\r\n\r\n')[1])).toMatchObject({ status });
  });
});

describe('a body that is refused', () => {
  it('counts no more among those held, though it still comes', async () => {
    const socket = await refused([key, 'Content-Type: image/png', accepted]);
    const response = await fetch(`${service.url}/v1/crawl-plan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'secret-of-sixteen-letters' },
      body: ' '.repeat(bodyLimitBytes),
    });
    expect(response.status).toBe(400);
    await response.text();
    socket.destroy();
  });
});

describe('patience with what still comes', () => {
  const patience = { bytes: 1000, idleMs: 60_000, totalMs: 60_000 };
  const message = (): IncomingMessage => new IncomingMessage(new Socket());
  const answerTo = (request: IncomingMessage, limits = patience): LingeringAnswer =>
    new LingeringAnswer('no', request, new ServerResponse(request), limits);
  const textOf = async (answer: LingeringAnswer): Promise<string> => {
    let text = '';
    for await (const piece of answer) text += String(piece);
    return text;
  };

  it('ends with the request', async () => {
    const request = message();
    const text = textOf(answerTo(request));
    request.push(Buffer.alloc(1000));
    request.push(null);
    expect(await text).toBe('no');
    expect(request.listenerCount('data')).toBe(0);
  });

  it('ends when too much has come', async () => {
    const request = message();
    const text = textOf(answerTo(request));
    request.push(Buffer.alloc(1001));
    expect(await text).toBe('no');
  });

  it.each([
    { name: 'nothing has come for a while', limits: { ...patience, idleMs: 10 } },
    { name: 'it has come for too long', limits: { ...patience, totalMs: 10 } },
  ])('ends when $name', async ({ limits }) => {
    expect(await textOf(answerTo(message(), limits))).toBe('no');
  });

  it('ends when the caller leaves, and lets go of what was held', async () => {
    const request = message();
    const response = new ServerResponse(request);
    let held = true;
    whenSettled(response, () => {
      held = false;
    });
    const text = textOf(new LingeringAnswer('no', request, response, patience));
    expect(held).toBe(false);
    request.destroy();
    expect(await text).toBe('no');
  });

  it('is for large bodies that have not come whole', () => {
    const sending = (headers: Record<string, string>, complete = false): boolean =>
      isStillSending(Object.assign(message(), { headers, complete }));
    expect(sending({ 'content-length': '70000' })).toBe(true);
    expect(sending({ 'transfer-encoding': 'chunked' })).toBe(true);
    expect(sending({ 'content-length': '70000' }, true)).toBe(false);
    expect(sending({ 'content-length': '60000' })).toBe(false);
    expect(sending({})).toBe(false);
  });
});
