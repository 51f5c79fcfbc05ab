/**
 * The service in a process of its own that watches its event loop: of every turn, how long it took on the wall and on
 * the processor. On a machine that others use too, only the latter is the service's own doing.
 */
import { once } from 'node:events';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { OperationFacts } from '../../src/operations/operation.ts';
import { withClosedForms } from '../../src/routes/served-operations.ts';

const turnEveryMs = 5;
// As a build of the service: it knows of its operations, and loads those that it solves itself.
const [facts]: readonly OperationFacts[][] = await once(process, 'message');
const { server, dispatcher } = await buildApp(
  readConfig({ LOG_LEVEL: 'silent', MAX_EVENT_LOOP_DELAY_MS: '0', ...process.env, HOST: '127.0.0.1', PORT: '0' }),
  { operations: withClosedForms(facts) },
);
const url = await server.listen({ host: '127.0.0.1', port: 0 });

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let wallAt = performance.now();
let processorAt = processorMs();
let worst = { wallMs: 0, processorMs: 0 };
setInterval(() => {
  const wall = performance.now();
  const processor = processorMs();
  worst = {
    wallMs: Math.max(worst.wallMs, wall - wallAt - turnEveryMs),
    processorMs: Math.max(worst.processorMs, processor - processorAt),
  };
  wallAt = wall;
  processorAt = processor;
}, turnEveryMs);

process.on('message', (message) => {
  if (message === 'stop') {
    server.close().then(() => process.exit(0));
    return;
  }
  const { rss } = process.memoryUsage();
  process.send?.({ ...worst, residentBytes: rss, workersLost: dispatcher.workersLost });
  worst = { wallMs: 0, processorMs: 0 };
});
process.send?.({ url });
