/** Long turns of the event loop, and whose doing each was: the service's own, other work's, or the host's. */
import type { HostControl } from './host-control.ts';
import type { Attack } from './search.ts';
import type { Turn } from './turn-watch.ts';

/** A long turn of the event loop, and what was being asked meanwhile. */
export interface Stall extends Turn {
  readonly attacks: readonly Attack[];
  /** For how long its processor ran nothing of this machine, by the control. */
  readonly hostMs: number;
  /** What neither waiting for a processor nor the host accounts for. */
  readonly ownMs: number;
}

/** What the event loop did while something was tried. */
export interface Turned {
  readonly stalls: Stall[];
  longestWallMs: number;
  longestProcessorMs: number;
}

export const untried = (): Turned => ({ stalls: [], longestWallMs: 0, longestProcessorMs: 0 });

/**
 * Divides a turn. While the host holds a processor, a thread on it counts that as running or as waiting, nobody knows
 * which; so the greater of the two is taken off and not their sum. Where a turn began and ended on different
 * processors, the one that stood still for less counts.
 */
export function stallOf(turn: Turn, attacks: readonly Attack[], control: HostControl): Stall {
  const { endedAt, wallMs, waitedMs, processors } = turn;
  const hostMs = Math.min(...processors.map((processor) => control.pausedMs(processor, endedAt - wallMs, endedAt)));
  return { ...turn, attacks, hostMs, ownMs: Math.max(0, wallMs - Math.max(waitedMs, hostMs)) };
}

/** The stall with the most of something; undefined where there is none. */
export function worstBy(stalls: readonly Stall[], of: (stall: Stall) => number): Stall | undefined {
  return stalls.reduce<Stall | undefined>((worst, stall) => {
    return worst === undefined || of(stall) > of(worst) ? stall : worst;
  }, undefined);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Rows of the table: how long the event loop stood still, and why. */
export function stallRows(stalls: readonly Stall[], longestAllowedMs: number): (readonly [string, string])[] {
  const own = worstBy(stalls, ({ ownMs }) => ownMs);
  const collecting = worstBy(stalls, ({ collections, ownMs }) => Math.min(ownMs, sum(collections)));
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const above = stalls.filter(({ ownMs }) => ownMs >= longestAllowedMs).length;
  return [
    ['longest turn less what it waited for a processor and the host took', own ? ms(own.ownMs) : '0 ms'],
    ['such turns of its own doing above the limit', String(above)],
    ['most of a turn spent collecting garbage', ms(collecting ? sum(collecting.collections) : 0)],
  ];
}
