export interface SpendingGroup {
  /** Null for the pages of no host with a limit. */
  readonly host: string | null;
  /** Most crawls of its pages per time unit; Infinity where there is no limit. */
  readonly maxRate: number;
  readonly price: number;
  /** Whether it pays a price of its own, at which it takes all that it may. */
  readonly limited: boolean;
  /** Crawls per time unit at its price. */
  readonly spent: number;
}

export interface Share extends SpendingGroup {
  /** By what the rates at its price are multiplied. */
  readonly scale: number;
  /** Crawls per time unit then. */
  readonly taken: number;
}

export interface Shares {
  readonly groups: readonly Share[];
  /** Of all groups that are not limited. */
  readonly scale: number;
  /** Crawls that no group may take. */
  readonly unused: number;
}

/** The rounding of sums. */
const slack = 1e-12;

/**
 * Limited groups take what they may, and the others share the rest in proportion to what they spend. One that would
 * thereby pass its limit, by what the price was off, becomes limited as well, at the price of all. O(groups²) at worst,
 * mostly one round.
 */
export function shareCrawls(groups: readonly SpendingGroup[], rate: number): Shares {
  const sum = (some: readonly SpendingGroup[], of: (group: SpendingGroup) => number): number =>
    some.reduce((total, group) => total + of(group), 0);
  const limited = groups.filter((group) => group.limited);
  let free = groups.filter((group) => !group.limited);
  for (;;) {
    const left = rate - sum(limited, ({ maxRate }) => maxRate);
    const spent = sum(free, (group) => group.spent);
    const scale = spent > 0 ? left / spent : 1;
    const passes = ({ spent, maxRate }: SpendingGroup): boolean => spent * scale > maxRate * (1 + slack);
    const over = free.filter(passes);
    if (over.length === 0) {
      return {
        groups: [
          ...limited.map((group) => ({
            ...group,
            limited: true,
            scale: group.maxRate / group.spent,
            taken: group.maxRate,
          })),
          ...free.map((group) => ({ ...group, scale, taken: group.spent * scale })),
        ],
        scale,
        unused: spent > 0 ? 0 : Math.max(0, left),
      };
    }
    for (const group of over) limited.push(group);
    free = free.filter((group) => !passes(group));
  }
}

/** What rescaling loses at most: solvers/crawl-price/cost.ts, at an elasticity of 2. */
export function rescalingLoss({ price, spent, scale }: Share): number {
  return (price * spent * (scale - 1) ** 2) / scale;
}
