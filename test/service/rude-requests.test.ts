/** Requests that no well-behaved caller makes: each gets a problem document or nothing, and costs others nothing. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sendRaw } from './raw-connection.ts';
import { sharedService, waitUntil } from './test-service.ts';

const service = await sharedService({ WORKERS: '1', QUEUE_LIMIT: '4', DEFAULT_TIME_LIMIT_MS: '60000' });

describe('a request that the runtime would refuse by itself', () => {
  const cases: [what: string, status: number, request: string][] = [
    ['for a path with a NUL', 400, 'GET /console/%00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['that is not HTTP', 400, 'HELLO\r\n\r\n'],
  ];
  it.each(cases)('%s gets a problem document', async (_what, status, request) => {
    const answer = await sendRaw(service.port, request);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*application/problem\\+json`));
    const problem = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
    expect(problem).toMatchObject({ status, detail: expect.stringMatching(/\w+/), instance: expect.any(String) });
    expect(problem.title).not.toMatch(/JSON/);
    expect(problem.detail).not.toBe('Bad Request');
  });
});

describe('a caller who leaves', () => {
  const asking = (path: string, body: string, ...headers: string[]): string =>
    [`POST /v1/test/${path}`, 'Host: a', ...headers, `Content-Length: ${body.length}`, '', body].join('\r\n');
  const json = 'Content-Type: application/json';
  const events = [json, 'Accept: text/event-stream'];
  const spin = (milliseconds: number): string => `{"value":${milliseconds}}`;

  it.each([
    ['a request', asking('spin HTTP/1.1', spin(100_000), json)],
    ['a request of HTTP/1.0', asking('spin HTTP/1.0', spin(100_000), json)],
    ['a request behind another', asking('spin HTTP/1.1', spin(100_000), json).repeat(2)],
    ['events', asking('spin HTTP/1.1', spin(100_000), ...events)],
    ['a solve that does not look at its time', asking('hang HTTP/1.1', spin(1), json)],
  ])('has its solve ended: %s', async (_what, request) => {
    const socket = connect(service.port, '127.0.0.1');
    socket.write(request);
    await waitUntil(() => service.pool.running > 0);
    socket.destroy();
    // Long before the time limit of a minute, which would end the solve too.
    await waitUntil(() => service.pool.inFlight === 0, 40_000);
  });
});
