/** The belief about a page after one more check, for either outcome. */
import { changedOutcome, unchangedOutcome } from '../../estimation/changes/check-history.ts';
import { CheckFilter } from './check-filter.ts';
import { beliefsOf, memories, type RateBeliefs, weighMemories } from './rate-beliefs.ts';

/** Positions in the beliefs of {@link RevisedBelief}. */
export const ifUnchanged = 0;
export const ifChanged = 1;
/** The belief after the same time without a check. */
export const ifUnchecked = 2;

export class RevisedBelief {
  /** Three beliefs about one page, at the positions `ifUnchanged`, `ifChanged` and `ifUnchecked`. */
  readonly beliefs: RateBeliefs;
  readonly #filter: CheckFilter;
  readonly #current: RateBeliefs;

  constructor(current: RateBeliefs) {
    this.#current = current;
    this.beliefs = beliefsOf(3, current.prior);
    this.#filter = new CheckFilter(this.beliefs);
  }

  /** Revises the belief of page i by a check at an age. */
  check(i: number, age: number): void {
    const from = memories * i;
    const { shape, scale, share, logLikelihood, prior } = this.beliefs;
    for (let to = 0; to < shape.length; to++) {
      const at = from + (to % memories);
      shape[to] = this.#current.shape[at];
      scale[to] = this.#current.scale[at];
      share[to] = this.#current.share[at];
      logLikelihood[to] = this.#current.logLikelihood[at];
    }
    this.#filter.take(ifUnchanged, age, unchangedOutcome);
    weighMemories(this.beliefs, ifUnchanged);
    this.#filter.take(ifChanged, age, changedOutcome);
    weighMemories(this.beliefs, ifChanged);
    this.#filter.wait(ifUnchecked, age);
    // scores are discounted by the time that passes, so that this belief is the mean over both outcomes
    const fade = Math.exp(-prior.fadingRate * age);
    for (let at = memories * ifUnchecked; at < logLikelihood.length; at++) logLikelihood[at] *= fade;
    weighMemories(this.beliefs, ifUnchecked);
  }
}
