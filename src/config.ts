/** Environment → typed configuration. Every variable is described here; `docs/configuration.md` has the table. */
import { availableParallelism, totalmem } from 'node:os';
import * as z from 'zod';
import { longestTimeLimitMs } from './schemas/contract/options.ts';
import { describeIssue } from './schemas/contract/problem.ts';

const mebibyte = 2 ** 20;

/** Timers of Node count in 32 bits: a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** A body becomes one string; V8's longest string is slightly longer than this. */
const maxBodyBytes = 512 * mebibyte - 1024;

/** A number in decimal digits: Number() alone would also read `0x10` and ` `. */
const numberField = (digits: RegExp, words: string, range: z.ZodNumber) =>
  z.string().regex(digits, words).transform(Number).pipe(range);
const count = (fallback: number, describe: string, min = 0, max = Number.MAX_SAFE_INTEGER) =>
  numberField(/^\d+$/, 'must be a whole number, in digits', z.number().min(min).max(max))
    .default(fallback)
    .describe(describe);
const milliseconds = (fallback: number, describe: string, min = 0) => count(fallback, describe, min, longestTimerMs);

const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ''));

/** Every variable, by the name of its setting: `bodyLimitBytes` is BODY_LIMIT_BYTES. */
const settings = z.object({
  host: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for every one, as in the image'),
  port: count(8080, 'Port to listen on; 0 picks a free one', 0, 65_535),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log line written'),
  workers: count(availableParallelism(), 'Worker processes that solve', 1, 1024),
  workerMemoryMb: count(4096, 'Heap limit of one worker, MiB', 64),
  queueLimit: count(64, 'Requests that may wait for a worker; beyond it 503 with Retry-After'),
  queueTimeoutMs: milliseconds(10_000, 'A request that has waited this long for a worker is refused with 503', 1),
  bodyLimitBytes: count(128 * mebibyte, 'Largest body accepted: Arrow streams and crawl logs', 1024, maxBodyBytes),
  jsonLimitBytes: count(64 * mebibyte, 'Largest body of JSON accepted', 1024, maxBodyBytes),
  maxWork: numberField(/^\d+(\.\d+)?(e\+?\d+)?$/i, 'must be a number above 0, such as 1e13', z.number().positive())
    .default(1e13)
    .describe('Largest estimated work accepted, in steps of about 1 ns'),
  defaultTimeLimitMs: count(10_000, 'Time limit where a request gives none', 1, longestTimeLimitMs),
  maxTimeLimitMs: count(60_000, 'Largest time limit a request may ask for', 1, longestTimeLimitMs),
  requestTimeoutMs: milliseconds(60_000, 'The whole request, body included, must have arrived by then', 1),
  headersTimeoutMs: milliseconds(10_000, 'The headers must have arrived by then', 1),
  keepAliveTimeoutMs: milliseconds(72_000, 'An idle connection is kept this long'),
  answerTimeoutMs: milliseconds(60_000, 'An answer of which its reader takes nothing for this long is given up', 1),
  maxConnections: count(10_000, 'Connections accepted at a time', 1, 1_000_000),
  inFlightBytes: count(1024 * mebibyte, 'Bodies and large answers held at a time; beyond it 503', 1024),
  maxEventLoopDelayMs: milliseconds(
    1000,
    'Event loop delay beyond which requests are shed with 503; 0 switches this off',
  ),
  rateLimitPerMinute: count(0, 'Requests a client (address, or API key) may send a minute; 0 switches this off'),
  trustProxy: z
    .stringbool({ error: 'must be true or false' })
    .default(false)
    .describe('Take the client address from X-Forwarded-For (only behind a proxy that sets it)'),
  apiKeys: list
    .refine((keys) => keys.length > 0, 'must have a key that is not blank; leave it out where none is needed')
    .default([])
    .describe(
      'Keys of which one must come with /v1 requests, as Authorization: Bearer or X-API-Key; not set: none needed',
    ),
  corsOrigins: list
    .refine(
      (origins) =>
        origins.every((origin) => origin === '*' || (/^https?:/.test(origin) && URL.parse(origin)?.origin === origin)),
      'must be origins such as https://example.org, separated by commas, or *',
    )
    .describe('Origins allowed to call from a browser, or *; empty: none'),
  drainDelayMs: milliseconds(250, 'After SIGTERM, readiness fails this long before the port closes'),
  drainTimeoutMs: milliseconds(30_000, 'After that, requests still running are given up'),
});

/** Memory of the service and its spare worker at rest, MiB. */
const serviceMb = 288;
/** Memory of each further worker at rest, and the smallest heap worth starting a worker for, MiB. */
const idleWorkerMb = 96;
const worthwhileHeapMb = 160;
/**
 * Shares of all memory for one body and for all bodies in flight. A body may take eight times its size and more: its
 * bytes in the service and in the worker, its text, the parsed values, and garbage that is not yet collected.
 */
const bodyShare = 1 / 32;
const inFlightShare = 1 / 16;

/** Memory this process may use, bytes. */
function availableMemory(): number {
  const containerLimit = process.constrainedMemory();
  return containerLimit > 0 ? Math.min(containerLimit, totalmem()) : totalmem();
}

const clamp = (value: number, minimum: number, maximum: number): number =>
  Math.floor(Math.max(minimum, Math.min(value, maximum)));

/** Default sizes for a memory, in bytes, that the service and its workers share. */
export function sizesForMemory(bytes: number, cores = availableParallelism()) {
  const sharedMb = bytes / mebibyte - serviceMb;
  const workers = clamp(sharedMb / (idleWorkerMb + worthwhileHeapMb), 1, cores);
  return {
    workers,
    workerMemoryMb: clamp(sharedMb / workers - idleWorkerMb, 64, 4096),
    bodyLimitBytes: clamp(bytes * bodyShare, mebibyte, 128 * mebibyte),
    inFlightBytes: clamp(bytes * inFlightShare, mebibyte, 1024 * mebibyte),
  };
}

export type Config = ReturnType<typeof readConfig>;

/** A variable of the environment that cannot be used. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const variableOf = (setting: string): string => setting.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/**
 * Reads the configuration. The sizes that are not set become smaller where there is little memory.
 *
 * @throws ConfigurationError naming every variable that cannot be used, its value (a key excepted) and what would be
 * accepted
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, memoryBytes = availableMemory()) {
  const sizes: Record<string, number> = sizesForMemory(memoryBytes);
  const values: Record<string, string | undefined> = {};
  for (const setting of Object.keys(settings.shape)) {
    const value = environment[variableOf(setting)];
    // An empty value counts as not set, except for API_KEYS: an empty secret must not switch keys off.
    const isSet = value !== undefined && (value !== '' || setting === 'apiKeys');
    values[setting] = isSet ? value : sizes[setting]?.toString();
  }
  const { data: config, error } = settings
    .superRefine(({ headersTimeoutMs, requestTimeoutMs }, { addIssue }) => {
      if (headersTimeoutMs <= requestTimeoutMs) return;
      const message = `must be at most REQUEST_TIMEOUT_MS (${requestTimeoutMs}); got ${headersTimeoutMs}`;
      addIssue({ code: 'custom', path: ['headersTimeoutMs'], message });
    })
    .safeParse(values, { reportInput: true });
  if (error !== undefined) {
    const faults = error.issues.flatMap(describeIssue);
    const lines = faults.map(({ path: [setting] = [], message }) => `${variableOf(String(setting))} ${message}`);
    throw new ConfigurationError(lines.join('; '));
  }
  return {
    ...config,
    jsonLimitBytes: Math.min(config.jsonLimitBytes, config.bodyLimitBytes),
    defaultTimeLimitMs: Math.min(config.defaultTimeLimitMs, config.maxTimeLimitMs),
  };
}

/** The variables with their defaults and meaning, for `--help` and the table of docs/configuration.md. */
export function describeConfiguration(): { name: string; fallback: string; meaning: string }[] {
  return Object.entries(settings.shape).map(([setting, schema]) => ({
    name: variableOf(setting),
    fallback: setting === 'workers' ? 'number of cores' : String(schema.parse(undefined)),
    meaning: schema.description ?? '',
  }));
}
