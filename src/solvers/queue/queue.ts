/**
 * The queue in front of the indexing engine, assembled: what every queue solver works on.
 *
 * Model: pages arrive in batches from a Markovian arrival process whose matrices depend on the mode (how many crawlers
 * are active). One server has phase-type service, first in first out. Each waiting page expires after a phase-type time.
 * At most K pages are in the system (more under complete admission, see admission.ts). The queue length picks the mode.
 *
 * Symbols: W arrival phases · M service phases · R obsolescence phases · K capacity · N modes, ascending in crawlers ·
 * D_k[W×W] rates of batches of k · (β, S) service · (γ, Γ) obsolescence. All rates per unit of time; matrices
 * row-major.
 *
 * Source: Avrachenkov, Dudin, Klimenok, Nain, Semenova (2012), section 2.
 */

/** A phase-type law as it is written down: `initial` (length n) and `generator` (n×n rows). */
export interface PhaseTypeLaw {
  readonly initial: readonly number[];
  readonly generator: readonly (readonly number[])[];
}

export type Matrix = readonly (readonly number[])[];

/** The five ways of saying how pages arrive in each mode. */
export type ArrivalModel =
  | {
      readonly model: 'per-mode';
      readonly modes: readonly { readonly crawlers: number; readonly matrices: readonly Matrix[] }[];
    }
  | { readonly model: 'superposition'; readonly crawlers: readonly { readonly matrices: readonly Matrix[] }[] }
  | { readonly model: 'thinning'; readonly matrices: readonly Matrix[]; readonly probabilities: readonly number[] }
  | { readonly model: 'marked'; readonly d0: Matrix; readonly crawlers: readonly (readonly Matrix[])[] }
  | { readonly model: 'scaled'; readonly matrices: readonly Matrix[]; readonly factors: readonly number[] };

export type Admission = 'partial' | 'complete-rejection' | 'complete-admission';

/** What the caller describes: the queue before it is checked and assembled. */
export interface QueueDescription {
  readonly capacity: number;
  readonly arrivals: ArrivalModel;
  readonly service: PhaseTypeLaw;
  readonly obsolescence: PhaseTypeLaw | null;
  readonly admission?: Admission | undefined;
  /** Crawler counts allowed; all when left out. */
  readonly modes?: readonly number[] | undefined;
}

/** One mode: its crawler count and its arrival process. The diagonal of D_0 is −(all other rates of the row). */
export interface Mode {
  readonly crawlers: number;
  /** D_0, …, D_kmax, each W×W. */
  readonly matrices: readonly Float64Array[];
  /** Fundamental rate λ: pages per unit of time when the mode is always on. */
  readonly arrivalRate: number;
  /** Path of the mode in the request. */
  readonly path: readonly (string | number)[];
}

/** A phase-type law in use: every phase can be reached, every phase leads out. */
export interface PhaseType {
  readonly phases: number;
  readonly initial: Float64Array;
  /** S, row-major; its diagonal is −(off-diagonal rates + exit rate). */
  readonly generator: Float64Array;
  /** S0 = −S·e: rate of the end from each phase. */
  readonly exit: Float64Array;
}

export interface Queue {
  readonly capacity: number;
  /** The longest the queue can be: K, or K − 1 + k_max under complete admission. */
  readonly topLevel: number;
  readonly admission: Admission;
  /** W. */
  readonly arrivalPhases: number;
  readonly largestBatch: number;
  readonly modes: readonly Mode[];
  readonly service: PhaseType;
  /** Null when pages never expire; one phase when the law is exponential, however it was written. */
  readonly obsolescence: PhaseType | null;
}

/** The mode (position in `queue.modes`) at each level 0..topLevel; levels above K keep the mode of K. */
export type ModeByLevel = Uint8Array;

/** Number of phases of a level: W·M. */
export function blockSize(queue: Queue): number {
  return queue.arrivalPhases * queue.service.phases;
}

/**
 * The number of a state where waiting pages need no phases, level by level. An empty system has no service phase; the
 * first state of the level above the top is the number of states.
 */
export function stateAt(queue: Queue, level: number, arrivalPhase: number, servicePhase: number): number {
  const { arrivalPhases, service } = queue;
  if (level === 0) return arrivalPhase;
  return arrivalPhases + (level - 1) * blockSize(queue) + arrivalPhase * service.phases + servicePhase;
}

/**
 * The least active mode that an empty system may be in. With all crawlers off and nothing to index, no event would ever
 * follow at which the controller could switch one on.
 */
export function minModeWhenEmpty(queue: Queue): number {
  return queue.modes[0].crawlers === 0 ? 1 : 0;
}

/** The policy that is in `mode` at every level. */
export function constantPolicy(queue: Queue, mode: number): ModeByLevel {
  return new Uint8Array(queue.topLevel + 1).fill(mode);
}

/**
 * The policy of a threshold vector: modes[N−1] (most active) while i ≤ j_1, modes[N−2] while j_1 < i ≤ j_2, …
 *
 * @param thresholds N − 1 non-decreasing integers in −1..K
 */
export function modesOfThresholds(queue: Queue, thresholds: readonly number[]): ModeByLevel {
  const byLevel = constantPolicy(queue, 0);
  // The mode of a level is the number of thresholds at or above it.
  for (const threshold of thresholds) {
    const end = threshold < queue.capacity ? threshold : queue.topLevel;
    for (let level = 0; level <= end; level++) byLevel[level]++;
  }
  return byLevel;
}

/** The full threshold vector (N − 1 integers in −1..K) of a policy whose modes do not rise with the level. */
export function thresholdsOfModes({ modes, capacity }: Queue, byLevel: ModeByLevel): number[] {
  const modesByLength = byLevel.subarray(0, capacity + 1);
  return Array.from({ length: modes.length - 1 }, (_, i) =>
    modesByLength.findLastIndex((mode) => mode >= modes.length - 1 - i),
  );
}

/** True when modes or targets never rise with the queue length. */
export function isNonIncreasing(byLength: ArrayLike<number>): boolean {
  for (let q = 1; q < byLength.length; q++) if (byLength[q] > byLength[q - 1]) return false;
  return true;
}
