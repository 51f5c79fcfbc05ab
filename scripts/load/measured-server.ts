/** The service in a process of its own, which collects garbage and reports its memory when asked over IPC. */
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';

const { server, dispatcher } = await buildApp(
  readConfig({ LOG_LEVEL: 'warn', ...process.env, HOST: '127.0.0.1', PORT: '0' }),
);
const url = await server.listen({ host: '127.0.0.1', port: 0 });
process.on('message', (message) => {
  if (message === 'memory') {
    globalThis.gc?.();
    const { heapUsed, rss, external } = process.memoryUsage();
    process.send?.({ heapUsed, rss, external, inFlight: dispatcher.inFlight });
  } else if (message === 'stop') {
    server.close().then(() => process.exit(0));
  }
});
process.send?.({ url });
