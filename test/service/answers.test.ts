import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { sendRaw } from './raw-connection.ts';
import { listeningService, sharedService } from './test-service.ts';

const service = await sharedService();

const post = (operation: string, body: object | string) =>
  supertest(service.url).post(`/v1/test/${operation}`).set('content-type', 'application/json').send(body);

describe('an answer', () => {
  it('comes in the envelope, whether solved inline or in a worker', async () => {
    for (const operation of ['echo', 'echo-in-worker']) {
      const { status, body, headers } = await post(operation, { value: 7 });
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(body.status).toBe('evaluated');
      expect(body.solution).toEqual({ value: 7 });
      expect(body.warnings).toEqual([]);
      expect(body.statistics.solveMs).toBeGreaterThanOrEqual(0);
      expect(body.statistics.queueMs).toBeGreaterThanOrEqual(0);
    }
  });

  it('is only a check when validateOnly is asked for', async () => {
    const { status, body } = await post('hang?validateOnly=true', { value: 1, options: { timeLimitMs: 77 } });
    expect(status).toBe(200);
    expect(body).toEqual({ valid: true, work: 1e9, timeLimitMs: 77 });
  });

  it('comes from a worker when the body is large', async () => {
    const { status, body } = await post('echo', `${' '.repeat(300_000)}{"value": 3}`);
    expect(status).toBe(200);
    expect(body.solution.value).toBe(3);
  });

  it('of many pages is the same after and beside other requests', async () => {
    const changeRate = Array.from({ length: 20_000 }, (_, i) => 1 + (i % 997) / 100);
    const ask = async (crawls: number) => {
      const { status, body } = await supertest(service.url)
        .post('/v1/crawl-allocation')
        .send({ interval: 1, crawls, pages: { changeRate } });
      expect(status).toBe(200);
      return body.solution.pages;
    };
    const few = await ask(30_000);
    const many = await ask(90_000);
    expect(few.staleness[7]).toBeGreaterThan(many.staleness[7]);
    expect(await Promise.all([ask(30_000), ask(90_000), ask(30_000)])).toEqual([few, many, few]);
    expect(await ask(30_000)).toEqual(few);
  });

  it('never carries a number that JSON cannot', async () => {
    const { status, body } = await post('not-a-number', { value: 1 });
    expect(status).toBe(500);
    expect(body.type).toBe('urn:crawl-optimizer:problem:internal');
  });
});

describe('a refusal', () => {
  it('names the value, its place and what would be accepted', async () => {
    const { status, body, headers } = await post('echo', { value: 'x' });
    expect(status).toBe(422);
    expect(headers['content-type']).toContain('application/problem+json');
    expect(body.errors).toEqual([
      { pointer: '/value', code: 'invalid_type', detail: 'must be a finite number; got "x"' },
    ]);
    expect(body.errorCount).toBe(1);
    expect(body.instance).toBe(headers['x-request-id']);
  });

  it('of an unknown property points to it and names the allowed ones', async () => {
    const { status, body } = await post('echo', { value: 1, valeu: 2, options: { sede: 1 } });
    expect(status).toBe(422);
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toContain('/valeu');
    expect(pointers).toContain('/options/sede');
    expect(body.errors.find(({ pointer }: { pointer: string }) => pointer === '/valeu').detail).toContain(
      'value, options',
    );
  });

  it.each([
    ['not JSON', '{"value": 1'],
    ['empty', ''],
    ['a prototype key', '{"value": 1, "__proto__": {"a": 1}}'],
    ['an escaped prototype key', '{"value": 1, "\\u005f_proto__": {"a": 1}}'],
    ['a constructor with a prototype', '{"value": 1, "constructor": {"prototype": {"a": 1}}}'],
  ])('of a body that is %s is a 400', async (_, text) => {
    const { status, body } = await post('echo', text);
    expect(status).toBe(400);
    expect(body.type).toBe('urn:crawl-optimizer:problem:not-json');
  });

  it.each([
    ['numbers beyond double precision', 'echo', '{"value": 1e400}', '/value', ''],
    ['a condition of the model', 'condition', '{"value": 1}', '/value', 'has no mean; give another'],
    [
      'a time limit above the maximum',
      'echo',
      '{"value": 1, "options": {"timeLimitMs": 60001}}',
      '/options/timeLimitMs',
      'must be at most 60000',
    ],
  ])('of %s is a 422 with its pointer', async (_, operation, text, pointer, detail) => {
    const { status, body } = await post(operation, text);
    expect(status).toBe(422);
    expect(body.errors[0]).toMatchObject({ pointer, detail: expect.stringContaining(detail) });
  });

  it('says 404 for an unknown path, 405 with Allow for another method, 415 for other media', async () => {
    const at = supertest(service.url);
    expect((await at.get('/v1/nothing')).status).toBe(404);
    const wrongMethod = await at.get('/v1/test/echo');
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.allow).toBe('POST');
    expect((await at.delete('/health/live')).headers.allow).toBe('GET, HEAD');
    expect((await at.post('/v1/test/echo').set('content-type', 'text/plain').send('{}')).status).toBe(415);
    const squeezed = at.post('/v1/test/echo').set('content-type', 'application/json').set('content-encoding', 'lzma');
    expect((await squeezed.send('{"value":1}')).status).toBe(415);
    expect((await at.post('/v1/test/echo?validateOnly=maybe').send({ value: 1 })).status).toBe(400);
  });

  it('of too much work states the estimate', async () => {
    const { status, body } = await post('enormous', { value: 1 });
    expect(status).toBe(422);
    expect(body.type).toBe('urn:crawl-optimizer:problem:too-much-work');
    expect(body.detail).toContain('1.00e+300');
  });

  it('of a body announced above the limit is a 413 before a byte of it is read, however little may be held', async () => {
    const small = await listeningService({ BODY_LIMIT_BYTES: '4096', IN_FLIGHT_BYTES: '2048' });
    const announced = 'Host: a\r\nContent-Type: application/json\r\nContent-Length: 1000000000000';
    const answer = await sendRaw(small.port, `POST /v1/test/echo HTTP/1.1\r\n${announced}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('urn:crawl-optimizer:problem:too-large');
    expect(answer).toContain('send its list as the columns of an Arrow stream, of up to 4096 bytes');
    expect(answer).not.toMatch(/retry-after/i);
    await small.server.close();
  });

  it.each(['/v1/%', '/v1/%zz', '/%E0%A4%A', '/console/%ff'])(
    'of the path %s, which cannot be decoded, is a 400',
    async (path) => {
      const answer = await fetch(service.url + path, { method: 'POST' });
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      const { type, instance } = Object(await answer.json());
      expect(type).toBe('urn:crawl-optimizer:problem:bad-request');
      expect(instance).toBe(answer.headers.get('x-request-id'));
    },
  );
});
