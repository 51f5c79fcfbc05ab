/** Waiting for a state of a process that the test has started. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The first value other than undefined that `look` gives; an error of it counts as not yet. */
export async function waitFor<T>(what: string, look: () => Promise<T | undefined>, seconds = 90): Promise<T> {
  const end = Date.now() + seconds * 1000;
  let last: unknown;
  while (Date.now() < end) {
    try {
      const value = await look();
      if (value !== undefined) return value;
    } catch (error) {
      last = error;
    }
    await sleep(100);
  }
  throw new Error(`${what} did not come within ${seconds} s${last === undefined ? '' : `: ${String(last)}`}`);
}

/** A port of the loopback interface that nobody listens on now. */
export async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
