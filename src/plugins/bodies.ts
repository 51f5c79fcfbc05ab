/** Bodies are passed on as bytes, which a worker inflates and parses; their size is bounded, each and in total. */
import { type Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '../config.ts';
import { ProblemError, problem } from '../schemas/contract/problem.ts';
import type { Pool } from '../workers/pool.ts';
import { arrowType, jsonType, logTypes } from './media-types.ts';
import { bodyLimit, sendProblem, tooLargeDetail } from './problem-details.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts an answer as held until it is sent, and closes the connection of a reader that stops reading. */
    holdAnswer(reply: FastifyReply, bytes: number): void;
  }
  interface FastifyRequest {
    /** Counts bytes as held until the response or its connection closes; false beyond IN_FLIGHT_BYTES. */
    hold: (bytes: number) => boolean;
  }
}

/** Smaller bodies and answers are not counted: they are held briefly, and MAX_CONNECTIONS bounds them. */
const minCountedBytes = 1024;
const minCountedAnswerBytes = 64 * 1024;
/** Larger bodies are refused before they are read while the queue is full. */
const largeBodyBytes = 64 * 1024;
/** A refused body is drained up to this many times the body limit; the request timeout bounds it too. */
const drainFactor = 4;

const busyProblem = (reason: string) => problem('busy', `${reason}; try again in a while`, { retryAfterSeconds: 2 });

export const bodies = fp<{ readonly config: Config; readonly pool: Pool }>(async (app, { config, pool }) => {
  let heldBytes = 0;
  const holder = (request: FastifyRequest, reply: FastifyReply) => {
    let ownBytes = 0;
    const { socket } = request.raw;
    const release = (): void => {
      heldBytes -= ownBytes;
      ownBytes = 0;
      socket.off('close', release);
    };
    return (bytes: number): boolean => {
      if (ownBytes === 0) {
        // A pipelined response is attached to its socket only in its turn, and misses a close event before then.
        reply.raw.once('close', release);
        socket.once('close', release);
      }
      ownBytes += bytes;
      heldBytes += bytes;
      return heldBytes <= config.inFlightBytes;
    };
  };
  const fullProblem = () =>
    busyProblem(`bodies and answers of ${heldBytes} bytes are held, of at most ${config.inFlightBytes}`);
  app.decorateRequest('hold', () => true);
  app.decorate('holdAnswer', (reply, bytes) => {
    if (bytes < minCountedAnswerBytes) return;
    reply.request.hold(bytes);
    // The timer restarts whenever the reader takes something; the next request on the connection clears it.
    reply.raw.setTimeout(config.answerTimeoutMs, () => reply.raw.destroy());
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    request.hold = holder(request, reply);
    const length = Number(request.headers['content-length'] ?? (request.method === 'POST' ? Number.NaN : 0));
    const tooLarge = () => problem('too-large', tooLargeDetail('is larger', request, config));
    if (length <= minCountedBytes) return done(null, payload);
    if (length > bodyLimit(request, config)) return void sendProblem(reply, tooLarge());
    if (length > largeBodyBytes && !pool.hasRoom)
      return void sendProblem(reply, busyProblem('all workers and the queue are taken'));
    if (!Number.isNaN(length)) {
      if (request.hold(length)) done(null, payload);
      else sendProblem(reply, fullProblem());
      return;
    }
    let bytes = 0;
    const counter = new Transform({
      transform: (chunk: Buffer, _encoding, next) => {
        bytes += chunk.length;
        if (bytes > bodyLimit(request, config)) next(new ProblemError(tooLarge()));
        else if (request.hold(chunk.length)) next(null, chunk);
        else next(new ProblemError(fullProblem()));
      },
    });
    payload.once('error', (error) => counter.destroy(error));
    done(null, payload.pipe(counter));
  });
  // The rest of a refused body is read and dropped, on a connection that stays open. Closed under a caller who still
  // writes, it would show a broken pipe in place of the answer.
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (reply.statusCode >= 400 && !raw.complete) {
      let remainingBytes = drainFactor * config.bodyLimitBytes;
      raw.unpipe();
      raw.on('data', (chunk: Buffer) => {
        remainingBytes -= chunk.length;
        if (remainingBytes < 0) raw.socket.destroy();
      });
      raw.resume();
      reply.removeHeader('connection');
    }
    done();
  });
  app.removeAllContentTypeParsers();
  const keep = (_request: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void) => done(null, body);
  app.addContentTypeParser(jsonType, { parseAs: 'buffer', bodyLimit: config.jsonLimitBytes }, keep);
  app.addContentTypeParser(arrowType, { parseAs: 'buffer' }, keep);
  // Crawl logs are streamed to a worker while they arrive.
  app.addContentTypeParser([...logTypes], (_request, body: Readable, done) => done(null, body));
});
