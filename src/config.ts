/** Environment → typed configuration. Every variable is described here; `docs/configuration.md` has the table. */
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { longestTimeLimitMs } from './schemas/contract/options.ts';
import { availableMemory, sizesForMemory } from './workers/memory-plan.ts';

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

/** Every variable, by the name of its setting: `bodyLimitBytes` is BODY_LIMIT_BYTES. */
const settings = z.object({
  host: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 for every one, as in the image'),
  port: count(8080, 'Port to listen on; 0 picks a free one', 0, 65_535),
  logLevel: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })
    .default('info')
    .describe('Least severe log line written'),
  workers: count(availableParallelism(), 'Worker processes that solve', 1, 1024),
  workerMemoryMb: count(4096, 'Heap limit of one worker, MiB', 64),
  queueLimit: count(64, 'Requests that may wait for a worker; beyond it 503 with Retry-After'),
  queueTimeoutMs: milliseconds(10_000, 'A request that has waited this long for a worker is refused with 503', 1),
  bodyLimitBytes: count(128 * 1024 * 1024, 'Largest body accepted: Arrow streams and crawl logs', 1024, maxBodyBytes),
  jsonLimitBytes: count(64 * 1024 * 1024, 'Largest body of JSON accepted', 1024, maxBodyBytes),
  maxWork: z
    .string()
    .regex(/^\d+(\.\d+)?(e\+?\d+)?$/i, { error: 'must be a number above 0, such as 1e13', abort: true })
    .transform(Number)
    .pipe(z.number({ error: 'must be a number above 0, such as 1e13' }).positive({ error: 'must be above 0' }))
    .default(1e13)
    .describe('Largest estimated work accepted, in steps of about 1 ns'),
  defaultTimeLimitMs: count(10_000, 'Time limit where a request gives none', 1, longestTimeLimitMs),
  maxTimeLimitMs: count(60_000, 'Largest time limit a request may ask for', 1, longestTimeLimitMs),
  requestTimeoutMs: milliseconds(60_000, 'The whole request, body included, must have arrived by then', 1),
  headersTimeoutMs: milliseconds(10_000, 'The headers must have arrived by then', 1),
  keepAliveTimeoutMs: milliseconds(72_000, 'An idle connection is kept this long'),
  answerTimeoutMs: milliseconds(60_000, 'An answer of which its reader takes nothing for this long is given up', 1),
  maxConnections: count(10_000, 'Connections accepted at a time', 1, 1_000_000),
  inFlightBytes: count(1024 * 1024 * 1024, 'Bodies and large answers held at a time; beyond it 503', 1024),
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
    .refine((keys) => keys.length > 0, {
      error: 'must have a key that is not blank; leave it out where none is needed',
    })
    .default([])
    .describe(
      'Keys of which one must come with /v1 requests, as Authorization: Bearer or X-API-Key; not set: none needed',
    ),
  corsOrigins: list
    .refine((origins) => origins.every((origin) => origin === '*' || httpOrigin(origin) === origin), {
      error: 'must be origins such as https://example.org, separated by commas, or *',
    })
    .describe('Origins allowed to call from a browser, or *; empty: none'),
  drainDelayMs: milliseconds(250, 'After SIGTERM, readiness fails this long before the port closes'),
  drainTimeoutMs: milliseconds(30_000, 'After that, requests still running are given up'),
});

export type Config = ReturnType<typeof readConfig>;

/** A variable of the environment that cannot be used. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const variableOf = (setting: string): string => setting.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

/** A value for a message: on one line, at most 80 characters, and never a key. */
function quoteValue(setting: string, value: string | undefined): string {
  if (setting === 'apiKeys') return '(not shown)';
  const text = value ?? '';
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/**
 * Reads the configuration. Sizes that nobody sets become smaller where there is little memory.
 *
 * @throws ConfigurationError naming every variable that cannot be used, its value and what would be accepted
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
      const message = `must be at most REQUEST_TIMEOUT_MS (${requestTimeoutMs}); is ${headersTimeoutMs}`;
      addIssue({ code: 'custom', path: ['headersTimeoutMs'], message });
    })
    .safeParse(values);
  if (error !== undefined) {
    const faults = error.issues.map(({ path: [setting], message }) => {
      const name = String(setting);
      return `${variableOf(name)}=${quoteValue(name, values[name])}: ${message}`;
    });
    throw new ConfigurationError(faults.join('; '));
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
