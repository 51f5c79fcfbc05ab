/**
 * Shedding load before it is held in memory: the bodies of all requests together are bounded, a large body is refused
 * before it is read when no worker and no place in the queue is free, and nothing is accepted while the event loop lags.
 */
import { Transform, type TransformCallback } from 'node:stream';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../config.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { problem } from '../schemas/contract/problem.ts';
import { sendProblem } from './problem-details.ts';

const shed = (reply: FastifyReply, reason: string): FastifyReply =>
  sendProblem(reply, problem('busy', `${reason}; try again in a while`, { retryAfterSeconds: 2 }));

/** Smaller bodies are held for a moment only, and MAX_CONNECTIONS bounds them. */
const countedFromBytes = 1024;

/** Loading and compiling hold up the event loop for a while after the start, which says nothing of the load. */
const startUpMs = 5000;

export async function admit(app: FastifyInstance, config: Config, dispatcher: Dispatcher): Promise<void> {
  const startedAt = performance.now();
  let held = 0;
  const hold = (reply: FastifyReply): { take(bytes: number): void } => {
    let mine = 0;
    let released = false;
    const release = (): void => {
      if (!released) held -= mine;
      released = true;
    };
    reply.raw.once('close', release);
    return {
      take(bytes) {
        if (released) return;
        mine += bytes;
        held += bytes;
      },
    };
  };
  app.addHook('preParsing', (request, reply, payload, done) => {
    const declared = request.method === 'POST' ? Number(request.headers['content-length'] ?? Number.NaN) : 0;
    if (declared <= countedFromBytes) {
      done(null, payload);
    } else if (Number.isNaN(declared)) {
      done(null, payload.pipe(countingStream(hold(reply))));
    } else if (held + declared > config.inFlightBytes) {
      const limit = `${declared} more would pass the limit of ${config.inFlightBytes}`;
      shed(reply, `bodies of ${held} bytes are held already, and ${limit}`);
    } else if (declared > config.inlineBodyBytes && !dispatcher.hasRoom) {
      shed(reply, 'all workers and the queue are taken');
    } else {
      hold(reply).take(declared);
      done(null, payload);
    }
  });
  if (config.maxEventLoopDelayMs > 0) {
    await app.register(underPressure, {
      maxEventLoopDelay: config.maxEventLoopDelayMs,
      sampleInterval: 500,
      pressureHandler: (request, reply) => {
        const startingUp = performance.now() - startedAt < startUpMs;
        if (!startingUp && !request.url.startsWith('/health')) shed(reply, 'the event loop lags');
      },
    });
  }

  /** Counts a body that came without a length as it arrives, and fails it past the limit. */
  function countingStream(share: { take(bytes: number): void }): Transform {
    return new Transform({
      transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
        share.take(chunk.length);
        if (held > config.inFlightBytes) {
          done(Object.assign(new Error('too many bytes are held already; try again in a while'), { statusCode: 503 }));
        } else {
          done(null, chunk);
        }
      },
    });
  }
}
