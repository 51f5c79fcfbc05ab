/** Limits that clash, in words, and their repair: raised to what one policy does, that policy keeps them. */

/** Changes that make a request possible when they are made together. */
export interface Repair {
  readonly detail: string;
  readonly changes: readonly { readonly pointer: string; readonly value: number }[];
}

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

/** What a policy does where a limit is set. */
interface Reached {
  readonly name: string;
  readonly limit: number;
  readonly value: number;
}

/** Digits of a limit that is offered. */
const digits = 4;
/** What rounding may add when the policy is found again. */
const slack = 1e-9;

/** The limits that a policy exceeds, raised to what it does; nothing where it keeps all of them. */
export function raisedLimits(reached: readonly Reached[]): Repair[] {
  const raised = reached
    .filter(({ limit, value }) => value > limit)
    .map(({ name, value }) => ({ name, value: keptBy(name, value) }));
  if (raised.length === 0 || raised.some(({ value }) => !Number.isFinite(value))) return [];
  return [
    {
      detail: `limits of ${raised.map(({ name, value }) => `${name} ${value}`).join(' and ')}`,
      changes: raised.map(({ name, value }) => ({ pointer: `/constraints/${name}`, value })),
    },
  ];
}

/** A limit of a few digits that the value keeps. */
function keptBy(name: string, value: number): number {
  const limit = roundedUp(value * (1 + slack));
  return name.endsWith('Probability') ? Math.min(1, limit) : limit;
}

/** A number of a few digits that is no smaller. */
function roundedUp(value: number): number {
  const near = Number(value.toPrecision(digits));
  if (near >= value) return near;
  return Number((near + 10 ** (Math.floor(Math.log10(value)) - digits + 1)).toPrecision(digits));
}
