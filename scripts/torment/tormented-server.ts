/** The service in a process of its own that watches its event loop and says how it is when asked over IPC. */
import { once } from 'node:events';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { startPools } from '../../src/dispatch/pools.ts';
import type { OperationFacts } from '../../src/operations/operation.ts';
import { withClosedForms } from '../../src/routes/served-operations.ts';
import { nurseryFile, workerFile } from '../../src/worker-file.ts';
import { TurnWatch } from './turn-watch.ts';

// As a build of the service: it knows of its operations, and loads those that it solves itself.
const [facts]: readonly OperationFacts[][] = await once(process, 'message');
const config = readConfig({
  LOG_LEVEL: 'silent',
  MAX_EVENT_LOOP_DELAY_MS: '0',
  ...process.env,
  HOST: '127.0.0.1',
  PORT: '0',
});
let tellServing = (): void => {};
const serving = new Promise<void>((resolve) => {
  tellServing = resolve;
});
// Workers are started by a process kept for that, as the service does: who starts one stands still until it runs.
const pools = startPools({ ...config, workerFile, nurseryFile }, serving);
const { server } = await buildApp(config, { operations: withClosedForms(facts), pools });
const url = await server.listen({ host: '127.0.0.1', port: 0 });
tellServing();
const watch = new TurnWatch(process.env.TORMENT_SAMPLES === 'true');

process.on('message', (message) => {
  if (message === 'stop') {
    server.close().then(() => process.exit(0));
    return;
  }
  watch.turns().then((turns) => {
    process.send?.({ ...turns, residentBytes: process.memoryUsage.rss() });
  });
});
process.send?.({ url });
