/**
 * Beats on one processor of this machine, above all ordinary work, and writes down every beat that came late. While a
 * metronome is late, its processor ran nothing. `chrt -f 20 taskset -c 0 node metronome.ts`, one a processor. A line of
 * its output is the start and the end of a pause, in milliseconds of the clock that all processes share.
 */
import { writeSync } from 'node:fs';
import { clockMs } from './clock.ts';

const beatMs = 2;
/** A beat this late is a pause; a shorter one may be the kernel's own work. */
const lateMs = 8;
/** Whoever started it is looked for after so many beats. */
const looksEvery = 500;

const startedBy = process.ppid;
const cell = new Int32Array(new SharedArrayBuffer(4));
for (let beats = 1; beats % looksEvery !== 0 || process.ppid === startedBy; beats++) {
  const from = clockMs();
  Atomics.wait(cell, 0, 0, beatMs);
  const to = clockMs();
  if (to - from > lateMs) writeSync(1, `${from + beatMs} ${to}\n`);
}
