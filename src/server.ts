/** Starts the service: configuration, listen, signals. */
import { buildApp } from './app.ts';
import { type Config, ConfigurationError, readConfig } from './config.ts';
import { drain } from './http/drain.ts';

function configuration(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`configuration: ${error.message}\n`);
    process.exit(2);
  }
}

const config = configuration();
const { server, state, loadConsole } = await buildApp(config);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    drain(server, state, config).then(
      () => process.exit(0),
      (error: unknown) => {
        server.log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  });
}

try {
  await server.listen({ host: config.host, port: config.port });
  loadConsole().catch((error: unknown) => server.log.warn({ err: error }, 'the console could not be loaded'));
} catch (error) {
  server.log.fatal({ err: error }, `cannot listen on ${config.host}:${config.port}`);
  process.exit(1);
}
