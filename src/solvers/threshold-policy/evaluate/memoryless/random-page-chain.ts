/**
 * The chain of a page under random pick-up with exponential (or no) obsolescence: that of phases (tagged-count-chain.ts)
 * with one phase.
 */
import { blockSize, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import type { PageChain } from '../chain/page-chain.ts';
import type { ModeOf } from '../chain/views.ts';
import { CountIndex } from '../counted/phase-counts.ts';
import { taggedPageChain } from '../counted/tagged-count-chain.ts';

export function randomPageChain(
  queue: Queue,
  modeOf: ModeOf,
  distribution: Float64Array,
  servedRate: number,
): PageChain {
  const n = blockSize(queue);
  const rate = obsolescenceRate(queue);
  const law = {
    phases: 1,
    initial: Float64Array.of(1),
    generator: Float64Array.of(-rate),
    exit: Float64Array.of(rate),
  };
  const levels = Array.from({ length: queue.topLevel + 1 }, (_, level) =>
    distribution.subarray(level * n, (level + 1) * n),
  );
  return taggedPageChain({ queue, law, index: new CountIndex(1, queue.topLevel) }, modeOf, levels, servedRate);
}
