/**
 * Measures beyond the usual ones, on request: laws instead of means, and what the papers give of the arrivals of each
 * mode.
 */
import type { ModeArrivals } from '../../../queue/mode-arrivals.ts';
import type { TimesLaw } from './sojourn-times.ts';

/** A law at any time, as arriving pages find it, and as indexed pages leave it behind. */
export interface ThreeViews<Law> {
  readonly atAnyTime: Law;
  readonly atArrivals: Law;
  readonly atDepartures: Law;
}

export interface PhaseShares {
  readonly arrival: readonly number[];
  /** Of the phases of indexing, while something is being indexed; null entries where a phase is never seen. */
  readonly service: readonly number[];
}

export interface FurtherMeasures {
  readonly queueLengths?: ThreeViews<readonly number[]>;
  readonly phases?: ThreeViews<PhaseShares>;
  readonly modes?: readonly ModeArrivals[];
  readonly response?: TimesLaw;
  readonly expired?: TimesLaw | null;
}
