/**
 * Additive increase, multiplicative decrease: the delay to try until the next log.
 *
 * The rate is halved where more than the tolerated share of the requests since the delay came into force was refused.
 * Otherwise it rises by a fixed share of the sustainable rate. The delay never falls below `minDelay`. Source: Chiu &
 * Jain 1989, for fairness and convergence.
 */
interface DelayStep {
  /** The delay in force. */
  readonly delay: number;
  /** Shortest delay, in seconds, at which the host is known to answer. */
  readonly sustainableDelay: number;
  /** Rise of the rate, as a share of the sustainable one. */
  readonly increase: number;
  /** Requests since that delay has been in force, and refusals among them. */
  readonly requests: number;
  readonly refusals: number;
  /** Share of the requests that may be refused. */
  readonly maxRefusalShare: number;
  /** Lower limit of the delay, in seconds. */
  readonly minDelay: number;
}

export function nextDelay({
  delay,
  sustainableDelay,
  increase,
  requests,
  refusals,
  maxRefusalShare,
  minDelay,
}: DelayStep): number {
  if (requests === 0) return Math.max(delay, minDelay);
  if (refusals > maxRefusalShare * requests) return Math.max(2 * delay, minDelay);
  return Math.max(1 / (1 / delay + increase / sustainableDelay), minDelay);
}
