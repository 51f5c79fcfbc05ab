/**
 * Loaded before a build of the service (`node --import …/watched-build.ts dist/server.js`): watches its event loop, and
 * says how it is when asked over IPC.
 */
import { TurnWatch } from './turn-watch.ts';

const watch = new TurnWatch(process.env.TORMENT_SAMPLES === 'true');
process.on('message', (message) => {
  if (message === 'stop') {
    process.kill(process.pid, 'SIGTERM');
    return;
  }
  watch.turns().then((turns) => {
    process.send?.({ ...turns, residentBytes: process.memoryUsage.rss() });
  });
});
