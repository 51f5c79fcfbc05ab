/**
 * Additive increase, multiplicative decrease: the delay to try until the next log.
 *
 * The rate is halved where more than the tolerated share of the requests since the delay came into force was refused.
 * Otherwise it rises by a fixed share of the sustainable rate. The delay never falls below `least`. Source: Chiu & Jain 1989, for fairness and convergence.
 */
interface DelayStep {
  /** The delay in force. */
  readonly delay: number;
  /** Shortest delay, in seconds, at which the host is known to answer. */
  readonly sustainableDelay: number;
  /** Rise of the rate, as a share of the sustainable one. */
  readonly increase: number;
  /** Requests since the delay came into force, and refusals among them. */
  readonly requests: number;
  readonly refusals: number;
  /** Share of the requests that may be refused. */
  readonly tolerated: number;
  /** Lower limit of the delay, in seconds. */
  readonly least: number;
}

export function nextDelay({
  delay,
  sustainableDelay,
  increase,
  requests,
  refusals,
  tolerated,
  least,
}: DelayStep): number {
  if (requests === 0) return Math.max(delay, least);
  if (refusals > tolerated * requests) return Math.max(2 * delay, least);
  return Math.max(1 / (1 / delay + increase / sustainableDelay), least);
}
