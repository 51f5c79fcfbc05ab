/** What probes of a crawler's copies say of their freshness. */

/** Probes in any order; columns of one length, a row a probe. */
export interface FreshnessProblem {
  /** When the probe was made; any unit. */
  readonly time: Float64Array;
  /** The host, by its position in `hosts`; −1 where the probe names none. */
  readonly host: Int32Array;
  readonly hosts: readonly string[];
  /** 1 where the copy was current, else 0. */
  readonly current: Uint8Array;
  /** Weight of the probe, above 0. */
  readonly weight: Float64Array;
  /** 1 − α: the probability that an interval holds at all times together. */
  readonly confidence: number;
}

/** An estimate with an interval that holds at all times together. */
export interface AnytimeEstimate {
  /** Null where there is no probe. */
  readonly value: number | null;
  readonly interval: readonly [low: number, high: number];
  readonly probes: number;
}

export interface FreshnessAnswer {
  readonly freshness: AnytimeEstimate;
  /** Estimates by host, in the order in which the hosts were first named. */
  readonly byHost: readonly (AnytimeEstimate & { readonly host: string })[];
}
