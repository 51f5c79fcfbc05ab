/**
 * The service in a process of its own that watches its event loop: of every turn, how long it took on the wall and on
 * the processor, and how much of that collecting garbage took. On a machine that others use too, only the time on the
 * processor is the service's own doing.
 */
import { once } from 'node:events';
import { PerformanceObserver } from 'node:perf_hooks';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { OperationFacts } from '../../src/operations/operation.ts';
import { withClosedForms } from '../../src/routes/served-operations.ts';

// As a build of the service: it knows of its operations, and loads those that it solves itself.
const [facts]: readonly OperationFacts[][] = await once(process, 'message');
const { server, dispatcher } = await buildApp(
  readConfig({ LOG_LEVEL: 'silent', MAX_EVENT_LOOP_DELAY_MS: '0', ...process.env, HOST: '127.0.0.1', PORT: '0' }),
  { operations: withClosedForms(facts) },
);
const url = await server.listen({ host: '127.0.0.1', port: 0 });

/** Ends a turn after so long where nothing else does. */
const turnEveryMs = 5;

/** A span of the event loop, in milliseconds of this process's clock. */
interface Turn {
  readonly from: number;
  readonly to: number;
  readonly processorMs: number;
}

/** The longest turns since the last time it was asked. */
let wallMs = 0;
let worst: Turn = { from: 0, to: 0, processorMs: 0 };
let collected: { readonly at: number; readonly ms: number }[] = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) collected.push({ at: startTime, ms: duration });
}).observe({ entryTypes: ['gc'] });

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let from = performance.now();
let processorAt = processorMs();
setInterval(() => {
  const turn = { from, to: performance.now(), processorMs: processorMs() - processorAt };
  wallMs = Math.max(wallMs, turn.to - from - turnEveryMs);
  if (turn.processorMs > worst.processorMs) worst = turn;
  from = turn.to;
  processorAt += turn.processorMs;
}, turnEveryMs);

process.on('message', (message) => {
  if (message === 'stop') {
    server.close().then(() => process.exit(0));
    return;
  }
  // What the observer has not been told yet it is told within two turns.
  setTimeout(() => {
    const collections = collected.filter(({ at }) => at >= worst.from && at <= worst.to).map(({ ms }) => ms);
    const { rss } = process.memoryUsage();
    const loop = { wallMs, processorMs: worst.processorMs, collections };
    process.send?.({ ...loop, residentBytes: rss, workersLost: dispatcher.workersLost });
    wallMs = 0;
    worst = { from: 0, to: 0, processorMs: 0 };
    collected = [];
  }, 2 * turnEveryMs);
});
process.send?.({ url });
