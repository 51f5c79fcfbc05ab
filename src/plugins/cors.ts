/** @fastify/cors: web pages of another origin may call the service only if CORS_ORIGINS lists their origin. */
import cors from '@fastify/cors';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';

export const crossOrigin = fp<{ readonly config: Config }>(async (app, { config }) => {
  if (config.corsOrigins.length === 0) return;
  const origin = config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins];
  await app.register(cors, { origin, methods: ['GET', 'POST'], exposedHeaders: ['x-request-id', 'retry-after'] });
});
