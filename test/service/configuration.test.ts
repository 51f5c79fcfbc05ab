/** Every variable refuses nonsense before anything starts, and says so in one line. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, describeConfiguration, readConfig } from '../../src/config.ts';

/** Values that no variable of its kind may take. */
const counts = ['-1', '1.5', 'ten', ' ', '0x10', '1e3', 'NaN', 'Infinity', '99999999999999999999999', '८'];
const nonsense: Readonly<Record<string, readonly string[]>> = {
  HOST: [],
  PORT: [...counts, '65536'],
  LOG_LEVEL: ['loud', 'INFO', '1'],
  WORKERS: [...counts, '0', '100000'],
  WORKER_MEMORY_MB: [...counts, '1'],
  QUEUE_LIMIT: counts,
  QUEUE_TIMEOUT_MS: [...counts, '0', '2147483648'],
  BODY_LIMIT_BYTES: [...counts, '10', '10000000000'],
  JSON_LIMIT_BYTES: [...counts, '10', '10000000000'],
  MAX_WORK: ['-1', '0', 'ten', ' ', '0x10', 'NaN', 'Infinity', '1e999'],
  DEFAULT_TIME_LIMIT_MS: [...counts, '0', '600001'],
  MAX_TIME_LIMIT_MS: [...counts, '0', '600001'],
  REQUEST_TIMEOUT_MS: [...counts, '0', '2147483648', '9999'],
  HEADERS_TIMEOUT_MS: [...counts, '0', '2147483648', '60001'],
  KEEP_ALIVE_TIMEOUT_MS: [...counts, '2147483648'],
  ANSWER_TIMEOUT_MS: [...counts, '0', '2147483648'],
  MAX_CONNECTIONS: [...counts, '0'],
  IN_FLIGHT_BYTES: [...counts, '10'],
  MAX_EVENT_LOOP_DELAY_MS: [...counts, '2147483648'],
  RATE_LIMIT_PER_MINUTE: counts,
  TRUST_PROXY: ['maybe', '2', ' '],
  API_KEYS: ['', ' ', ',', ' , ,'],
  CORS_ORIGINS: ['example.org', 'https://example.org/', 'https://example.org/path', 'ftp://example.org', 'null'],
  DRAIN_DELAY_MS: [...counts, '2147483648'],
  DRAIN_TIMEOUT_MS: [...counts, '2147483648'],
};

/** Variables that accept any text: whether a host exists shows when the service listens. */
const takesAnyText = ['HOST'];

describe('the configuration', () => {
  it('has invalid values in this test for every variable', () => {
    expect(Object.keys(nonsense).sort()).toEqual(
      describeConfiguration()
        .map(({ name }) => name)
        .sort(),
    );
    for (const [name, values] of Object.entries(nonsense))
      expect(values.length > 0, name).toBe(!takesAnyText.includes(name));
  });

  it('listens on this machine alone unless told otherwise', () => {
    expect(readConfig({}).host).toBe('127.0.0.1');
    expect(readConfig({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
  });

  it.each(Object.entries(nonsense).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    'refuses %s=%j on one line that names it',
    (name, value) => {
      const attempt = () => readConfig({ [name]: value });
      expect(attempt).toThrow(ConfigurationError);
      expect(attempt).toThrow(name);
      expect(attempt).toThrow(/must be|must have/);
      expect(attempt).not.toThrow(/\n/);
    },
  );

  it('names every variable that cannot be used at once', () => {
    expect(() => readConfig({ PORT: 'x', WORKERS: '0' })).toThrow(
      /PORT must be .*; got "x"; WORKERS must be at least 1; got 0/,
    );
  });

  it('takes the default for an empty value, as for none, but for the keys', () => {
    expect(readConfig({ PORT: '', CORS_ORIGINS: '' })).toEqual(readConfig({}));
  });

  it('ends the start with code 1 and that one line', async () => {
    const { code, stderr, stdout } = await start({ PORT: 'eighty', WORKERS: 'all' });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain('PORT must be a whole number, in digits; got "eighty"');
    expect(stderr).toContain('WORKERS');
  });

  it('ends the start in the same way where it cannot listen', async () => {
    const nowhere = await start({ HOST: 'no.such.host.invalid', PORT: '0' });
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(nowhere.stderr).toContain('cannot listen on no.such.host.invalid:0');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String(Reflect.get(Object(other.address()), 'port'));
    const { code, stderr } = await start({ HOST: '127.0.0.1', PORT: port });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toBe(`crawl-optimizer: cannot listen on 127.0.0.1:${port}: the port is in use (EADDRINUSE)\n`);
  });
});

function start(environment: Record<string, string>): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, LOG_LEVEL: 'silent', WORKERS: '1', ...environment };
    execFile(process.execPath, ['src/server.ts'], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}
