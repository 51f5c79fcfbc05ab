/**
 * What the rest of a plan goes by: all pages' rates with intervals, the model of each, and what is not known of them.
 */
import type { BurstChoice } from '../../estimation/changes/choose-bursts.ts';
import type { DriftedPages } from './drifted-pages.ts';
import type { Uncertainty } from './exploration.ts';
import type { RhythmKnowledge } from './page-rhythm.ts';
import type { RefreshModel } from './refresh-model.ts';
import type { SiblingKnowledge } from './sibling-news.ts';

export interface PageBeliefs {
  readonly rate: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** The model as of the last checks. */
  readonly initial: RefreshModel;
  /** The same as plain data, where it is one of drifting rates and nothing else. */
  readonly drifted: DriftedPages | null;
  /** A model of its own state, as of the last checks each time it is asked for; the one before is spent. */
  readonly working: () => RefreshModel;
  /** What is not known of rates, as of the last checks; null where estimates are taken as known. */
  readonly uncertainty: Uncertainty | null;
  /** What siblings showed, which the working model allows for; null where no groups were given. */
  readonly siblings: SiblingKnowledge | null;
  /** The bursts chosen, and whether they are taken; null where that was not asked for. */
  readonly bursts: BurstChoice | null;
  /** The hours that pages keep; null where that was not asked for. */
  readonly rhythm: RhythmKnowledge | null;
}
