/** Liveness (the event loop turns) and readiness (a tiny solve went through a worker, and we are not draining). */
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Dispatcher, Reply } from '../dispatch/dispatcher.ts';
import { exampleRequest } from '../examples.ts';
import type { Drain } from '../http/drain.ts';
import { getRoute } from '../http/get-route.ts';
import { sendProblem } from '../http/problem-details.ts';
import type { OperationFacts } from '../operations/operation.ts';
import { problem } from '../schemas/contract/problem.ts';

const probeTimeoutMs = 1000;

const ready = z.object({
  status: z.literal('ready'),
  workers: z.literal('busy').optional().describe('Every worker is busy with something longer; the queue has room'),
});

interface HealthOptions {
  readonly dispatcher: Dispatcher;
  /** The operation whose first example is solved. */
  readonly probe: OperationFacts;
  readonly state: Drain;
}

export const healthRoutes: FastifyPluginAsync<HealthOptions> = async (app, { dispatcher, probe, state }) => {
  const body = JSON.stringify(exampleRequest(probe.examples[0]));
  const probeOnce = (): Promise<Reply> => {
    const timeout = AbortSignal.timeout(probeTimeoutMs);
    const bytes = new TextEncoder().encode(body);
    return dispatcher.probe({ operation: probe, body: bytes, validateOnly: false, leaving: () => timeout });
  };
  let probing: Promise<Reply> | undefined;
  /** One probe at a time, shared by all who ask: callers without a key must not fill the queue. */
  const probed = (): Promise<Reply> => {
    probing ??= probeOnce().finally(() => {
      probing = undefined;
    });
    return probing;
  };
  app.get(
    '/health/live',
    { schema: getRoute('healthLive', 'Is the process alive?', z.object({ status: z.literal('live') })) },
    async () => ({ status: 'live' }),
  );
  app.get(
    '/health/ready',
    {
      schema: getRoute('healthReady', 'Would a request be served? Runs one tiny solve through a worker', ready, {
        busy: true,
      }),
    },
    async (_request, reply) => {
      if (state.draining) {
        return sendProblem(reply, problem('draining', 'shutting down; try another instance', { retryAfterSeconds: 1 }));
      }
      const result = await probed();
      if (result.kind === 'answer') return { status: 'ready' };
      // Every worker is at work on something longer: requests still find a place in the queue.
      if (result.kind === 'left' && dispatcher.started && dispatcher.hasRoom)
        return { status: 'ready', workers: 'busy' };
      return sendProblem(reply, problem('busy', 'no worker answered a tiny solve in time', { retryAfterSeconds: 1 }));
    },
  );
};
