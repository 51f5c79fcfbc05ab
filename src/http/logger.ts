/**
 * The log: one line of JSON each, written in batches and never on the event loop's time. A reader of the log that stops
 * reading, or a disk that is full, costs lines and nothing else. (pino's own destination waits for ever for a full
 * disk.)
 */
import { write, writeSync } from 'node:fs';
import { hostname } from 'node:os';
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

/**
 * Lines are gathered up to this many characters, and written at the latest after {@link latestMs}. A pipe takes 64 KiB:
 * a batch of more would wait for its reader in any case.
 */
const batchCharacters = 32 * 1024;
const latestMs = 100;
/** Lines that would wait beyond this are dropped. */
const maxWaitingCharacters = 8 * 1024 * 1024;

export interface Log {
  readonly logger: FastifyBaseLogger;
  /**
   * Writes a line of level info from JSON text, `"name":value,…`. The logger would look at every member of an object
   * first, which takes a small request half as long as its solve.
   */
  info(members: string): void;
  /** Writes what waits; resolves when it is written, or after a second. */
  flush(): Promise<void>;
  /** Writes what still can be written while the process ends. */
  writeNow(): void;
}

export function createLog(config: Pick<Config, 'logLevel'>): Log {
  const lines = new Lines(1);
  const logger = pino({ level: config.logLevel, redact: { paths: redacted, censor: '[not logged]' } }, lines);
  const whose = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`;
  const level = pino.levels.values.info;
  return {
    logger,
    info: (members) => {
      if (logger.isLevelEnabled('info')) {
        lines.write(`{"level":${level},"time":${Date.now()},${whose},${members}}\n`);
      }
    },
    flush: () => lines.flush(),
    writeNow: () => lines.writeNow(),
  };
}

/** Lines on their way to a file descriptor. */
class Lines {
  readonly #descriptor: number;
  #waiting: string[] = [];
  #characters = 0;
  #writing = false;
  #timer: NodeJS.Timeout | undefined;
  /** Told when nothing is on its way any more. */
  #idle: (() => void)[] = [];

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(line: string): void {
    if (this.#characters > maxWaitingCharacters) return;
    this.#waiting.push(line);
    this.#characters += line.length;
    if (this.#writing) return;
    if (this.#characters >= batchCharacters) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), latestMs).unref();
  }

  async flush(): Promise<void> {
    if (!this.#writing) this.#send();
    if (!this.#writing) return;
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
      setTimeout(resolve, 1000).unref();
    });
  }

  #take(): Buffer {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const bytes = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#characters = 0;
    return bytes;
  }

  #send(): void {
    if (this.#waiting.length === 0) return;
    this.#writing = true;
    this.#writeOn(this.#take(), 0);
  }

  #writeOn(bytes: Buffer, from: number): void {
    write(this.#descriptor, bytes, from, bytes.length - from, null, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeOn(bytes, from), latestMs).unref();
      } else if (!error && from + written < bytes.length) {
        this.#writeOn(bytes, from + written);
      } else {
        this.#writing = false;
        this.#send();
        if (this.#writing) return;
        for (const resolve of this.#idle.splice(0)) resolve();
      }
    });
  }

  writeNow(): void {
    const bytes = this.#take();
    try {
      for (let from = 0; from < bytes.length; ) from += writeSync(this.#descriptor, bytes, from);
    } catch {
      // Nobody takes the lines, and there is no one to tell.
    }
  }
}
