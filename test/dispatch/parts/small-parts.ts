/** Small parts, and the thread that knows them. */
import { isMainThread } from 'node:worker_threads';
import { serveParts } from '../../../src/dispatch/parts/serve-parts.ts';
import type { Part } from '../../../src/solvers/budget.ts';

/** 2x. */
export const twice: Part<Float64Array, Float64Array> = { name: 'twice', run: (x) => x.map((each) => 2 * each) };

/** Fails wherever it does not run beside the others: 1 there. */
export const failsThere: Part<null, number> = {
  name: 'fails-there',
  run() {
    if (!isMainThread) throw new Error('not here');
    return 1;
  },
};

/** Goes on until it is stopped, and counts in shared memory how often it looked at its budget. */
export const untilStopped: Part<Int32Array, boolean> = {
  name: 'until-stopped',
  run(looks, budget) {
    while (!budget.stopRequested()) Atomics.add(looks, 0, 1);
    return true;
  },
};

/** Ends its thread. */
export const endsThread: Part<null, number> = {
  name: 'ends-thread',
  run() {
    if (!isMainThread) process.exit(1);
    return 2;
  },
};

if (!isMainThread) serveParts([twice, failsThere, untilStopped, endsThread]);
