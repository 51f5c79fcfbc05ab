/** Why no policy keeps every limit: what is the least each limited measure can be, and who comes nearest. */

import { clashInWords, type ReachedLimit } from '../../queue/clash.ts';
import {
  type Constraints,
  constraintNames,
  constraintTolerance,
  type Measures,
  measuresOf,
} from '../../queue/measures.ts';
import { modesOfThresholds, type Queue } from '../../queue/queue.ts';
import type { Tally } from '../search/tally.ts';
import { countsOf } from './policy-solution.ts';

/** A type and not an interface: the contract takes records. */
export type ThresholdPolicyConflict = {
  readonly detail: string;
  /** Each limit, and the least value any policy that was looked at reaches. */
  readonly limits: readonly ReachedLimit<keyof Constraints>[];
  /** The policy that exceeds the limits least (sum of relative excesses). */
  readonly nearest: { readonly crawlersByQueueLength: readonly number[]; readonly measures: Measures } | null;
};

/** The limits that are set, with the least values. */
export function reachedLimits(
  constraints: Constraints,
  smallestOf: (constraint: keyof Constraints, limit: number) => number | null,
): ReachedLimit<keyof Constraints>[] {
  return constraintNames.flatMap((constraint) => {
    const limit = constraints[constraint];
    return limit === undefined ? [] : [{ constraint, limit, smallest: smallestOf(constraint, limit) }];
  });
}

/** Which limits clash, in words. @param modes which the policies have, and what they see; @param looked how, or nothing */
export function clashOfModes(limits: readonly ReachedLimit<keyof Constraints>[], modes: string, looked = ''): string {
  const beyond = limits.filter(
    ({ limit, smallest }) => smallest !== null && smallest > limit * (1 + constraintTolerance),
  );
  const clash = clashInWords(limits, beyond, ['policy', ` of these ${modes}`]);
  return `${clash}${looked}; raise a limit, or offer modes that reach it`;
}

export function conflictOf(
  queue: Queue,
  constraints: Constraints,
  tally: Tally,
  proved: boolean,
): ThresholdPolicyConflict {
  const limits = reachedLimits(constraints, (constraint) => tally.reach.smallest[constraint] ?? null);
  const looked = proved ? '' : ' (not every policy was looked at)';
  const { nearest } = tally.reach;
  return {
    detail: clashOfModes(limits, 'modes', looked),
    limits,
    nearest:
      nearest === null
        ? null
        : {
            crawlersByQueueLength: countsOf(queue, modesOfThresholds(queue, nearest.thresholds)),
            measures: measuresOf(nearest.totals),
          },
  };
}
