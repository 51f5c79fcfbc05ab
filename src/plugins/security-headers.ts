/** @fastify/helmet: answers are data, which no page may load or frame; the console and the explorer have policies of their own. */
import helmet from '@fastify/helmet';
import fp from 'fastify-plugin';

export const securityHeaders = fp(async (app) => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // The service has no TLS: a proxy that adds TLS sets this header too.
    strictTransportSecurity: false,
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  // Answers must not be cached; static files have a Cache-Control of their own.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!reply.hasHeader('cache-control') && !reply.raw.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
    done();
  });
});
