/**
 * Pages as the allocation sees them: one typed array a property, scaled so that the hot loops only multiply.
 *
 * σ is the unit of time of a page's kernel (page-gain.ts), m its mean gap, T the interval:
 *   length = T/σ, worth = w·σ²/(m·T), age = (time since the last crawl)/T, −1 for a page never crawled.
 * Taking one more crawl is worth `worth` times what the kernel says. For quasi-deterministic pages `worth` is the
 * weight and `slot` the page's place in the table of gains. Under another objective than freshness σ is the unit of
 * time and worth = w/T.
 */
import type { StalenessCost } from '../../pages/objectives/index.ts';
import type { GapLaw } from './renewal-kernel.ts';

export const poissonProcess = 0;
export const lomaxProcess = 1;
export const renewalProcess = 2;
export const quasiDeterministicProcess = 3;
/** Poisson updates under another objective than freshness. */
export const costedProcess = 4;

/**
 * The gains of quasi-deterministic pages: those of slot k are gains[offsets[k]..offsets[k + 1] − 1], non-increasing.
 */
export interface GainTable {
  readonly offsets: Int32Array;
  readonly gains: Float64Array;
}

export interface Pages {
  readonly count: number;
  /** poissonProcess, lomaxProcess, renewalProcess, quasiDeterministicProcess or costedProcess. */
  readonly process: Uint8Array;
  readonly length: Float64Array;
  readonly worth: Float64Array;
  /** Lomax: α; costedProcess: the update rate. Empty where there are none of either. */
  readonly alpha: Float64Array;
  /** renewalProcess: index of the law; quasiDeterministicProcess: index in the gain table. Empty as `alpha` is. */
  readonly slot: Int32Array;
  /** Null: every page never crawled. */
  readonly age: Float64Array | null;
  readonly minimum: Int32Array;
  readonly maximum: Int32Array;
  readonly laws: readonly GapLaw[];
  readonly table: GainTable;
  /** What a copy costs by its age, of costedProcess. */
  readonly cost: StalenessCost;
}
