/** The file that `pilot start` writes. */
import { readFileSync } from 'node:fs';
import { type Pilot, usualGrace } from '../../logs/pilot.ts';
import { UsageError } from '../arguments.ts';

/** 2100 in epoch seconds. */
const latestTime = 4_102_444_800;
/** Shorter periods and gaps than any crawler has would be gone through without end. */
const leastPeriod = 60;
const leastProbeGap = 0.01;

/** @throws UsageError where the file is none */
export function pilotIn(file: string): Pilot {
  const { seed, start, period, probeEvery, unit, grace = usualGrace } = parsed(file);
  const times = [start, period, probeEvery, grace].map(Number);
  const isPilot = typeof seed === 'string' && times.every((each) => each > 0 && each < latestTime);
  if (!isPilot || (unit !== 'page' && unit !== 'host')) throw new UsageError(`${file} is no file of pilot start`);
  // Days are cut at its multiples, which must be exact.
  if (!Number.isInteger(times[1]) || times[1] < leastPeriod || times[2] < leastProbeGap)
    throw new UsageError(
      `${file}: period must be whole seconds, ${leastPeriod} or more, and probeEvery ${leastProbeGap} or more`,
    );
  return { seed, start: times[0], period: times[1], probeEvery: times[2], unit, grace: times[3] };
}

function parsed(file: string): Partial<Pilot> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is no file of pilot start`);
    throw error;
  }
}
