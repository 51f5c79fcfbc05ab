/** Targets as a request asks for them, and as answers tell of them. */
import type { MeasureName } from './measures.ts';
import type { Groups } from './problem.ts';

/** A target of a request, by one measure. */
export interface AskedMeasure {
  readonly measure: MeasureName;
  readonly value: number;
}

/** A class or host with a target of its own. */
export interface OwnTarget extends AskedMeasure {
  readonly class: string | undefined;
  readonly host: string | undefined;
  /** Σ of its pages' scales. */
  readonly scale: number;
}

export interface AskedTarget {
  /** The measure in which answers tell of the whole. */
  readonly measure: MeasureName;
  /** The target of the whole; null where only classes and hosts have one. */
  readonly value: number | null;
  /** Σ of the pages' scales: what is left of the weight, over it, is the measure. */
  readonly scale: number;
  /** Most that may be left of the weight; Infinity for no target. */
  readonly whole: number;
  readonly own: Groups | null;
  readonly owns: readonly OwnTarget[];
}
