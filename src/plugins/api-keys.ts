/** API keys, compared in constant time: a plugin for bearer tokens alone would not take X-API-Key. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import { problem } from '../schemas/contract/problem.ts';
import { sendProblem } from './problem-details.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** SHA-256 of the request's key in base64; null if the key is missing or is none of API_KEYS. */
    keyDigest(request: FastifyRequest): string | null;
  }
}

/** The key a request came with, from Authorization: Bearer or X-API-Key. */
function keyOf(request: FastifyRequest): string {
  const bearer = /^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const header = request.headers['x-api-key'];
  return bearer ?? (typeof header === 'string' ? header : '');
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a route needs a key: decided by the matched route, since one path can be spelt in many ways in a URL. */
export const isGuarded = (route: string | undefined): boolean => route?.startsWith('/v1/') ?? false;

export const apiKeys = fp<{ readonly config: Config }>(async (app, { config }) => {
  const acceptedDigests = config.apiKeys.map(digest);
  app.decorate('keyDigest', (request) => {
    if (acceptedDigests.length === 0) return null;
    const requestDigest = digest(keyOf(request));
    // Compares with every accepted key, so that the time taken shows neither content nor position of a match.
    const isKnown = acceptedDigests.reduce((isMatch, each) => timingSafeEqual(requestDigest, each) || isMatch, false);
    return isKnown ? requestDigest.toString('base64') : null;
  });
  if (acceptedDigests.length === 0) return;
  const askForKey = async (request: FastifyRequest, reply: FastifyReply) => {
    if (app.keyDigest(request) !== null) return;
    const detail = 'send a key as Authorization: Bearer <key> or X-API-Key: <key>';
    return sendProblem(reply.header('www-authenticate', 'Bearer'), problem('unauthorized', detail));
  };
  app.addHook('onRoute', (route) => {
    if (isGuarded(route.url)) route.onRequest = [route.onRequest ?? [], askForKey].flat();
  });
});
