/** Limits that clash, in words. */

/** A limit, and the least value that any policy reaches; null where that is not known. */
export type ReachedLimit<Name extends string = string> = {
  readonly constraint: Name;
  readonly limit: number;
  readonly smallest: number | null;
};

const leastPossible = ({ smallest }: ReachedLimit): string => `least possible ${smallest ?? 'unknown'}`;

/**
 * Which limits clash, in words.
 *
 * @param infeasible those of them that nothing keeps, even by themselves
 * @param noun what keeps limits, and among which it was looked for
 * @param alone what keeps a limit by itself
 */
export function clashInWords<Limit extends ReachedLimit>(
  limits: readonly Limit[],
  infeasible: readonly Limit[],
  [noun, scope = '']: readonly [noun: string, scope?: string],
  alone: (limit: Limit) => string = leastPossible,
): string {
  const named = (some: readonly Limit[], describe: (limit: Limit) => string): string =>
    some.map((each) => `${each.constraint} ≤ ${each.limit} (${describe(each)})`).join(', ');
  return infeasible.length > 0
    ? `no ${noun}${scope} keeps ${named(infeasible, leastPossible)}`
    : `each limit can be kept alone, but no ${noun} keeps all of them: ${named(limits, alone)}`;
}
