/** Request logs of hosts and the limits estimated from them. Times in seconds; hosts in the order of the log. */

/** How a request ended: answered in time. */
export const answeredOutcome = 0;
/** Status 429 or 503, or an answer slower than the request allows. */
export const refusedOutcome = 1;
/** Another failure: it counts as a request, neither as an answer nor as a refusal. */
export const inconclusiveOutcome = 2;

/** Requests of host h are those at offsets[h]..offsets[h+1]−1, in order of time. Times in seconds. */
export interface RequestLog {
  readonly offsets: Uint32Array;
  readonly time: Float64Array;
  readonly outcome: Uint8Array;
  /** Retry-After in seconds; NaN where the answer had none. */
  readonly retryAfter: Float64Array;
  /** Seconds until the answer; NaN where unknown. */
  readonly latency: Float64Array;
}

export interface HostLimitsProblem {
  readonly log: RequestLog;
  /** Name of each host. */
  readonly names: readonly string[];
  /** Requests whose time in the log is before that of the preceding one. */
  readonly outOfOrder: number;
  /** ε: the share of requests that may be refused. */
  readonly maxRefusalShare: number;
  readonly confidence: number;
  /** m: number of gaps whose mean is the pace of a request. */
  readonly memory: number;
  /** Concurrent requests to a host at most. */
  readonly connections: number;
  /** Rise of the rate from one plan to the next, as a share of the sustainable rate. */
  readonly increase: number;
  /** By host: the delay in force, NaN where unknown, and since when (−Infinity: the whole log). */
  readonly delay: Float64Array;
  readonly since: Float64Array;
}

/** What determines a host's delay: its refusals, its latency, or only the pace of the requests. */
export type HostEvidence = 'refusals' | 'latency' | 'none';

/** A quota: at most `count` requests in a period. Times in seconds. */
export interface HostQuota {
  readonly period: number;
  readonly count: number;
  readonly window: 'fixed' | 'sliding';
  /** Start of a fixed window, in seconds after a multiple of the period; null for a sliding one. */
  readonly phase: number | null;
}

export interface HostLimit {
  readonly host: string;
  /** Shortest sustainable delay between two requests, in seconds; null where the log has no steady pace. */
  readonly minDelay: number | null;
  readonly maxRate: number | null;
  /** Confidence interval of the delay; null where it is unbounded above. */
  readonly interval: readonly [low: number, high: number | null];
  /** Delay to use until the next log, by additive increase and multiplicative decrease of the rate. */
  readonly nextDelay: number | null;
  readonly evidence: HostEvidence;
  readonly requests: number;
  readonly refusals: number;
  /** Requests at a steady pace: those the estimate rests on. */
  readonly judged: number;
  /** The fitted chance of a refusal at minDelay. */
  readonly refusalShare: number | null;
  readonly medianLatency: number | null;
  /** End of the latest Retry-After, where it is after the last request. */
  readonly notBefore: number | null;
  /** A quota of requests per window, where one explains the refusals. */
  readonly quota: HostQuota | null;
}
