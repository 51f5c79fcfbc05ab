/** Shutting down: readiness fails first, then the port closes, then what was accepted is finished. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

/** Whether the service is on its way out. */
export interface Drain {
  draining: boolean;
}

/**
 * Lets the accepted requests finish and closes; past the drain timeout what still runs is given up.
 * Connections that stay open are told to close with the next answer.
 */
export async function drain(app: FastifyInstance, state: Drain, config: Config): Promise<void> {
  if (state.draining) return;
  state.draining = true;
  app.log.info({ delayMs: config.drainDelayMs, timeoutMs: config.drainTimeoutMs }, 'draining');
  await new Promise((resolve) => setTimeout(resolve, config.drainDelayMs));
  const givenUp = setTimeout(() => {
    app.log.warn('drain timeout: requests still running are given up');
    app.server.closeAllConnections();
  }, config.drainTimeoutMs);
  await app.close();
  clearTimeout(givenUp);
  app.log.info('closed');
}
