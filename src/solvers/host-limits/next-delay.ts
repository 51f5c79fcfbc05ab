/**
 * Additive increase, multiplicative decrease: the delay to try until the next log.
 *
 * The rate is halved where more than the tolerated share of the requests since the delay came into force was refused.
 * Otherwise it rises by a fixed share of the rate the host is known to bear. Never a delay that the log shows to be
 * refused, nor one shorter than the answers take. Source: Chiu & Jain 1989, for fairness and convergence.
 */
interface DelayStep {
  /** The delay in force. */
  readonly delay: number;
  /** What the host bears as far as is known. */
  readonly sustainableDelay: number;
  readonly increase: number;
  /** Requests since the delay came into force, and refusals among them. */
  readonly requests: number;
  readonly refusals: number;
  readonly tolerated: number;
  /** No shorter delay is tried. */
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
