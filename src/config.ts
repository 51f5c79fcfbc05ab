/** Environment → typed configuration. Every variable is described here; `docs/configuration.md` has the table. */
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { longestTimeLimitMs } from './schemas/contract/options.ts';
import { availableMemory, fitToMemory } from './workers/memory-plan.ts';

const maxCount = Number.MAX_SAFE_INTEGER;
/** Timers of Node count in 32 bits: a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** A body becomes one string, and the engine's longest is a little longer than this. */
const maxBodyBytes = 512 * 1024 * 1024 - 1024;

/** Digits only: what Number() makes of `0x10`, ` ` or `1e3` is nobody's configuration. */
const count = (fallback: number, describe: string, min = 0, max = maxCount) =>
  z
    .string()
    .regex(/^\d+$/, { error: 'must be a whole number, in digits', abort: true })
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, { error: `must be at least ${min}` })
        .max(max, { error: `must be at most ${max}` }),
    )
    .default(fallback)
    .describe(describe);
const milliseconds = (fallback: number, describe: string, min = 0) => count(fallback, describe, min, longestTimerMs);

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );

/** The origin of an address, as browsers send it; null where it is not an address over HTTP. */
function httpOrigin(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url.origin : null;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const environmentSchema = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for every one, as in the image'),
  PORT: count(8080, 'Port to listen on; 0 picks a free one', 0, 65_535),
  LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })
    .default('info')
    .describe('Least severe log line written'),
  WORKERS: count(availableParallelism(), 'Worker processes that solve', 1, 1024),
  WORKER_MEMORY_MB: count(4096, 'Heap limit of one worker, MiB', 64),
  QUEUE_LIMIT: count(64, 'Requests that may wait for a worker; beyond it 503 with Retry-After'),
  QUEUE_TIMEOUT_MS: milliseconds(10_000, 'A request that has waited this long for a worker is refused with 503', 1),
  BODY_LIMIT_BYTES: count(128 * 1024 * 1024, 'Largest body accepted: Arrow streams and crawl logs', 1024, maxBodyBytes),
  JSON_LIMIT_BYTES: count(64 * 1024 * 1024, 'Largest body of JSON accepted', 1024, maxBodyBytes),
  MAX_WORK: z
    .string()
    .regex(/^\d+(\.\d+)?(e\+?\d+)?$/i, { error: 'must be a number above 0, such as 1e13', abort: true })
    .transform(Number)
    .pipe(z.number({ error: 'must be a number above 0, such as 1e13' }).positive({ error: 'must be above 0' }))
    .default(1e13)
    .describe('Largest estimated work accepted, in steps of about 1 ns'),
  DEFAULT_TIME_LIMIT_MS: count(10_000, 'Time limit where a request gives none', 1, longestTimeLimitMs),
  MAX_TIME_LIMIT_MS: count(60_000, 'Largest time limit a request may ask for', 1, longestTimeLimitMs),
  REQUEST_TIMEOUT_MS: milliseconds(60_000, 'The whole request, body included, must have arrived by then', 1),
  HEADERS_TIMEOUT_MS: milliseconds(10_000, 'The headers must have arrived by then', 1),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds(72_000, 'An idle connection is kept this long'),
  ANSWER_TIMEOUT_MS: milliseconds(60_000, 'An answer of which its reader takes nothing for this long is given up', 1),
  MAX_CONNECTIONS: count(10_000, 'Connections accepted at a time', 1, 1_000_000),
  IN_FLIGHT_BYTES: count(1024 * 1024 * 1024, 'Bodies and large answers held at a time; beyond it 503', 1024),
  MAX_EVENT_LOOP_DELAY_MS: milliseconds(
    1000,
    'Event loop delay beyond which requests are shed with 503; 0 switches this off',
  ),
  RATE_LIMIT_PER_MINUTE: count(0, 'Requests a client (address, or API key) may send a minute; 0 switches this off'),
  TRUST_PROXY: z
    .stringbool({ error: 'must be true or false' })
    .default(false)
    .describe('Take the client address from X-Forwarded-For (only behind a proxy that sets it)'),
  API_KEYS: list
    .refine((keys) => keys.length > 0, {
      error: 'must have a key that is not blank; leave it out where none is needed',
    })
    .default([])
    .describe(
      'Keys of which one must come with /v1 requests, as Authorization: Bearer or X-API-Key; not set: none needed',
    ),
  CORS_ORIGINS: list
    .refine((origins) => origins.every((origin) => origin === '*' || httpOrigin(origin) === origin), {
      error: 'must be origins such as https://example.org, separated by commas, or *',
    })
    .describe('Origins allowed to call from a browser, or *; empty: none'),
  DRAIN_DELAY_MS: milliseconds(250, 'After SIGTERM, readiness fails this long before the port closes'),
  DRAIN_TIMEOUT_MS: milliseconds(30_000, 'After that, requests still running are given up'),
});

export type Config = ReturnType<typeof readConfig>;

/** The variables whose values, where nobody sets them, become smaller in little memory. */
const sizeVariables = {
  workers: 'WORKERS',
  workerMemoryMb: 'WORKER_MEMORY_MB',
  bodyLimitBytes: 'BODY_LIMIT_BYTES',
  inFlightBytes: 'IN_FLIGHT_BYTES',
} as const;

/** A variable of the environment that cannot be used. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** A value for a message: on one line, at most 80 characters, and never a key. */
function quoteValue(name: string, value: string | undefined): string {
  if (name === 'API_KEYS') return '(not shown)';
  const text = value ?? '';
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** Variables that are valid one by one and contradict each other. */
function inconsistencies(e: z.output<typeof environmentSchema>): string[] {
  const faults: string[] = [];
  if (e.HEADERS_TIMEOUT_MS > e.REQUEST_TIMEOUT_MS) {
    faults.push(
      `HEADERS_TIMEOUT_MS=${e.HEADERS_TIMEOUT_MS}: must be at most REQUEST_TIMEOUT_MS (${e.REQUEST_TIMEOUT_MS})`,
    );
  }
  return faults;
}

/**
 * Reads the configuration.
 *
 * @throws ConfigurationError naming every variable that cannot be used, its value and what would be accepted
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, memoryBytes = availableMemory()) {
  // An empty value counts as not set, except for API_KEYS: an empty secret must not switch keys off.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value !== '' || name === 'API_KEYS'),
  );
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `${name}=${quoteValue(name, environment[name])}: ${issue.message}`;
    });
    throw new ConfigurationError(faults.join('; '));
  }
  const e = parsed.data;
  const faults = inconsistencies(e);
  if (faults.length > 0) throw new ConfigurationError(faults.join('; '));
  const sizes = {
    workers: e.WORKERS,
    workerMemoryMb: e.WORKER_MEMORY_MB,
    bodyLimitBytes: e.BODY_LIMIT_BYTES,
    inFlightBytes: e.IN_FLIGHT_BYTES,
  };
  const sizesInMemory = fitToMemory(sizes, (size) => given[sizeVariables[size]] !== undefined, memoryBytes);
  return {
    ...sizesInMemory,
    jsonLimitBytes: Math.min(e.JSON_LIMIT_BYTES, sizesInMemory.bodyLimitBytes),
    host: e.HOST,
    port: e.PORT,
    logLevel: e.LOG_LEVEL,
    queueLimit: e.QUEUE_LIMIT,
    queueTimeoutMs: e.QUEUE_TIMEOUT_MS,
    maxWork: e.MAX_WORK,
    defaultTimeLimitMs: Math.min(e.DEFAULT_TIME_LIMIT_MS, e.MAX_TIME_LIMIT_MS),
    maxTimeLimitMs: e.MAX_TIME_LIMIT_MS,
    requestTimeoutMs: e.REQUEST_TIMEOUT_MS,
    headersTimeoutMs: e.HEADERS_TIMEOUT_MS,
    keepAliveTimeoutMs: e.KEEP_ALIVE_TIMEOUT_MS,
    answerTimeoutMs: e.ANSWER_TIMEOUT_MS,
    maxConnections: e.MAX_CONNECTIONS,
    maxEventLoopDelayMs: e.MAX_EVENT_LOOP_DELAY_MS,
    rateLimitPerMinute: e.RATE_LIMIT_PER_MINUTE,
    trustProxy: e.TRUST_PROXY,
    apiKeys: e.API_KEYS,
    corsOrigins: e.CORS_ORIGINS,
    drainDelayMs: e.DRAIN_DELAY_MS,
    drainTimeoutMs: e.DRAIN_TIMEOUT_MS,
  };
}

/** The variables with their defaults and meaning, for `--help` and the table of docs/configuration.md. */
export function describeConfiguration(): { name: string; fallback: string; meaning: string }[] {
  return Object.entries(environmentSchema.shape).map(([name, schema]) => ({
    name,
    fallback: name === 'WORKERS' ? 'number of cores' : String(schema.parse(undefined)),
    meaning: schema.description ?? '',
  }));
}
