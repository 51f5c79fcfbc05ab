/** @fastify/helmet: answers are data, which no page may load or frame; the console and the explorer have policies of their own. */
import helmet from '@fastify/helmet';
import fp from 'fastify-plugin';

export const securityHeaders = fp(async (app) => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // There is no TLS here: whoever adds it says for how long.
    strictTransportSecurity: false,
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  // Answers are computed anew; files say themselves how long they may be kept.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!reply.hasHeader('cache-control') && !reply.raw.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
    done();
  });
});
