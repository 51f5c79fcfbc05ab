/** changedetection.io itself, in a folder of its own. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort, waitFor } from './wait-for.ts';

/** @param clone the folder whose artefacts/changedetection has it; null where it is not installed */
export function changedetectionPrograms(clone: string): string | null {
  const programs = resolve(clone, 'artefacts/changedetection/bin');
  return existsSync(join(programs, 'changedetection.io')) ? programs : null;
}

export interface Watch {
  readonly uuid: string;
  readonly url: string;
  readonly check_count: number;
  readonly history_n: number;
  readonly time_between_check_use_default?: boolean;
  readonly time_between_check: Readonly<Record<string, number | null>>;
}

export interface Instance {
  readonly base: string;
  readonly key: string;
  readonly ask: <T>(method: string, path: string, body?: object) => Promise<T>;
  readonly remove: (uuid: string) => Promise<unknown>;
  readonly watches: () => Promise<Watch[]>;
  readonly stop: () => void;
}

/**
 * An instance without watches.
 *
 * @param modules a folder of further packages of Python
 */
export async function startChangedetection(programs: string, folder: string, modules = ''): Promise<Instance> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const words = [join(programs, 'changedetection.io'), '-C', '-d', folder, '-h', '127.0.0.1', '-p', String(port)];
  // Loopback is what it otherwise refuses to fetch.
  const env = {
    ...process.env,
    PYTHONPATH: modules,
    ALLOW_IANA_RESTRICTED_ADDRESSES: 'true',
    MINIMUM_SECONDS_RECHECK_TIME: '0',
  };
  const instance = spawn(join(programs, 'python'), words, { env, stdio: 'ignore' });
  const key = await waitFor('the API key', async () => {
    const { settings } = JSON.parse(readFileSync(join(folder, 'changedetection.json'), 'utf8'));
    const token: unknown = settings.application.api_access_token;
    return typeof token === 'string' && token !== '' ? token : undefined;
  });
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return JSON.parse(await response.text());
  };
  const remove = (uuid: string): Promise<unknown> =>
    fetch(`${base}/api/v1/watch/${uuid}`, { method: 'DELETE', headers: { 'x-api-key': key } });
  // Its two examples are of the internet.
  const list = await waitFor('the API', () => ask<object>('GET', '/watch'));
  await Promise.all(Object.keys(list).map(remove));
  return {
    base,
    key,
    ask,
    remove,
    async watches() {
      const uuids = Object.keys(await ask<object>('GET', '/watch'));
      return Promise.all(uuids.map((uuid) => ask<Watch>('GET', `/watch/${uuid}`)));
    },
    stop: () => void instance.kill('SIGKILL'),
  };
}
