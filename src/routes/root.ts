/** GET /: people in a browser go on to the console, programs to the OpenAPI document. */
import type { FastifyPluginAsync } from 'fastify';

export const rootRoute: FastifyPluginAsync = async (app) => {
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    const wantsPage = request.headers.accept?.includes('text/html') ?? false;
    // Relative, so that it holds behind a proxy that adds a prefix.
    return reply.header('vary', 'accept').redirect(wantsPage ? 'console/' : 'openapi.json', 302);
  });
};
