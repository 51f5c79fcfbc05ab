import { gzipSync } from 'node:zlib';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Tour, tourOfConsole } from './browser.ts';

let tour: Tour;
let service: Tour['service'];

beforeAll(async () => {
  tour = await tourOfConsole();
  service = tour.service;
});
afterAll(() => tour.close());

describe('the console as the service sends it', () => {
  it('stands at /console, under a policy that knows no other host and no inline code', async () => {
    const page = await fetch(`${service.url}/console`);
    expect(page.url).toBe(`${service.url}/console/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(await page.text()).not.toMatch(/<script>|<style>|style=|https?:\/\//);
  });

  it('has less than 400 KB of JavaScript, compressed, cached for good under names that change with it', async () => {
    const html = await (await fetch(`${service.url}/console/`)).text();
    const scripts = [...html.matchAll(/src="\.\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name);
    expect(scripts).toHaveLength(1);
    const script = await fetch(`${service.url}/console/${scripts[0]}`);
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(gzipSync(await script.text()).byteLength).toBeLessThan(400_000);
  });

  it('comes compressed to those who accept that, and not at all to those who have it', async () => {
    const url = `${service.url}/console/`;
    const plain = await fetch(url, { headers: { 'accept-encoding': 'gzip;q=0, identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toContain('accept-encoding');
    const zipped = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(await zipped.text()).toBe(await plain.text());
    const etag = plain.headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    // Not fetch: with If-None-Match it asks for no cache at all.
    const again = await supertest(url).get('').set('accept-encoding', 'identity').set('if-none-match', etag);
    expect(again.status).toBe(304);
  });

  it('answers 404 for a file it does not have, and nothing outside its folder', async () => {
    for (const path of ['nothing.js', '..%2f..%2fpackage.json', 'assets/..%2f..%2fserver.ts']) {
      const answer = await fetch(`${service.url}/console/${path}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    }
  });
});
