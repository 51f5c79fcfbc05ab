/** @fastify/cors: pages of other origins may ask only where their origin is configured. */
import cors from '@fastify/cors';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';

export const crossOrigin = fp<{ readonly config: Config }>(async (app, { config }) => {
  if (config.corsOrigins.length === 0) return;
  const origin = config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins];
  await app.register(cors, { origin, methods: ['GET', 'POST'], exposedHeaders: ['x-request-id', 'retry-after'] });
});
