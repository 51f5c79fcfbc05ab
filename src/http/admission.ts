/**
 * Shedding load before it is held in memory. Bodies and large answers of all requests together are bounded. A large
 * body is refused before it is read when no worker and no place in the queue is free. An answer that nobody reads is
 * given up, and nothing is accepted while the event loop lags.
 */
import { Transform, type TransformCallback } from 'node:stream';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { problem } from '../schemas/contract/problem.ts';
import { IdleCollection } from './bodies/idle-collection.ts';
import { whenSettled } from './bodies/lingering.ts';
import { sendProblem, tooLarge } from './problem-details.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts an answer among the bytes held until it has left, and gives it up when its reader stops reading. */
    holdAnswer(reply: FastifyReply, bytes: number): void;
    /** Counts what a body becomes among the bytes held until its request ends; false where there is no room for it. */
    holdBody(reply: FastifyReply): (bytes: number) => boolean;
    /** Gives an answer up whose reader has taken nothing for too long; the function that is returned calls that off. */
    awaitReader(reply: FastifyReply): () => void;
  }
}

const shed = (reply: FastifyReply, reason: string): FastifyReply =>
  sendProblem(reply, problem('busy', `${reason}; try again in a while`, { retryAfterSeconds: 2 }));

/** Smaller bodies are held for a moment only, and MAX_CONNECTIONS bounds them. */
const countedFromBytes = 1024;
/** Smaller answers fit into the buffers of a connection. */
const answersCountedFromBytes = 64 * 1024;

/** Loading and compiling hold up the event loop for a while after the start, which says nothing of the load. */
const startUpMs = 5000;

interface AdmissionOptions {
  readonly config: Config;
  readonly dispatcher: Dispatcher;
}

export const admission = fp<AdmissionOptions>(
  async (app, { config, dispatcher }) => {
    const collection = new IdleCollection(() => dispatcher.inFlight > 0);
    app.addHook('onClose', async () => collection.cancel());
    const held = new HeldBytes(() => collection.soon());
    app.decorate('holdAnswer', (reply, bytes) => {
      if (bytes < answersCountedFromBytes) return;
      held.share(reply).take(bytes);
      const { raw } = reply;
      // Progress of the reading puts the time-out off; the next request on the connection takes it away.
      raw.setTimeout(config.answerTimeoutMs, () => raw.destroy());
    });
    app.decorate('holdBody', (reply) => {
      const share = held.share(reply);
      return (bytes) => {
        share.take(bytes);
        return held.bytes <= config.inFlightBytes;
      };
    });
    app.decorate('awaitReader', ({ raw }) => {
      const timer = setTimeout(() => raw.destroy(), config.answerTimeoutMs);
      return () => clearTimeout(timer);
    });
    app.addHook('preParsing', (request, reply, payload, done) => {
      const asks = request.method === 'POST';
      if (asks) collection.asked();
      const declared = asks ? Number(request.headers['content-length'] ?? Number.NaN) : 0;
      if (declared <= countedFromBytes) {
        done(null, payload);
      } else if (Number.isNaN(declared)) {
        done(null, payload.pipe(countingStream(held, config.inFlightBytes, reply)));
      } else if (declared > config.bodyLimitBytes) {
        sendProblem(reply, tooLarge());
      } else if (held.bytes + declared > config.inFlightBytes) {
        const limit = `${declared} more would pass the limit of ${config.inFlightBytes}`;
        shed(reply, `bodies and answers of ${held.bytes} bytes are held already, and ${limit}`);
      } else if (declared > unreadBytes && !dispatcher.hasRoom) {
        shed(reply, 'all workers and the queue are taken');
      } else {
        held.share(reply).take(declared);
        done(null, payload);
      }
    });
    if (config.maxEventLoopDelayMs > 0) await shedWhileLagging(app, config.maxEventLoopDelayMs);
  },
  { name: 'admission', dependencies: ['problem-details'] },
);

async function shedWhileLagging(app: FastifyInstance, maxEventLoopDelay: number): Promise<void> {
  const startedAt = performance.now();
  let lags = (): boolean => false;
  // In a scope of its own: the plugin measures there, and its hook, which is expensive, sees no request.
  await app.register(async (scope) => {
    await scope.register(underPressure, { maxEventLoopDelay, sampleInterval: 500 });
    lags = scope.isUnderPressure;
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (lags() && performance.now() - startedAt > startUpMs && !request.routeOptions.url?.startsWith('/health'))
      shed(reply, 'the event loop lags');
    else done();
  });
}

/** The bytes held for all requests together. */
class HeldBytes {
  bytes = 0;
  readonly #onMuchReleased: () => void;

  constructor(onMuchReleased: () => void) {
    this.#onMuchReleased = onMuchReleased;
  }

  /** What one request holds; given back when its connection is done with it, or it is refused. */
  share(reply: FastifyReply): { take(bytes: number): void } {
    let mine = 0;
    let released = false;
    whenSettled(reply.raw, () => {
      if (released) return;
      this.bytes -= mine;
      released = true;
      if (mine >= muchBytes) this.#onMuchReleased();
    });
    return {
      take: (bytes) => {
        if (released) return;
        mine += bytes;
        this.bytes += bytes;
      },
    };
  }
}

/** What a request of so many bytes leaves behind is worth a collection. */
const muchBytes = 8 * 2 ** 20;
/** Larger bodies are refused unread while there is no place for them. */
const unreadBytes = 64 * 1024;

/** Counts a body that came without a length as it arrives, and fails it past the limit. */
function countingStream(held: HeldBytes, limit: number, reply: FastifyReply): Transform {
  const share = held.share(reply);
  return new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      share.take(chunk.length);
      if (held.bytes > limit) {
        done(Object.assign(new Error('too many bytes are held already; try again in a while'), { statusCode: 503 }));
      } else {
        done(null, chunk);
      }
    },
  });
}
