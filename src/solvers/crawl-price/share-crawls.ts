/** Shares the crawls between hosts with limits and all other pages, once the prices are known. */

export interface CrawlGroup {
  /** Limit on the crawls of its pages per unit of time; Infinity for none. */
  readonly maxRate: number;
  readonly price: number;
  /** Whether its limit binds: it pays its own price and spends the limit. */
  readonly limited: boolean;
  /** Crawls per unit of time at its price. */
  readonly demand: number;
}

/** A group with its share. */
export type Share<Group extends CrawlGroup> = Group & {
  /** Factor on the rates at its price. */
  readonly scale: number;
  /** Crawls per unit of time after rescaling. */
  readonly crawlRate: number;
};

export interface Shares<Group extends CrawlGroup> {
  readonly groups: readonly Share<Group>[];
  /** Factor of all groups that are not limited. */
  readonly scale: number;
  /** Crawls that no group may take. */
  readonly unusedCrawls: number;
}

/** Relative excess over a limit that counts as rounding of the sums. */
const roundoff = 1e-12;

/**
 * Limited groups get their limits, and all other groups share the remaining crawls in proportion to their demand. A
 * group that would then exceed its limit (the price is approximate) becomes limited too, at the common price. If the
 * limits of the limited groups sum to more than the rate, because demand jumps at the price, all groups start as not
 * limited. O(groups²) at worst, mostly one round.
 */
export function shareCrawls<Group extends CrawlGroup>(groups: readonly Group[], rate: number): Shares<Group> {
  const sum = (part: readonly Group[], of: (group: Group) => number): number =>
    part.reduce((total, group) => total + of(group), 0);
  const full = groups.filter((group) => group.limited);
  const fits = sum(full, ({ maxRate }) => maxRate) <= rate * (1 + roundoff);
  const limitedGroups = fits ? full : [];
  let free = fits ? groups.filter((group) => !group.limited) : groups;
  for (;;) {
    const remainder = Math.max(0, rate - sum(limitedGroups, ({ maxRate }) => maxRate));
    const freeDemand = sum(free, (group) => group.demand);
    const scale = freeDemand > 0 ? remainder / freeDemand : 1;
    const exceedsLimit = ({ demand, maxRate }: Group): boolean => demand * scale > maxRate * (1 + roundoff);
    const overfull = free.filter(exceedsLimit);
    if (overfull.length === 0) {
      return {
        groups: [
          ...limitedGroups.map((group) => ({
            ...group,
            limited: true,
            scale: group.demand > 0 ? group.maxRate / group.demand : 1,
            crawlRate: group.maxRate,
          })),
          ...free.map((group) => ({ ...group, limited: false, scale, crawlRate: group.demand * scale })),
        ],
        scale,
        unusedCrawls: freeDemand > 0 ? 0 : remainder,
      };
    }
    for (const group of overfull) limitedGroups.push(group);
    free = free.filter((group) => !exceedsLimit(group));
  }
}
