/**
 * The least value that a limited measure can have for a controller that sees the phases. It is a ratio of averages,
 * found by policy iteration on its excess over the value at hand until that stays. Source: Dinkelbach (1967).
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { type Constraints, measuresOf } from '../../queue/measures.ts';
import { blockSize } from '../../queue/queue.ts';
import { linearConstraints } from '../bound/linear-constraints.ts';
import { leastModes } from '../bound/relaxation-bound.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import { distributionOfStates, totalsOfStates } from '../evaluate/memoryless/state-distribution.ts';

const mostRounds = 20;
const none = { loss: 0, obsolescence: 0, response: 0, crawler: 0, starvation: 0 };

/** @returns null when the budget ends first */
export function leastMeasure(
  prepared: MemorylessQueue,
  name: keyof Constraints,
  from: number,
  budget: Budget,
): number | null {
  const { queue } = prepared;
  const last = queue.modes.length - 1;
  const lowest = leastModes(queue);
  const highest = new Uint8Array(queue.capacity + 1).fill(last);
  const modes = new Uint8Array((queue.topLevel + 1) * blockSize(queue)).fill(last);
  return unlessStopped(null, () => {
    let least = from;
    for (let round = 0; round < mostRounds; round++) {
      const [{ relaxation, weights }] = linearConstraints(prepared, { [name]: least }, budget);
      relaxation.minimise(weights, lowest, highest, modes);
      const totals = totalsOfStates(prepared, none, modes, distributionOfStates(queue, modes));
      const before = least;
      least = measuresOf(totals)[name];
      if (Math.abs(least - before) <= 1e-12 * Math.abs(before)) break;
    }
    return least;
  });
}
