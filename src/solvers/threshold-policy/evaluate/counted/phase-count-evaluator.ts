/**
 * Measures of a policy under random pick-up with obsolescence phases: by counts of phases, exact.
 *
 * Let u(r, c, ν, m) be the probability that a waiting page in phase r, c counting the others, will be served
 * (tagged-count-chain.ts). Little's law gives V1 = n1/(rate of service ends), n1 = Σ p_i(c, ν, m)·[1 + Σ_r c_r·u(r, c −
 * e_r, ν, m)]. Cost: level-chain.ts with blocks R times as large as those of the counts. Source: as random-page.ts.
 */
import { type Budget, pollOf } from '../../../budget.ts';
import type { Totals } from '../../../queue/measures.ts';
import { blockSize, type ModeByLevel, type PhaseType, type Queue } from '../../../queue/queue.ts';
import type { Evaluator } from '../chain/evaluator.ts';
import { addState, noTotals } from '../chain/totals.ts';
import { CountIndex, countVectors, less, PhaseCountChain } from './phase-counts.ts';
import { absorptionChances } from './sparse-absorption.ts';
import { type CountedQueue, taggedChain, taggedPageChain } from './tagged-count-chain.ts';

/** States of the chain of counts, cells of its blocks, and elementary steps of its elimination, roughly. */
export function countedStates(queue: Queue, phases: number) {
  const b = blockSize(queue);
  let states = queue.arrivalPhases;
  let cells = b * b;
  let work = 0;
  for (let level = 1; level <= queue.topLevel; level++) {
    const n = b * countVectors(level - 1, phases);
    const blocks = 3 + Math.min(queue.largestBatch, queue.topLevel - level);
    states += n;
    cells += n * n * blocks;
    work += n ** 3 * blocks;
  }
  return { states, cells, work };
}

export function phaseCountRandom(queue: Queue, law: PhaseType, budget: Budget): Evaluator {
  const index = new CountIndex(law.phases, queue.topLevel, pollOf(budget, 'the phases had not been counted'));
  const counted = { queue, law, index };
  const { states } = countedStates(queue, law.phases);
  const shares = (byLevel: ModeByLevel) => new PhaseCountChain(queue, law, index, byLevel).solve(budget);
  return {
    name: 'phase-counts',
    states,
    evaluate: (byLevel) => totalsOf(counted, byLevel, shares(byLevel), budget),
    shares,
    pageChain: (byLevel) => taggedPageChain(counted, (level) => byLevel[level], shares(byLevel)),
  };
}

function totalsOf(
  counted: CountedQueue,
  byLevel: ModeByLevel,
  distributions: readonly Float64Array[],
  budget: Budget,
): Totals {
  const { queue, law, index } = counted;
  const b = blockSize(queue);
  const r = law.phases;
  const page = taggedChain(counted, (level) => byLevel[level]);
  const [served, expired] = absorptionChances(page.moves, [page.served, page.expired], b, budget);
  const totals = noTotals();
  for (const [level, shares] of distributions.entries()) {
    for (const [row, share] of shares.entries()) {
      const state = row % b;
      addState(totals, queue, level, state, byLevel[level], share);
      if (level === 0) continue;
      totals.toBeServed += share;
      const counts = index.vectors(level - 1)[Math.floor(row / b)];
      for (const [s, count] of counts.entries()) {
        if (count === 0) continue;
        totals.obsolescenceRate += share * count * law.exit[s];
        const tagged = page.offsets[level - 2] + (index.position(less(counts, s)) * r + s) * b + state;
        totals.toBeServed += share * count * served[tagged];
        totals.toExpire += share * count * expired[tagged];
      }
    }
  }
  return totals;
}
