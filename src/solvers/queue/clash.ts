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
 * @param beyond those of them that are not kept even alone
 * @param one what they are of, and among which it was looked for
 * @param alone how each is kept alone
 */
export function clashInWords<Limit extends ReachedLimit>(
  limits: readonly Limit[],
  beyond: readonly Limit[],
  [one, among = '']: readonly [one: string, among?: string],
  alone: (limit: Limit) => string = leastPossible,
): string {
  const named = (of: readonly Limit[], told: (limit: Limit) => string): string =>
    of.map((reached) => `${reached.constraint} ≤ ${reached.limit} (${told(reached)})`).join(', ');
  return beyond.length > 0
    ? `no ${one}${among} keeps ${named(beyond, leastPossible)}`
    : `each limit can be kept alone, but no ${one} keeps all of them: ${named(limits, alone)}`;
}
