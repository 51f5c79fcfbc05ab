/** Small tasks, done aside, and the thread that knows them. */
import { isMainThread } from 'node:worker_threads';
import { serveAsides } from '../../src/dispatch/aside/serve-asides.ts';
import type { AsideTask } from '../../src/solvers/budget.ts';

/** 2x. */
export const twice: AsideTask<Float64Array, Float64Array> = { name: 'twice', run: (x) => x.map((each) => 2 * each) };

/** Fails wherever it does not run beside the others: 1 there. */
export const failsAside: AsideTask<null, number> = {
  name: 'fails-aside',
  run() {
    if (!isMainThread) throw new Error('not here');
    return 1;
  },
};

/** Goes on until it is stopped, and counts in shared memory how often it looked at its budget. */
export const untilStopped: AsideTask<Int32Array, boolean> = {
  name: 'until-stopped',
  run(looks, budget) {
    while (!budget.stopRequested()) Atomics.add(looks, 0, 1);
    return true;
  },
};

/** Ends its thread. */
export const endsThread: AsideTask<null, number> = {
  name: 'ends-thread',
  run() {
    if (!isMainThread) process.exit(1);
    return 2;
  },
};

if (!isMainThread) serveAsides([twice, failsAside, untilStopped, endsThread]);
