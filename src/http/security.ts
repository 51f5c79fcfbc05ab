/**
 * Who may call and how much: security headers, API keys, CORS, a rate limit. Everything but the headers is off by
 * default, and not loaded.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import { problem } from '../schemas/contract/problem.ts';
import { sendProblem } from './problem-details.ts';

/** The key a request came with, from Authorization: Bearer or X-API-Key. */
function keyOf(request: FastifyRequest): string {
  const bearer = /^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const header = request.headers['x-api-key'];
  return bearer ?? (typeof header === 'string' ? header : '');
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares digests, all of them, so that neither content nor length nor position shows in the time taken. */
function isKnown(key: string, digests: readonly Buffer[]): boolean {
  const given = digest(key);
  let known = false;
  for (const accepted of digests) known = timingSafeEqual(given, accepted) || known;
  return known;
}

/** Decided by the route that was found: the same path can be spelt in many ways, and the router reads them all. */
const isGuarded = (route: string | undefined): boolean => route?.startsWith('/v1/') ?? false;

export const security = fp<{ readonly config: Config }>(
  async (app, { config }) => {
    app.addHook('onRequest', (request, reply, done) => {
      // Answers are data: no page of theirs may load or be framed. The pages (src/http/pages) have a policy of their own.
      reply
        .header('x-request-id', request.id)
        .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'no-store');
      done();
    });
    if (config.corsOrigins.length > 0) {
      const origin = config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins];
      const { default: cors } = await import('@fastify/cors');
      await app.register(cors, { origin, methods: ['GET', 'POST'], exposedHeaders: ['x-request-id', 'retry-after'] });
    }
    const digests = config.apiKeys.map(digest);
    const hasKey = (request: FastifyRequest): boolean => isKnown(keyOf(request), digests);
    // Before the keys are compared: guesses count too.
    if (config.rateLimitPerMinute > 0) {
      const { default: rateLimit } = await import('@fastify/rate-limit');
      await app.register(rateLimit, {
        max: config.rateLimitPerMinute,
        timeWindow: '1 minute',
        // A valid key is the client; without one the address is.
        keyGenerator: (request) => (hasKey(request) ? digest(keyOf(request)).toString('base64') : request.ip),
        allowList: (request) => !isGuarded(request.routeOptions.url),
        errorResponseBuilder: (_request, { max, ttl }) => {
          const detail = `more than ${max} requests a minute; try again in ${Math.ceil(ttl / 1000)} s`;
          return Object.assign(new Error(detail), { statusCode: 429 });
        },
      });
    }
    if (config.apiKeys.length > 0) {
      const askForKey = async (request: FastifyRequest, reply: FastifyReply) => {
        if (hasKey(request)) return;
        reply.header('www-authenticate', 'Bearer');
        return sendProblem(
          reply,
          problem('unauthorized', 'send a key as Authorization: Bearer <key> or X-API-Key: <key>'),
        );
      };
      app.addHook('onRoute', (route) => {
        if (isGuarded(route.url)) route.onRequest = [route.onRequest ?? [], askForKey].flat();
      });
    }
  },
  { name: 'security', dependencies: ['problem-details'] },
);
