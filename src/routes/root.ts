/** GET /: people in a browser go on to the console; programs get the list of what there is. */
import type { FastifyPluginAsync } from 'fastify';
import * as z from 'zod';
import type { Operation } from '../operations/operation.ts';
import { version } from '../package.ts';
import { getRoute } from './get-route.ts';

/** Every value but the names is the path of what its property names. */
const path = z.string();

const entryPoints = z.object({
  service: z.string(),
  version: z.string(),
  console: path,
  documentation: path,
  openapi: path,
  limits: path,
  health: z.object({ live: path, ready: path }),
  metrics: path,
  operations: z
    .array(z.object({ method: z.literal('POST'), path: path, summary: z.string() }))
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
