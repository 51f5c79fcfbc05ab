/** A tagged page first in first out, followed to its end, for the certificate. */
import { obsolescenceRate, type Queue } from '../../solvers/queue/queue.ts';
import { BandedChain } from './banded-chain.ts';

/**
 * States j·M + m: j pages ahead, the one in service included, which is in phase m. `served` and `expired` are the rates
 * at which the page ends in each state; all states of the chain are eliminated. O(K·M³).
 */
export function pagesInOrder(queue: Queue): {
  readonly chain: BandedChain;
  readonly served: Float64Array;
  readonly expired: Float64Array;
} {
  const { phases, initial, exit, generator } = queue.service;
  const theta = obsolescenceRate(queue);
  const chain = new BandedChain(queue.topLevel * phases, 2 * phases, phases);
  const [served, expired] = [new Float64Array(chain.size), new Float64Array(chain.size)];
  for (let ahead = 0; ahead < queue.topLevel; ahead++) {
    for (let m = 0; m < phases; m++) {
      const here = ahead * phases + m;
      for (let next = 0; next < phases; next++) {
        if (next !== m) chain.move(here, ahead * phases + next, generator[m * phases + next]);
        if (ahead > 0) chain.move(here, (ahead - 1) * phases + next, exit[m] * initial[next]);
      }
      if (ahead === 0) {
        served[here] = exit[m];
        chain.leave(here, exit[m]);
      } else {
        expired[here] = theta;
        chain.leave(here, theta);
        if (ahead > 1) chain.move(here, here - phases, (ahead - 1) * theta);
      }
    }
  }
  return { chain: chain.eliminate(0), served, expired };
}
