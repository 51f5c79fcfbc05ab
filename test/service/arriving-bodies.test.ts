/** Large bodies are read by a free worker while they arrive; what becomes of them does not depend on that. */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { arrowStream, numbers } from './arrow-streams.ts';
import { listeningService, until } from './test-service.ts';

let service: App & { port: number };
beforeAll(async () => {
  service = await listeningService({ WORKERS: '1' });
});
afterAll(() => service.server.close());

const pages = 80_000;
const rates = Array.from({ length: pages }, (_, i) => 1 + 1 / (i + 3));
const weights = rates.map((rate) => 3 * rate);
const asked = { interval: 1, crawls: pages };
const json = Buffer.from(JSON.stringify({ ...asked, pages: { changeRate: rates, weight: weights } }));
const arrow = Buffer.from(
  arrowStream({ changeRate: numbers(rates), weight: numbers(weights) }, { ...asked, pages: {} }),
);
const small = Buffer.from('{"interval":1,"crawls":2,"pages":[{"changeRate":1},{"changeRate":3}]}');
const types = { json: 'application/json', arrow: 'application/vnd.apache.arrow.stream' };

function begin(body: Buffer, type: string): ClientRequest {
  const headers = { 'content-type': type, 'content-length': body.length };
  return request({ port: service.port, path: '/v1/crawl-allocation', method: 'POST', headers, agent: false });
}

async function answerOf(sent: ClientRequest) {
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  let text = '';
  for await (const chunk of answer) text += chunk;
  const { statistics: _, ...rest } = JSON.parse(text);
  return { status: answer.statusCode, rest };
}

async function whole(body: Buffer, type = types.json) {
  const sent = begin(body, type);
  sent.end(body);
  return answerOf(sent);
}

/** Sends the start of a body, and waits until a worker has been given most of it. */
async function started(body: Buffer, type = types.json): Promise<ClientRequest> {
  const arrives = vi.spyOn(service.dispatcher, 'arrives');
  const sent = begin(body, type);
  const half = body.length >> 1;
  sent.write(body.subarray(0, half));
  await until(() => arrives.mock.calls.some(([, available]) => available === half));
  arrives.mockRestore();
  return sent;
}

const rest = (body: Buffer): Buffer => body.subarray(body.length >> 1);

describe('a large body that arrives in parts', () => {
  it('is answered as it is when all of it comes at once', async () => {
    const expected = await whole(json);
    expect(expected.status).toBe(200);
    for (const [body, type] of [
      [json, types.json],
      [arrow, types.arrow],
    ] as const) {
      const sent = await started(body, type);
      sent.end(rest(body));
      expect(await answerOf(sent)).toEqual(expected);
    }
  });

  it('keeps no other request waiting, and is answered though another came between', async () => {
    const expected = await whole(json);
    const sent = await started(json);
    expect(await whole(small)).toMatchObject({ status: 200 });
    sent.end(rest(json));
    expect(await answerOf(sent)).toEqual(expected);
  });

  it('is refused in the same words, whatever is wrong with its end', async () => {
    const wrong = Buffer.concat([json.subarray(0, -3), Buffer.from(',"x"]}}')]);
    const cut = json.subarray(0, -2);
    for (const [body, status] of [
      [wrong, 422],
      [cut, 400],
    ] as const) {
      const sent = await started(body);
      sent.end(rest(body));
      const answer = await answerOf(sent);
      expect(answer.status).toBe(status);
      // the problem names its request
      expect({ ...answer.rest, instance: 0 }).toEqual({ ...(await whole(body)).rest, instance: 0 });
    }
  });

  it('is forgotten where its caller leaves, and the worker goes on', async () => {
    const forget = vi.spyOn(service.dispatcher, 'forget');
    const sent = await started(json);
    sent.on('error', () => {}).destroy();
    await until(() => forget.mock.calls.length > 0);
    forget.mockRestore();
    expect(await whole(small)).toMatchObject({ status: 200 });
    expect(service.dispatcher.workersLost).toBe(0);
  });
});
