/** Measures of a policy, first in first out, with obsolescence phases: by the ordered distribution. */
import { type Budget, pollOf } from '../../../budget.ts';
import type { Totals } from '../../../queue/measures.ts';
import { blockSize, type ModeByLevel, type PhaseType, type Queue } from '../../../queue/queue.ts';
import type { Evaluator } from '../chain/evaluator.ts';
import { addState, noTotals } from '../chain/totals.ts';
import { CountIndex, countVectors } from '../counted/phase-counts.ts';
import { orderedRewards } from './ordered-page.ts';
import { orderedPageChain } from './ordered-page-chain.ts';
import { OrderedDistribution } from './ordered-phases.ts';
import { wordIndex } from './word-index.ts';

/** W + W·M·(R^topLevel − 1)/(R − 1): states of the ordered chain. */
export function orderedStates(queue: Queue, phases: number): number {
  return queue.arrivalPhases + (blockSize(queue) * (phases ** queue.topLevel - 1)) / (phases - 1);
}

/** Elementary steps of one evaluation, roughly: sweeps, and the aggregates between them. */
export function orderedWork(queue: Queue, law: PhaseType): number {
  const aggregate = queue.topLevel * queue.largestBatch * blockSize(queue) ** 3;
  return 20 * (orderedStates(queue, law.phases) * (queue.topLevel + 30) + aggregate);
}

/** Matrix cells: an inverse for every level and count of phases, and the blocks of the coarser chain by levels. */
export function orderedCells(queue: Queue, law: PhaseType): number {
  const b = blockSize(queue);
  let inverses = 0;
  for (let level = 0; level <= queue.topLevel; level++) inverses += countVectors(Math.max(0, level - 1), law.phases);
  return b * b * (inverses + (queue.topLevel + 1) * (3 + queue.largestBatch));
}

export function orderedFifo(queue: Queue, law: PhaseType, budget: Budget): Evaluator {
  const r = law.phases;
  const counts = new CountIndex(r, queue.topLevel, pollOf(budget, 'the phases had not been counted'));
  const index = wordIndex(counts, r, Math.max(0, queue.topLevel - 1));
  const rewards = orderedRewards(queue, law, budget);
  const states = orderedStates(queue, r);
  const settled = (byLevel: ModeByLevel): OrderedDistribution => {
    const ordered = new OrderedDistribution(queue, law, index, byLevel, budget);
    ordered.solve();
    return ordered;
  };
  return {
    name: 'ordered-phases',
    states,
    evaluate: (byLevel) => totalsOf(queue, law, settled(byLevel), byLevel, rewards),
    shares: (byLevel) => settled(byLevel).levels,
    pageChain(byLevel) {
      return orderedPageChain(queue, law, settled(byLevel).levels, byLevel);
    },
  };
}

function totalsOf(
  queue: Queue,
  law: PhaseType,
  ordered: OrderedDistribution,
  byLevel: ModeByLevel,
  rewards: ReturnType<typeof orderedRewards>,
): Totals {
  const b = blockSize(queue);
  const { phases } = queue.service;
  const r = law.phases;
  const totals = noTotals();
  for (const [level, x] of ordered.levels.entries()) {
    const [served, expired] = [rewards.toBeServed[level], rewards.toExpire[level]];
    for (let word = 0; word < x.length / b; word++) {
      let expiry = 0;
      for (let k = 0, rest = word; k < level - 1; k++, rest = Math.floor(rest / r)) expiry += law.exit[rest % r];
      for (let state = 0; state < b; state++) {
        const share = x[word * b + state];
        addState(totals, queue, level, state, byLevel[level], share);
        if (level === 0) continue;
        const at = word * phases + (state % phases);
        totals.obsolescenceRate += share * expiry;
        totals.toBeServed += share * served[at];
        totals.toExpire += share * expired[at];
      }
    }
  }
  return totals;
}
