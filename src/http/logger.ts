/**
 * The log: one line of JSON each, written in batches and never on the event loop's time. A reader of the log that stops
 * reading, or a disk that is full, costs lines and nothing else.
 */
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import type { Config } from '../config.ts';

/** What would name a caller or tell a secret, should an object that holds it ever be logged. */
const redacted = ['headers', 'query', 'body'].flatMap((part) => [
  part,
  `req.${part}`,
  `request.${part}`,
  `err.${part}`,
]);

/** Lines are gathered up to this many bytes, and written at the latest after {@link flushEveryMs}. */
const batchBytes = 4096;
const flushEveryMs = 100;
/** Lines waiting beyond this are dropped. */
const maxWaitingBytes = 8 * 1024 * 1024;

export interface Log {
  readonly logger: FastifyBaseLogger;
  /** Writes out what waits; for the last lines before the process ends. */
  flush(): void;
}

export function createLog(config: Pick<Config, 'logLevel'>): Log {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: batchBytes,
    maxLength: maxWaitingBytes,
    periodicFlush: flushEveryMs,
  });
  // Without a listener, a full disk would end the process.
  destination.on('error', () => {});
  const logger = pino({ level: config.logLevel, redact: { paths: redacted, censor: '[not logged]' } }, destination);
  return {
    logger,
    flush() {
      try {
        destination.flushSync();
      } catch {
        // Nobody reads the log: there is no one to tell.
      }
    },
  };
}
