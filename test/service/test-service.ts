/** The service as the tests start it: quiet, small, with the faulty operations beside the real ones. */
import { afterAll } from 'vitest';
import { type App, buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { faultyOperations } from './faulty-operations.ts';

/** Waits until a worker has started, which takes seconds on a busy machine and is no part of a test. */
export async function waitForWorker(app: App): Promise<App> {
  await waitUntil(() => app.pool.isReady);
  return app;
}

/** Builds the service without listening. */
export async function testService(environment: Record<string, string> = {}): Promise<App> {
  const config = readConfig({
    LOG_LEVEL: 'silent',
    // A busy machine must not lead to refusals.
    MAX_EVENT_LOOP_DELAY_MS: '0',
    QUEUE_TIMEOUT_MS: '120000',
    WORKERS: '2',
    WORKER_MEMORY_MB: '512',
    ...environment,
  });
  const app = await buildApp(config, {
    extraOperations: faultyOperations,
    workerFile: new URL('./faulty-worker.ts', import.meta.url),
  });
  return waitForWorker(app);
}

/** Builds the service and listens on a free port of the loopback interface. */
export async function listeningService(
  environment: Record<string, string> = {},
): Promise<App & { url: string; port: number }> {
  const app = await testService(environment);
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  return { ...app, url, port: Number(new URL(url).port) };
}

/** A listening service for all tests of a file, closed after them. */
export async function sharedService(environment: Record<string, string> = {}) {
  const service = await listeningService(environment);
  afterAll(() => service.server.close());
  return service;
}

/** Waits until `condition` holds. */
export async function waitUntil(condition: () => boolean, milliseconds = 120_000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`not so within ${milliseconds} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The status of /health/ready once it is not 503 any more. */
export async function readyStatus(url: string): Promise<number> {
  for (;;) {
    const { status } = await fetch(`${url}/health/ready`);
    if (status !== 503) return status;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
