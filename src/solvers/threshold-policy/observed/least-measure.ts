/**
 * The least value that a limited measure can have for a controller that sees the phases. It is a ratio of averages,
 * found by policy iteration on its excess over the value at hand until that stays. Source: Dinkelbach (1967).
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { type Constraints, measuresOf } from '../../queue/measures.ts';
import { linearConstraints } from '../bound/linear-constraints.ts';
import { allModes } from '../bound/relaxation-bound.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import { totalsOfStates } from '../evaluate/memoryless/state-distribution.ts';

const mostRounds = 20;

/** @returns null when the budget ends first */
export function leastMeasure(
  prepared: MemorylessQueue,
  name: keyof Constraints,
  from: number,
  budget: Budget,
): number | null {
  const { lowest, highest, modes } = allModes(prepared.queue);
  return unlessStopped(null, () => {
    let least = from;
    for (let round = 0; round < mostRounds; round++) {
      const [{ relaxation, weights }] = linearConstraints(prepared, { [name]: least }, budget);
      relaxation.minimise(weights, lowest, highest, modes);
      const before = least;
      least = measuresOf(totalsOfStates(prepared, modes))[name];
      if (Math.abs(least - before) <= 1e-12 * Math.abs(before)) break;
    }
    return least;
  });
}
