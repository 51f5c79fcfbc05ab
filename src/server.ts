/** Entry of the service: configuration, listen, signals. */
import { keepCompiledCode } from './compile-cache.ts';
import { type Config, ConfigurationError, readConfig } from './config.ts';

keepCompiledCode();

/** Ends the start with one line that says why. */
function refuseToStart(reason: string): never {
  process.stderr.write(`crawl-optimizer: ${reason}\n`);
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

const config = configuration();
// Only modules imported from here on are kept compiled; the workers find the folder of the cache in their environment.
const { buildApp } = await import('./app.ts');
const { server, startDraining } = await buildApp(config);

/** Lets the accepted requests finish and closes; past the drain timeout what still runs is given up. */
async function stop(): Promise<void> {
  const { drainDelayMs, drainTimeoutMs } = config;
  startDraining();
  server.log.info({ drainDelayMs, drainTimeoutMs }, 'draining');
  await new Promise((resolve) => setTimeout(resolve, drainDelayMs));
  setTimeout(() => {
    server.log.warn('drain timeout: requests still running are given up');
    server.server.closeAllConnections();
  }, drainTimeoutMs).unref();
  await server.close();
  server.log.info('closed');
  process.exit(0);
}

let shutdown: Promise<void> | undefined;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (shutdown !== undefined) {
      server.log.warn(`${signal} again: what still runs is given up`);
      process.exit(1);
    }
    shutdown = stop().catch((error: unknown) => {
      server.log.error({ err: error }, 'shutdown failed');
      process.exit(1);
    });
  });
}

const { workers, workerMemoryMb, bodyLimitBytes, inFlightBytes } = config;
server.log.info({ workers, workerMemoryMb, bodyLimitBytes, inFlightBytes }, 'sizes');

try {
  const address = await server.listen({ host: config.host, port: config.port });
  server.log.info(
    `open ${address}/ in a browser: a console that plans from a crawl log; the API explorer is at ${address}/docs`,
  );
} catch (error) {
  const code = String(Reflect.get(Object(error), 'code'));
  const reason = listenFaults[code] ?? (error instanceof Error ? error.message : String(error));
  refuseToStart(`cannot listen on ${config.host}:${config.port}: ${reason} (${code})`);
}
