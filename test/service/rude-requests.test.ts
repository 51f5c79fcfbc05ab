/** Requests that no well-behaved caller makes: each gets a problem document or nothing, and costs others nothing. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { timed } from '../timed.ts';
import { raw } from './raw-connection.ts';
import { listeningService, until } from './test-service.ts';

let service: App & { url: string; port: number };
beforeAll(async () => {
  service = await listeningService({ WORKERS: '1', QUEUE_LIMIT: '4' });
});
afterAll(() => service.server.close());

const post = (path: string, body: string, type = 'application/json', signal?: AbortSignal): Promise<Response> =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
    ...(signal && { signal }),
  });

async function metric(line: string): Promise<number> {
  const lines = (await (await fetch(`${service.url}/metrics`)).text()).split('\n');
  return Number(
    lines
      .find((each) => each.startsWith(`crawl_optimizer_${line} `))
      ?.split(' ')
      .at(-1) ?? 0,
  );
}

describe('a request that the runtime would refuse by itself', () => {
  const cases: [what: string, status: number, request: string][] = [
    ['without a Host', 400, 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['with an expectation that nobody knows', 417, 'GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: a-pony\r\n\r\n'],
    ['for a path with a NUL', 400, 'GET /console/%00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['that takes it for a proxy', 405, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['that is not HTTP', 400, 'HELLO\r\n\r\n'],
  ];
  it.each(cases)('%s gets a problem document', async (_what, status, request) => {
    const answer = await raw(service.port, request);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*application/problem\\+json`));
    const problem = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
    expect(problem).toMatchObject({ status, detail: expect.stringMatching(/\w+/), instance: expect.any(String) });
    expect(problem.title).not.toMatch(/JSON/);
    expect(problem.detail).not.toBe('Bad Request');
  });
});

describe('callers who ask whether the service is ready', () => {
  it('share one probe, however many they are, and leave the queue to requests', async () => {
    const left = new AbortController();
    const spinning = post('/v1/test/spin', '{"value":100000}', 'application/json', left.signal).catch(() => null);
    await until(() => service.dispatcher.inFlight === 1);
    const asked = Array.from({ length: 100 }, () => fetch(`${service.url}/health/ready`));
    await until(() => service.dispatcher.queueDepth === 1);
    expect(service.dispatcher.inFlight).toBe(2);
    for (const answer of await Promise.all(asked)) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ status: 'ready', workers: 'busy' });
    }
    left.abort();
    await spinning;
  });
});

describe('the lines of a request of many', () => {
  it('are counted by what each was answered', async () => {
    const lines = ['{"value":1}', '{"value":"one"}', '{"value":2}', 'not JSON'].join('\n');
    const answer = await post('/v1/test/echo', lines, 'application/x-ndjson');
    expect((await answer.text()).trim().split('\n')).toHaveLength(4);
    const of = (status: number) => `lines_total{operation="test/echo",http_status="${status}"}`;
    await expect.poll(() => metric(of(200))).toBe(2);
    expect(await metric(of(422))).toBe(1);
    expect(await metric(of(400))).toBe(1);
    expect(await metric('answers_total{operation="test/echo",status="evaluated"}')).toBe(2);
    expect(await metric('requests_total{operation="test/echo",where="lines",http_status="200"}')).toBe(1);
  });
});

describe('a caller who closes its half of the connection', () => {
  const asking = (path: string, body: string, ...headers: string[]): string =>
    [`POST /v1/test/${path}`, 'Host: a', ...headers, `Content-Length: ${body.length}`, '', body].join('\r\n');
  const json = 'Content-Type: application/json';
  const lines = ['Content-Type: application/x-ndjson'];
  const events = [json, 'Accept: text/event-stream'];
  const spin = (milliseconds: number): string => `{"value":${milliseconds}}`;

  /** All that comes back after the caller has closed its half. */
  async function answered(request: string): Promise<string> {
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.end(request);
    await once(socket, 'close');
    return received;
  }

  it.each([
    ['that takes a while', asking('spin HTTP/1.1', spin(700), json)],
    ['of HTTP/1.0', asking('spin HTTP/1.0', spin(200), json)],
    ['that is solved at once', asking('echo HTTP/1.1', spin(200), json)],
  ])('gets the whole answer, and nothing else, to a request %s', async (_what, request) => {
    const [head, ...bodies] = (await answered(request)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(bodies).toHaveLength(1);
    expect(JSON.parse(bodies[0])).toMatchObject({ status: 'evaluated' });
  });

  it('gets every answer to requests in one go', async () => {
    const all = await answered([200, 100, 150].map((each) => asking('spin HTTP/1.1', spin(each), json)).join(''));
    expect(all.match(/HTTP\/1\.1 200 OK\r\n/g)).toHaveLength(3);
    expect(all.match(/HTTP/g)).toHaveLength(3);
    expect(all.match(/"status":"evaluated"/g)).toHaveLength(3);
  });

  it('gets every line of many, and every event', async () => {
    const [, ...chunks] = (await answered(asking('spin HTTP/1.0', `${spin(1)}\n${spin(300)}`, ...lines))).split(
      '\r\n\r\n',
    );
    const answers = chunks.join('').trim().split('\n');
    expect(answers.map((line) => JSON.parse(line).status)).toEqual(['evaluated', 'evaluated']);
    const told = await answered(asking('spin HTTP/1.0', spin(300), ...events));
    expect(told).toMatch(
      /: solving\n\n(?:[\s\S]*\n\n)?:\n\n[\s\S]*event: answer\ndata: \{"status":"evaluated".*\}\n\n$/,
    );
  });

  it.each([
    ['a request', asking('spin HTTP/1.1', spin(100_000), json)],
    ['a request of HTTP/1.0', asking('spin HTTP/1.0', spin(100_000), json)],
    ['a request behind another', asking('spin HTTP/1.1', spin(100_000), json).repeat(2)],
    ['lines', asking('spin HTTP/1.1', `${spin(1)}\n${spin(100_000)}`, ...lines)],
    ['events', asking('spin HTTP/1.1', spin(100_000), ...events)],
  ])('and the other has left: its solve ends (%s)', timed, async (_what, request) => {
    const socket = connect(service.port, '127.0.0.1');
    socket.write(request);
    await until(() => service.dispatcher.inFlight > 0);
    // Past the first line, where there are many.
    await setTimeout(100);
    socket.destroy();
    const left = performance.now();
    await until(() => service.dispatcher.inFlight === 0);
    expect(performance.now() - left).toBeLessThan(500);
  });
});
