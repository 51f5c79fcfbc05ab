/** Starts the service: configuration, listen, signals. Loaded by server.ts. */
import v8 from 'node:v8';
import { type Config, ConfigurationError, readConfig } from './config.ts';
import { startPools } from './dispatch/pools.ts';
import { boundTogether } from './dispatch/start/worker-flags.ts';
import { drain } from './http/drain.ts';
import { nurseryFile, workerFile } from './worker-file.ts';

/** Ends the start with one line that says why. */
function refuseToStart(why: string): never {
  process.stderr.write(`crawl-optimizer: ${why}\n`);
  process.exit(1);
}

function configuration(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    refuseToStart(error.message);
  }
}

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'this user may not listen there',
  ENOTFOUND: 'HOST is neither an address nor the name of one',
};

/** The first requests have so long to themselves. */
const firstRequestsMs = 200;

const config = configuration();
// A body of 95 MB comes in chunks that are garbage at once: five markings of the heap, a fifth of this process's work.
const heapMb = v8.getHeapStatistics().heap_size_limit / 2 ** 20;
for (const flag of boundTogether(heapMb, process.versions.v8)) v8.setFlagsFromString(flag);
// What each request makes is garbage soon. Of some of it V8 believes otherwise, and would fill the old generation.
v8.setFlagsFromString('--no-allocation-site-pretenuring');
let tellServing = (): void => {};
const serving = new Promise<void>((resolve) => {
  tellServing = resolve;
});
// The first process is started before the service loads its own modules, so that both load at the same time.
const pools = startPools({ ...config, workerFile, nurseryFile }, serving);
const { buildApp } = await import('./app.ts');
const { server, operations, dispatcher, state, log } = await buildApp(config, { pools });

async function stop(): Promise<never> {
  try {
    await drain(server, state, config);
    await log.flush();
    process.exit(0);
  } catch (error) {
    server.log.error({ err: error }, 'shutdown failed');
    await log.flush();
    process.exit(1);
  }
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (!state.draining) {
      stop();
      return;
    }
    server.log.warn(`${signal} again: what still runs is given up`);
    process.exit(1);
  });
}
process.on('exit', log.writeNow);

const { workers, quickWorker, workerMemoryMb, bodyLimitBytes, inFlightBytes } = config;
server.log.info({ workers, quickWorker, workerMemoryMb, bodyLimitBytes, inFlightBytes }, 'sizes');

try {
  const address = await server.listen({ host: config.host, port: config.port });
  server.log.info(
    `open ${address}/ in a browser: a console that plans from a crawl log; the API explorer is at ${address}/docs`,
  );
  await log.flush();
} catch (error) {
  const code = String(Reflect.get(Object(error), 'code'));
  const why = listenFaults[code] ?? (error instanceof Error ? error.message : String(error));
  refuseToStart(`cannot listen on ${config.host}:${config.port}: ${why} (${code})`);
}
// What is not needed to serve waits until requests can be solved, and lets those through that have waited for it.
await pools.workers.firstStarted;
await new Promise((resolve) => setTimeout(resolve, firstRequestsMs));
tellServing();
await server.prepareMetrics();
server.preparePages().catch((error: unknown) => server.log.warn({ err: error }, 'the pages could not be built'));
const { warmUp } = await import('./routes/warm-up.ts');
warmUp(dispatcher, operations).catch((error: unknown) => server.log.warn({ err: error }, 'the warm-up failed'));
