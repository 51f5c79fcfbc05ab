/** The file that `pilot start` writes. */
import { readFileSync } from 'node:fs';
import { type Pilot, usualGrace } from '../../logs/pilot.ts';
import { UsageError } from '../arguments.ts';

/** @throws UsageError where the file is none */
export function pilotIn(file: string): Pilot {
  const { seed, start, period, probeEvery, unit, grace = usualGrace } = parsed(file);
  const times = [start, period, probeEvery, grace].map(Number);
  const isPilot = typeof seed === 'string' && times.every((each) => each > 0);
  if (!isPilot || (unit !== 'page' && unit !== 'host')) throw new UsageError(`${file} is no file of pilot start`);
  return { seed, start: times[0], period: times[1], probeEvery: times[2], unit, grace: times[3] };
}

function parsed(file: string): Partial<Pilot> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is no file of pilot start`);
    throw error;
  }
}
