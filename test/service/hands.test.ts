/** How many processors a large solve may use beside its own: those that no other request needs. */
import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { testService, until } from './test-service.ts';

async function hands({ server }: App): Promise<number> {
  const response = await server.inject({ method: 'POST', url: '/v1/test/hands', payload: { value: 0 } });
  return response.json().solution.value;
}

/** A worker takes at most seven more. */
const free = (processors: number): number => Math.max(0, Math.min(7, processors));

it('are all but its own while nothing else is solved, and one less for each other solve', async () => {
  const app = await testService({ WORKER_MEMORY_MB: '1024' });
  // a worker that starts needs a processor too
  while ((await hands(app)) !== free(availableParallelism() - 1)) await new Promise((later) => setTimeout(later, 50));
  const stop = new AbortController();
  const other = app.server.inject({
    method: 'POST',
    url: '/v1/test/spin',
    payload: { value: 60_000 },
    signal: stop.signal,
  });
  const ended = other.then(
    () => undefined,
    () => undefined,
  );
  await until(() => app.dispatcher.inFlight === 1 && app.dispatcher.queueDepth === 0);
  expect(await hands(app)).toBe(free(availableParallelism() - 2));
  stop.abort();
  await app.server.close();
  await ended;
});

it('are none where a worker has no memory for more threads', async () => {
  const app = await testService();
  expect(await hands(app)).toBe(0);
  await app.server.close();
});
