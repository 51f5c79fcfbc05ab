/** Long turns of the event loop, and whose doing each was: the service's own, other work's, or the host's. */
import type { HostControl } from './host-control.ts';
import type { Attack } from './search.ts';
import type { Turn } from './turn-watch.ts';

/** A long turn of the event loop, and what was being asked meanwhile. */
export interface Stall extends Turn {
  readonly attacks: readonly Attack[];
  /**
   * For how long the host held the processor that it began or ended on, the lesser of the two. Also how long it held
   * any processor at all, by the control.
   */
  readonly hostMs: readonly [number, number];
  /** The least and the most that was the service's own doing: what it had a processor for, and what it did not wait for. */
  readonly ownMs: readonly [number, number];
}

/** What the event loop did while something was tried. */
export interface Turned {
  readonly stalls: Stall[];
  longestWallMs: number;
  longestProcessorMs: number;
}

export const untried = (): Turned => ({ stalls: [], longestWallMs: 0, longestProcessorMs: 0 });

/**
 * Divides a turn. While the host holds a processor, a thread on it counts that as running or as waiting, and nobody
 * knows which. If as waiting, the greater of the two is not the service's doing; if as running, their sum is not. Nor
 * is it known where a thread was between the processors on which the turn began and ended, or whom it stood still for.
 * A thread that collects garbage, or another process at the other end of a pipe, may itself have had no processor. What
 * is sure is what the thread had one for while none stood still.
 */
export function stallOf(turn: Turn, attacks: readonly Attack[], control: HostControl): Stall {
  const { endedAt, wallMs, processorMs, waitedMs, processors } = turn;
  const paused = processors.map((processor) => control.pausedMs(processor, endedAt - wallMs, endedAt));
  const hostMs = [Math.min(...paused), control.anyPausedMs(endedAt - wallMs, endedAt)] as const;
  const most = Math.max(0, wallMs - Math.max(waitedMs, hostMs[0]));
  const least = Math.max(0, Math.min(processorMs, wallMs - waitedMs) - hostMs[1]);
  return { ...turn, attacks, hostMs, ownMs: [least, most] };
}

/** The longest turn by the service's own doing, as far as that is sure and as far as it may be. */
export function longestOwnMs(stalls: readonly Stall[]): { readonly sure: number; readonly possible: number } {
  return {
    sure: Math.max(0, ...stalls.map(({ ownMs: [least] }) => least)),
    possible: Math.max(0, ...stalls.map(({ ownMs: [, most] }) => most)),
  };
}

/** Rows of the table: how long the event loop stood still, and by whose doing. */
export function turnRows(turned: Turned, longestAllowedMs: number): (readonly [string, string])[] {
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  // One turn may be seen by two requests that were in flight.
  const stalls = [...new Map(turned.stalls.map((stall) => [stall.endedAt, stall])).values()];
  const { sure, possible } = longestOwnMs(stalls);
  const above = (end: 0 | 1): number => stalls.filter(({ ownMs }) => ownMs[end] >= longestAllowedMs).length;
  const collected = stalls.map(({ collections }) => collections.reduce((total, each) => total + each, 0));
  return [
    ['longest turn of the event loop, wall', ms(turned.longestWallMs)],
    ['longest turn of the event loop, processor time', ms(turned.longestProcessorMs)],
    [
      'longest turn less waiting for a processor and what the host took: for sure / perhaps',
      `${ms(sure)} / ${ms(possible)}`,
    ],
    [`such turns of ${longestAllowedMs} ms: for sure / perhaps`, `${above(0)} / ${above(1)}`],
    ['most of a turn in collections of garbage, wall', ms(Math.max(0, ...collected))],
  ];
}
