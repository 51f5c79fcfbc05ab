/** How crawls are shared between pages of hosts with limits and all others, once the price is known. */

export interface CrawlGroup {
  /** Most crawls of its pages per time unit; Infinity where there is no limit. */
  readonly maxRate: number;
  readonly price: number;
  /** Whether it pays a price of its own, at which it takes all that it may. */
  readonly limited: boolean;
  /** Crawls per time unit at its price. */
  readonly spent: number;
}

/** A group, and what it is given. */
export type Share<Group extends CrawlGroup> = Group & {
  /** By what the rates at its price are multiplied. */
  readonly scale: number;
  /** Crawls per time unit then. */
  readonly taken: number;
};

export interface Shares<Group extends CrawlGroup> {
  readonly groups: readonly Share<Group>[];
  /** Of all groups that are not limited. */
  readonly scale: number;
  /** Crawls that no group may take. */
  readonly unused: number;
}

/** The rounding of sums. */
const slack = 1e-12;

/**
 * Limited groups take what they may, and the others share the rest in proportion to what they spend. One that would
 * thereby pass its limit, by what the price was off, becomes limited as well, at the price of all. A price may let all
 * jump at once from nothing to more than their limits, which together are more than the rate: then none is limited at
 * first. O(groups²) at worst, mostly one round.
 */
export function shareCrawls<Group extends CrawlGroup>(groups: readonly Group[], rate: number): Shares<Group> {
  const sum = (some: readonly Group[], of: (group: Group) => number): number =>
    some.reduce((total, group) => total + of(group), 0);
  const full = groups.filter((group) => group.limited);
  const fits = sum(full, ({ maxRate }) => maxRate) <= rate * (1 + slack);
  const limited = fits ? full : [];
  let free = fits ? groups.filter((group) => !group.limited) : groups;
  for (;;) {
    const left = Math.max(0, rate - sum(limited, ({ maxRate }) => maxRate));
    const spent = sum(free, (group) => group.spent);
    const scale = spent > 0 ? left / spent : 1;
    const passes = ({ spent, maxRate }: Group): boolean => spent * scale > maxRate * (1 + slack);
    const over = free.filter(passes);
    if (over.length === 0) {
      return {
        groups: [
          ...limited.map((group) => ({
            ...group,
            limited: true,
            scale: group.spent > 0 ? group.maxRate / group.spent : 1,
            taken: group.maxRate,
          })),
          ...free.map((group) => ({ ...group, limited: false, scale, taken: group.spent * scale })),
        ],
        scale,
        unused: spent > 0 ? 0 : left,
      };
    }
    for (const group of over) limited.push(group);
    free = free.filter((group) => !passes(group));
  }
}
