/** The client types generated from openapi/openapi.json, in use against a really listening service. */
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { listeningService } from '../service/test-service.ts';
import type { paths } from './client-types.ts';

let service: App & { url: string };
beforeAll(async () => {
  service = await listeningService();
});
afterAll(() => service.server.close());

describe('a typed client', () => {
  it('asks how many crawlers, and reads the answer by its types', async () => {
    const client = createClient<paths>({ baseUrl: service.url });
    const { data, error } = await client.POST('/v1/crawler-count', {
      body: { capacity: 10, crawlerRate: 0.01, service: 1, costs: { starvation: 0.1 } },
    });
    expect(error).toBeUndefined();
    expect(data?.status).toBe('optimal');
    // Table 1.1 of Liu & Nain: γ = 0.1, K = 10, λ = 0.01.
    expect(data?.solution?.crawlers).toBe(72);
  });

  it('gets a problem with pointers when it is wrong', async () => {
    const client = createClient<paths>({ baseUrl: service.url });
    const { data, error, response } = await client.POST('/v1/crawler-count', {
      body: { capacity: 10, crawlerRate: -1, service: 1, costs: { starvation: 0.1 } },
    });
    expect(data).toBeUndefined();
    expect(response.status).toBe(422);
    expect(error?.errors?.[0].pointer).toBe('/crawlerRate');
  });
});
