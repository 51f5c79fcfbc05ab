/** What probes of a crawler's copies say of their freshness, and of the difference of two ways to crawl. */

/** Which rule a unit's pages are crawled by in a period. */
export type Arm = 'plan' | 'incumbent';

/** Probes in any order; columns of one length, a row a probe. */
export interface FreshnessProblem {
  /** When the probe was made; any unit, that of `period`. */
  readonly time: Float64Array;
  /** The host, by its position in `hosts`; −1 where the probe names none. */
  readonly host: Int32Array;
  readonly hosts: readonly string[];
  /** 1 where the copy was current, else 0. */
  readonly current: Uint8Array;
  /** What the probe counts beside others; above 0. */
  readonly weight: Float64Array;
  /** m: a forecast of `current` that was made without knowing the arm, 0 to 1; NaN: the mean of what came before. */
  readonly forecast: Float64Array;
  /** The arms of the trial; null where there is none. */
  readonly trial: Trial | null;
  /** 1 − α: the chance that an interval holds at all times together. */
  readonly confidence: number;
  /** How many moments of the past to answer for as well, evenly spread over the probes. */
  readonly history: number;
}

/** A trial: time is cut into periods, and in each every unit belongs to one arm. */
export interface Trial {
  /** L: the length of a period. Period k is [kL, (k + 1)L). */
  readonly period: number;
  /** Probes within this time after the start of a period are left out of the difference. */
  readonly settling: number;
  /** The unit of each probe, by its position in `units`: its page or its host. */
  readonly unit: Int32Array;
  readonly units: readonly string[];
  /** What deals the units (coin.ts); null where the arms of the probes are all that is known. */
  readonly seed: string | null;
  /** The arm that each probe names: +1 the plan, −1 the incumbent, 0 none. */
  readonly arm: Int8Array;
}

/** An estimate with an interval that holds at all times together. */
export interface AnytimeEstimate {
  /** null without any probe. */
  readonly value: number | null;
  readonly interval: readonly [low: number, high: number];
  readonly probes: number;
}

/** What the probes said at a moment, the time of one of them; null where there is no trial. */
interface PastEstimates {
  readonly time: number;
  readonly freshness: AnytimeEstimate;
  readonly byArm: Readonly<Record<Arm, AnytimeEstimate>> | null;
  readonly difference: AnytimeEstimate | null;
}

export type Verdict = 'take-over' | 'roll-back' | 'go-on';

/** What the probes say. Where there is no trial its members are null. */
export interface FreshnessAnswer {
  readonly freshness: AnytimeEstimate;
  readonly byArm: Readonly<Record<Arm, AnytimeEstimate>> | null;
  /** In the order in which the hosts were first named. */
  readonly byHost: readonly (AnytimeEstimate & { readonly host: string })[];
  /** Freshness under the plan less that under the incumbent. */
  readonly difference: AnytimeEstimate | null;
  readonly verdict: Verdict | null;
  /** Counted probes that a verdict will probably take in all; null where none can be told, or there is one. */
  readonly probesNeeded: number | null;
  /** Probes that do not count towards the difference, by reason. */
  readonly leftOut: { readonly repeated: number; readonly settling: number; readonly withoutArm: number } | null;
  /** Oldest first, the last of them now. */
  readonly history: readonly PastEstimates[];
}
