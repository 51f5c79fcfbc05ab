/** Every key is compared with every accepted one, digest with digest, in constant time: nothing shows how near it came. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import Fastify from 'fastify';
import { afterAll, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { apiKeys } from '../../src/plugins/api-keys.ts';

const compare = vi.spyOn(crypto, 'timingSafeEqual');
syncBuiltinESMExports();
afterAll(() => {
  compare.mockRestore();
  syncBuiltinESMExports();
});

it.each([
  ['the first', 'first-key', 200],
  ['the last', 'last-key', 200],
  ['one character short', 'last-ke', 401],
  ['another of the same length', 'lest-key', 401],
  ['much longer', 'last-key'.repeat(1000), 401],
  ['none', '', 401],
])('compares a key with all: %s', async (_, key, status) => {
  const app = Fastify();
  await app.register(apiKeys, { config: readConfig({ API_KEYS: 'first-key,second,last-key' }) });
  app.get('/v1/anything', async () => 'served');
  compare.mockClear();
  const answer = await app.inject({ url: '/v1/anything', headers: { 'x-api-key': key } });
  expect(answer.statusCode).toBe(status);
  const lengths = compare.mock.calls.map(([given, accepted]) => [given.byteLength, accepted.byteLength]);
  expect(lengths).toEqual([
    [32, 32],
    [32, 32],
    [32, 32],
  ]);
});
