/**
 * The chain of a page under random pick-up with exponential (or no) obsolescence: that of phases (tagged-count-chain.ts)
 * with one phase.
 */
import { onePhase } from '../../../queue/phase-type.ts';
import { obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import type { PageChain } from '../chain/page-chain.ts';
import { type ModeOf, sharesOfLevels } from '../chain/views.ts';
import { CountIndex } from '../counted/phase-counts.ts';
import { taggedPageChain } from '../counted/tagged-count-chain.ts';

export function randomPageChain(queue: Queue, modeOf: ModeOf, distribution: Float64Array): PageChain {
  const law = onePhase(obsolescenceRate(queue));
  const levels = sharesOfLevels(queue, distribution);
  return taggedPageChain({ queue, law, index: new CountIndex(1, queue.topLevel) }, modeOf, levels);
}
