/**
 * Loaded before a build of the service (`node --import …/watched-build.ts dist/server.js`): watches its event loop and
 * its workers, and says how they are when asked over IPC.
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { TurnWatch } from './turn-watch.ts';

/** Worker processes that ended without being told to. */
let workersLost = 0;
subscribe('child_process', (message) => {
  const { process: worker }: { process: ChildProcess } = Object(message);
  worker.once('exit', () => {
    if (!worker.killed) workersLost++;
  });
});

const watch = new TurnWatch(process.env.TORMENT_SAMPLES === 'true');
process.on('message', (message) => {
  if (message === 'stop') {
    process.kill(process.pid, 'SIGTERM');
    return;
  }
  watch.turns().then((turns) => {
    process.send?.({ ...turns, residentBytes: process.memoryUsage().rss, workersLost });
  });
});
