/** What a log says of hosts, and what is learnt from it. Times in seconds, hosts in the order of the log's. */

/** How a request ended. */
export const answeredOutcome = 0;
/** 429 or 503, or an answer slower than what counts as one. */
export const refusedOutcome = 1;
/** A failure of another kind: it counts as a request, not as an answer or a refusal. */
export const inconclusiveOutcome = 2;

/** Requests of host h are those at offsets[h]..offsets[h+1]−1, in order of time. */
export interface RequestLog {
  readonly offsets: Uint32Array;
  readonly time: Float64Array;
  readonly outcome: Uint8Array;
  /** Seconds the host asked to be left alone for; NaN where it did not. */
  readonly retryAfter: Float64Array;
  /** Seconds until the answer; NaN where that is not known. */
  readonly latency: Float64Array;
}

export interface HostLimitsProblem {
  readonly log: RequestLog;
  /** By host. */
  readonly names: readonly string[];
  /** Requests that the log had earlier than the one before them. */
  readonly outOfOrder: number;
  /** ε: the share of requests that may be refused. */
  readonly tolerated: number;
  readonly confidence: number;
  /** m: how many gaps back a host looks when it judges the pace. */
  readonly memory: number;
  /** Requests of a host that may be under way at once. */
  readonly connections: number;
  /** By which share of the rate a host bears its rate is raised from plan to plan. */
  readonly increase: number;
  /** By host: the delay in force, NaN where it is not said, and since when (−Infinity: the whole log). */
  readonly delay: Float64Array;
  readonly since: Float64Array;
}

/** What sets a host's delay: refusals it made, how long its answers take, or nothing but the pace it was asked at. */
export type HostEvidence = 'refusals' | 'latency' | 'none';

/** A quota: `count` requests a `period`, in seconds. */
export interface HostQuota {
  readonly period: number;
  readonly count: number;
  readonly window: 'fixed' | 'sliding';
  /** Of a fixed window: its beginning, seconds after a multiple of the period; null for a sliding one. */
  readonly phase: number | null;
}

export interface HostLimit {
  readonly host: string;
  /** Least seconds between two requests that the host bears; null where the log has no steady pace. */
  readonly minDelay: number | null;
  readonly maxRate: number | null;
  /** The delay lies in it with the confidence asked for; null where nothing bounds it. */
  readonly interval: readonly [low: number, high: number | null];
  /** The delay to use until the next log: additive increase of the rate, or half of it. */
  readonly nextDelay: number | null;
  readonly evidence: HostEvidence;
  readonly requests: number;
  readonly refusals: number;
  /** Requests at a steady pace, by which the pace is judged. */
  readonly judged: number;
  /** The fitted chance of a refusal at minDelay. */
  readonly refusalShare: number | null;
  readonly medianLatency: number | null;
  /** Until when the host asked to be left alone, where that is after its last request. */
  readonly notBefore: number | null;
  /** So many requests a window, where that explains the refusals. */
  readonly quota: HostQuota | null;
}
