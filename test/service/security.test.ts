import supertest from 'supertest';
import { afterEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { requireDefined } from '../require-defined.ts';
import { retries } from '../retries.ts';
import { sendRaw } from './raw-connection.ts';
import { listeningService } from './test-service.ts';

let service: (App & { url: string; port: number }) | undefined;
afterEach(async () => {
  await service?.server.close();
});

async function startService(environment: Record<string, string> = {}) {
  service = await listeningService(environment);
  return supertest(service.url);
}

const echo = (at: Awaited<ReturnType<typeof startService>>) => at.post('/v1/test/echo').send({ value: 1 });

describe('API keys', () => {
  it('are asked for only when configured, and only under /v1', async () => {
    const at = await startService({ API_KEYS: 'first, second' });
    const refusal = await echo(at);
    expect(refusal.status).toBe(401);
    expect(refusal.headers['www-authenticate']).toBe('Bearer');
    expect(refusal.body.type).toBe('urn:crawl-optimizer:problem:unauthorized');
    expect((await echo(at).set('authorization', 'Bearer third')).status).toBe(401);
    expect((await echo(at).set('authorization', 'Bearer second')).status).toBe(200);
    expect((await echo(at).set('x-api-key', 'first')).status).toBe(200);
    expect((await at.get('/health/live')).status).toBe(200);
  });
});

/** Spellings of a path that a router may read as that path: escapes, origins and slashes, from one seed. */
function spellings(path: string, count: number): string[] {
  const random = seededRandom(1);
  const escaped = (char: string) => {
    const hex = char.charCodeAt(0).toString(16);
    return `%${random() < 0.5 ? hex : hex.toUpperCase()}`;
  };
  const origins = ['', '', 'http://x', 'HTTP://x', 'hTTps://x:1', 'http://', '/', '/.', '//'];
  return Array.from({ length: count }, () => {
    const share = random();
    const spelt = [...path].map((char, at) => (at > 0 && random() < share ? escaped(char) : char)).join('');
    const doubled = random() < 0.2 ? spelt.replaceAll('/', '//') : spelt;
    return `${origins[Math.floor(random() * origins.length)]}${doubled}${random() < 0.3 ? '?validateOnly=false' : ''}`;
  });
}

describe('however its path is spelt, a request', () => {
  const requestLine = (target: string, key = '') =>
    sendRaw(
      requireDefined(service).port,
      `POST ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n${key}Content-Length: 11\r\n\r\n{"value":1}`,
    );
  const statusOf = (answer: string) => Number(answer.slice(9, 12));
  const targets = ['/%76%31/test/echo', 'http://x/v1/test/echo', 'HTTP://x/v1/test/echo', '//v1/test/echo'];
  const paths = [...targets, ...spellings('/v1/test/echo', 300)];

  it('is not answered without a key', retries, async () => {
    await startService({ API_KEYS: 'sekrit' });
    const key = 'X-API-Key: sekrit\r\n';
    let answerCount = 0;
    for (const target of paths) {
      const withKey = statusOf(await requestLine(target, key));
      const without = statusOf(await requestLine(target));
      expect([400, 401, 404], target).toContain(without);
      // A spelling that is served with a key is refused without one; other spellings lead to no route.
      expect(without === 401, target).toBe(withKey === 200);
      if (withKey === 200) answerCount++;
    }
    expect(answerCount).toBeGreaterThan(50);
    expect(statusOf(await requestLine('/%76%31/limits'))).toBe(405);
    const limits = await sendRaw(
      requireDefined(service).port,
      'GET /%76%31/limits HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect(statusOf(limits)).toBe(401);
  });

  it('counts toward the rate limit', retries, async () => {
    await startService({ RATE_LIMIT_PER_MINUTE: '5' });
    let answerCount = 0;
    for (const target of paths) if (statusOf(await requestLine(target)) === 200) answerCount++;
    expect(answerCount).toBe(5);
  });
});

describe('the rate limit', () => {
  it('counts wrong keys, by the address that sends them', async () => {
    const at = await startService({ RATE_LIMIT_PER_MINUTE: '3', API_KEYS: 'right' });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await echo(at).set('x-api-key', `wrong${i}`)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await echo(at).set('x-api-key', 'right')).status).toBe(200);
  });

  it.each([
    ['false', [200, 429]],
    ['true', [200, 200]],
  ])('goes by X-Forwarded-For only where TRUST_PROXY says so: %s', async (trusted, expected) => {
    const at = await startService({ RATE_LIMIT_PER_MINUTE: '1', TRUST_PROXY: trusted });
    const statuses: number[] = [];
    for (const from of ['203.0.113.1', '203.0.113.2']) {
      statuses.push((await echo(at).set('x-forwarded-for', from)).status);
    }
    expect(statuses).toEqual(expected);
  });

  it('answers 429 with Retry-After beyond it, and leaves health alone', async () => {
    const at = await startService({ RATE_LIMIT_PER_MINUTE: '3' });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await echo(at)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const limited = await echo(at);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect(limited.headers['content-type']).toContain('application/problem+json');
    expect((await at.get('/health/live')).status).toBe(200);
  });
});

describe('a browser', () => {
  it('of another origin may not call unless its origin is configured', async () => {
    const closedService = await startService();
    const plain = await echo(closedService).set('origin', 'https://a.example');
    expect(plain.headers['access-control-allow-origin']).toBeUndefined();
    expect(plain.headers['content-security-policy']).toContain("default-src 'none'");
    const page = await closedService.get('/docs');
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect(page.headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(plain.headers['x-content-type-options']).toBe('nosniff');
    await service?.server.close();
    const open = await startService({ CORS_ORIGINS: 'https://a.example' });
    const preflight = await echo(open).set('origin', 'https://a.example');
    expect(preflight.headers['access-control-allow-origin']).toBe('https://a.example');
  });
});

describe('what is not a request that can be read', () => {
  it('is cut off when its headers or its body come too slowly', async () => {
    await startService({ HEADERS_TIMEOUT_MS: '500', REQUEST_TIMEOUT_MS: '1000' });
    const port = requireDefined(service).port;
    const [headers, body] = await Promise.all([
      sendRaw(port, 'POST /v1/test/echo HTTP/1.1\r\nHost: a\r\n'),
      sendRaw(
        port,
        'POST /v1/test/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      ),
    ]);
    expect(headers).toMatch(/^HTTP\/1\.1 408 /);
    expect(body).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('bodies held in memory', () => {
  it('are bounded over all requests, whether they say their length or not', async () => {
    const at = await startService({ IN_FLIGHT_BYTES: '2048' });
    const declared = await at.post('/v1/test/echo').send({ value: 1, pad: 'x'.repeat(3000) });
    expect(declared.status).toBe(503);
    expect(declared.headers['retry-after']).toBe('2');
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`{"value": 1, "pad": "${'x'.repeat(3000)}"}`));
        controller.close();
      },
    });
    const chunked = await fetch(`${service?.url}/v1/test/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    });
    expect(chunked.status).toBe(503);
    expect((await echo(at)).status).toBe(200);
  });
});
