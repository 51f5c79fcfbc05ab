/** @fastify/under-pressure: requests are refused while the event loop lags, except for health. */
import underPressure from '@fastify/under-pressure';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import { ProblemError, problem } from '../schemas/contract/problem.ts';

export const loadShedding = fp<{ readonly config: Config }>(async (app, { config }) => {
  if (config.maxEventLoopDelayMs === 0) return;
  await app.register(underPressure, {
    maxEventLoopDelay: config.maxEventLoopDelayMs,
    // Only a rejection ends the request: after a handler that returns, the plugin goes on, even if it has replied.
    pressureHandler: async ({ routeOptions }) => {
      if (routeOptions.url?.startsWith('/health')) return;
      const detail = 'the event loop lags; try again in a while';
      throw new ProblemError(problem('busy', detail, { retryAfterSeconds: 2 }));
    },
  });
});
