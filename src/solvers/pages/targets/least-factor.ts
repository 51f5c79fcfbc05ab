/** By how much limits must give way for a target. */

const mostFactor = 1e6;
/** Between the logarithms of a factor that is enough and one that is not. */
const close = 0.01;
/** Beyond the least factor, at which no end of crawls would be needed. */
const margin = 1.01;

/** A factor a little above the least at which a target is met, from 1 on; null where a million does not help. */
export function leastFactor(met: (factor: number) => boolean): number | null {
  if (!met(mostFactor)) return null;
  let [low, high] = [0, Math.log(mostFactor)];
  while (high - low > close) {
    const middle = (low + high) / 2;
    if (met(Math.exp(middle))) high = middle;
    else low = middle;
  }
  return margin * Math.exp(high);
}

/** Limits of hosts, by position, that are raised together by a factor. */
export interface HostsEased {
  readonly hosts: readonly number[];
  readonly factor: number;
}

/**
 * What the limits of hosts must be raised by for a target. One answer raises the most expensive host alone, where this
 * is enough; the other raises all that bind. Each takes some ten looks at the target.
 *
 * @param price by host: 0 where its limit does not bind
 * @param met whether the target is met with the hosts' limits multiplied
 */
export function easedHosts(
  price: ArrayLike<number>,
  met: (raised: ReadonlySet<number>, factor: number) => boolean,
): HostsEased[] {
  const binding = Array.from(price, (_, h) => h).filter((h) => price[h] > 0);
  binding.sort((a, b) => price[b] - price[a]);
  const choices = binding.length > 1 ? [binding.slice(0, 1), binding] : [binding];
  return choices.flatMap((hosts) => {
    const raised = new Set(hosts);
    const factor = hosts.length === 0 ? null : leastFactor((by) => met(raised, by));
    return factor === null ? [] : [{ hosts, factor }];
  });
}
