/** The service in a process of its own, which collects garbage and reports its memory when asked over IPC. */
import { readFileSync } from 'node:fs';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';

const { server, dispatcher } = await buildApp(
  readConfig({ LOG_LEVEL: 'warn', ...process.env, HOST: '127.0.0.1', PORT: '0' }),
);
const url = await server.listen({ host: '127.0.0.1', port: 0 });
/** What the workers hold, bytes; 0 where the system does not say. */
function workersResidentBytes(): number {
  const pageBytes = 4096;
  try {
    const workers = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
    const pages = workers.map((worker) => Number(readFileSync(`/proc/${worker}/statm`, 'utf8').split(' ')[1]));
    return pageBytes * pages.reduce((sum, each) => sum + each, 0);
  } catch {
    return 0;
  }
}

process.on('message', (message) => {
  if (message === 'memory') {
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    process.send?.({ heapUsed, rss, workersRss: workersResidentBytes(), inFlight: dispatcher.inFlight });
  } else if (message === 'stop') {
    server.close().then(() => process.exit(0));
  }
});
process.send?.({ url });
