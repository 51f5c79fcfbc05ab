import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { operations } from '../../src/operations/index.ts';
import { listeningService } from './test-service.ts';

let service: App & { url: string };
beforeAll(async () => {
  service = await listeningService({ MAX_EVENT_LOOP_DELAY_MS: '0' });
});
afterAll(() => service.server.close());

it('sends a browser from GET / to the console', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const answer = await fetch(`${service.url}/`, { headers, redirect: 'manual' });
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBe('console/');
  expect(answer.headers.get('vary')).toContain('accept');
});

it('answers a program at GET / with entry points that exist', async () => {
  const answer = await fetch(`${service.url}/`);
  expect(answer.headers.get('content-type')).toContain('application/json');
  const entries = Object(await answer.json());
  expect(entries.operations.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(operations.map(({ name }) => `/v1/${name}`)),
  );
  for (const path of [entries.documentation, entries.limits, entries.health.live, entries.metrics]) {
    expect((await fetch(`${service.url}${path}`)).status, path).toBe(200);
  }
});
