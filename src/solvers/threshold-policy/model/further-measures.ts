/**
 * Measures beyond the usual ones, on request: laws instead of means, and what the papers give of the arrivals of each
 * mode.
 */
import type { TimesLaw } from '../evaluation/sojourn-times.ts';

/** What may be asked for. */
export type MeasureKind = 'distribution' | 'phases' | 'modes' | 'response' | 'expired';

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

/** The arrivals of a mode that is always on: gaps are those between batches. */
export interface ModeArrivals {
  readonly crawlers: number;
  /** λ: pages per time unit. */
  readonly arrivalRate: number;
  /** λ_g: batches per time unit. */
  readonly batchRate: number;
  /** Null where no batch ever comes, as are the correlations. */
  readonly gapVariance: number | null;
  /** Of gaps 1, 2, … apart. */
  readonly gapCorrelations: readonly number[] | null;
}

export interface FurtherMeasures {
  readonly queueLengths?: ThreeViews<readonly number[]>;
  readonly phases?: ThreeViews<PhaseShares>;
  readonly modes?: readonly ModeArrivals[];
  readonly response?: TimesLaw;
  readonly expired?: TimesLaw | null;
}
