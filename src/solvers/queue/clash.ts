/** Limits that clash, in words. */

/** A limit, and the least value that any policy reaches; null where that is not known. */
export type ReachedLimit<Name extends string = string> = {
  readonly constraint: Name;
  readonly limit: number;
  readonly smallest: number | null;
};

const describeSmallest = ({ smallest }: ReachedLimit): string => `least possible ${smallest ?? 'unknown'}`;

/**
 * Which limits clash, in words.
 *
 * @param infeasible the limits that nothing keeps, even without the other limits
 * @param noun the name of what keeps limits (a policy, a count), and the scope of the search
 * @param describeAlone says what keeps one limit by itself
 */
export function describeClash<Limit extends ReachedLimit>(
  limits: readonly Limit[],
  infeasible: readonly Limit[],
  [noun, scope = '']: readonly [noun: string, scope?: string],
  describeAlone: (limit: Limit) => string = describeSmallest,
): string {
  const list = (group: readonly Limit[], describe: (limit: Limit) => string): string =>
    group.map((each) => `${each.constraint} ≤ ${each.limit} (${describe(each)})`).join(', ');
  return infeasible.length > 0
    ? `no ${noun}${scope} keeps ${list(infeasible, describeSmallest)}`
    : `each limit can be kept alone, but no ${noun} keeps all of them: ${list(limits, describeAlone)}`;
}
