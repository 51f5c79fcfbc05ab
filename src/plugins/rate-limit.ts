/** @fastify/rate-limit: how many requests a client, known by its key or else its address, may send a minute. */
import rateLimit from '@fastify/rate-limit';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import { isGuarded } from './api-keys.ts';

/** Registered before the plugin that compares API keys, so that requests with a wrong key count too. */
export const requestRate = fp<{ readonly config: Config }>(async (app, { config }) => {
  if (config.rateLimitPerMinute === 0) return;
  await app.register(rateLimit, {
    max: config.rateLimitPerMinute,
    timeWindow: '1 minute',
    keyGenerator: (request) => app.keyDigest(request) ?? request.ip,
    allowList: (request) => !isGuarded(request.routeOptions.url),
    errorResponseBuilder: (_request, { max, ttl }) => {
      const detail = `more than ${max} requests a minute; try again in ${Math.ceil(ttl / 1000)} s`;
      return Object.assign(new Error(detail), { statusCode: 429 });
    },
  });
});
