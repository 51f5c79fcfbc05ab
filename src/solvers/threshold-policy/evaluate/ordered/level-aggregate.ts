/**
 * The queue with waiting pages neither ordered nor counted by phase: (level, ν, m). The rate at which some page of a
 * level expires is given. With the rates of an ordered distribution it is that distribution's exact aggregate. Blocks
 * of W·M states: O(K·k_max·(W·M)³).
 */
import type { Budget } from '../../../budget.ts';
import { addArrivalProduct, identityOf } from '../../../numerics/linear/small-matrices.ts';
import { blockSize, type ModeByLevel, type Queue } from '../../../queue/queue.ts';
import { addServiceRates } from '../chain/stationary.ts';
import { emptyChain, stationaryOfLevels } from '../counted/level-chain.ts';

export class LevelAggregate {
  readonly #queue: Queue;
  readonly #chain: ReturnType<typeof emptyChain>;

  constructor(queue: Queue, byLevel: ModeByLevel) {
    this.#queue = queue;
    const b = blockSize(queue);
    const sizes = new Array<number>(queue.topLevel + 1).fill(b);
    const identity = identityOf(b);
    this.#chain = emptyChain(sizes, (level) => queue.arrivals[byLevel[level]][level].blocks.length - 1);
    for (let level = 0; level <= queue.topLevel; level++) {
      if (level > 0) addServiceRates(queue, this.#chain.within[level]);
      for (const [step, block] of queue.arrivals[byLevel[level]][level].blocks.entries()) {
        const target = step === 0 ? this.#chain.within[level] : this.#chain.up[level][step - 1];
        addArrivalProduct(target, 0, block, identity, 0, queue.arrivalPhases, queue.service.phases, b);
      }
    }
  }

  /** The stationary distribution of every level, from the expiry rate of each of its states. */
  solve(expiry: readonly Float64Array[], budget: Budget): Float64Array[] {
    const b = blockSize(this.#queue);
    const { phases, initial, exit } = this.#queue.service;
    for (let level = 1; level < this.#chain.sizes.length; level++) {
      const down = this.#chain.down[level];
      down.fill(0);
      for (let i = 0; i < b; i++) {
        const m = i % phases;
        for (let next = 0; next < phases; next++) down[i * b + i - m + next] += exit[m] * initial[next];
        down[i * b + i] += expiry[level][i];
      }
    }
    return stationaryOfLevels(this.#chain, budget);
  }
}
