/** What the demonstration accepts: what a browser solves while somebody watches. */
export const limits = {
  defaultTimeLimitMs: 10_000,
  maxTimeLimitMs: 60_000,
  /** Elementary steps, of about a nanosecond each on a server. */
  maxWork: 2e11,
} as const;
