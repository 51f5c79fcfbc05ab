/** @fastify/under-pressure: nothing is accepted while the event loop lags; health is told all the same. */
import underPressure from '@fastify/under-pressure';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import { problem } from '../schemas/contract/problem.ts';
import { sendProblem } from './problem-details.ts';

export const loadShedding = fp<{ readonly config: Config }>(async (app, { config }) => {
  if (config.maxEventLoopDelayMs === 0) return;
  await app.register(underPressure, {
    maxEventLoopDelay: config.maxEventLoopDelayMs,
    pressureHandler: (request, reply) => {
      if (request.routeOptions.url?.startsWith('/health')) return;
      sendProblem(reply, problem('busy', 'the event loop lags; try again in a while', { retryAfterSeconds: 2 }));
    },
  });
});
