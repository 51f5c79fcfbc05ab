/** GET /: people in a browser go on to the console; programs get the list of what there is. */
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Operation } from '../operations/operation.ts';
import { version } from '../version.ts';
import { getRoute } from './get-route.ts';

const path = (description: string) => z.string().describe(description);

const entryPoints = z.object({
  service: z.string(),
  version: z.string(),
  console: path('Path of the console, for people'),
  documentation: path('Path of the documentation of the API, for people'),
  openapi: path('Path of the OpenAPI document'),
  limits: path('Path of the limits a request meets'),
  health: z.object({ live: path('Path of the liveness probe'), ready: path('Path of the readiness probe') }),
  metrics: path('Path of the metrics'),
  operations: z
    .array(z.object({ method: z.literal('POST'), path: path('Path of the operation'), summary: z.string() }))
    .describe('What the service answers'),
});

/** Whether the Accept header prefers a page to JSON, as browsers say it. */
const wantsPage = (accept: string | undefined): boolean => accept?.includes('text/html') ?? false;

export const rootRoute: FastifyPluginAsync<{ readonly operations: readonly Operation[] }> = async (
  app,
  { operations },
) => {
  const entries: z.output<typeof entryPoints> = {
    service: 'crawl-optimizer',
    version,
    console: '/console/',
    documentation: '/docs',
    openapi: '/openapi.json',
    limits: '/v1/limits',
    health: { live: '/health/live', ready: '/health/ready' },
    metrics: '/metrics',
    operations: operations.map(({ name, summary }) => ({ method: 'POST' as const, path: `/v1/${name}`, summary })),
  };
  const summary = 'The entry points; a browser is sent on to the console';
  app.get('/', { schema: getRoute('entryPoints', summary, entryPoints) }, async (request, reply) => {
    reply.header('vary', 'accept');
    // Relative, so that it holds behind a proxy that adds a prefix.
    if (wantsPage(request.headers.accept)) return reply.redirect('console/', 302);
    return entries;
  });
};
