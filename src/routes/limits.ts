/** GET /v1/limits: every bound a request meets, so that a client can check before it sends. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Operation } from '../operation.ts';

export function routeLimits(app: FastifyInstance, config: Config, operations: readonly Operation[]): void {
  const limits = {
    bodyBytes: config.bodyLimitBytes,
    timeLimitMs: { default: config.defaultTimeLimitMs, maximum: config.maxTimeLimitMs },
    work: config.maxWork,
    workers: config.workers,
    queue: config.queueLimit,
    operations: Object.fromEntries(operations.map((operation) => [operation.name, operation.limits])),
  };
  app.get(
    '/v1/limits',
    {
      schema: {
        tags: ['service'],
        operationId: 'limits',
        summary: 'The limits of this server: body, time, work, and the sizes each operation accepts',
      },
    },
    async () => limits,
  );
}
