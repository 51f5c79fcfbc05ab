/**
 * Pages of a group that change together.
 *
 * The group has a process of shared moments, Poisson with rate share·λ*, λ* the largest rate in the group; at each of
 * them page i changes with probability λᵢ/λ*, and besides it changes by itself at rate (1 − share)·λᵢ. So every page
 * keeps its own rate λᵢ, and with equal rates a change of one page is a change of each sibling with probability
 * `share`.
 */
import { ConditionNotMet } from '../condition.ts';
import type { Random } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';
import type { UpdateStream } from './update-stream.ts';

/** They are held in memory. */
const maxSharedMoments = 5e6;

/** The shared moments of one group in one replication, drawn as far back as any page needs. */
export class SharedMoments {
  readonly #times: number[] = [];

  /**
   * @param poll called for every moment
   * @throws ConditionNotMet where there would be too many to hold
   */
  constructor(
    rate: number,
    { start, horizon }: { readonly start: number; readonly horizon: number },
    random: Random,
    poll: () => void = () => {},
  ) {
    if (rate <= 0) return;
    const expected = rate * (horizon - start);
    if (!(expected <= maxSharedMoments)) {
      const why = `makes pages of a group change together some ${expected.toExponential(1)} times in a replication, and at most ${maxSharedMoments} are held: shorten the horizon, or lower the largest rate of the group`;
      throw new ConditionNotMet(['share'], 'too-many-changes', why);
    }
    for (let t = start + standardExponential(random) / rate; t <= horizon; t += standardExponential(random) / rate) {
      this.#times.push(t);
      poll();
    }
  }

  /** The updates of one page from `start` on: its own, and those shared moments at which it changes. */
  stream(own: UpdateStream, start: number, probability: number, random: Random): UpdateStream {
    const times = this.#times;
    let position = 0;
    while (position < times.length && times[position] < start) position++;
    const nextShared = (): number => {
      while (position < times.length) {
        const at = times[position++];
        if (random() < probability) return at;
      }
      return Number.POSITIVE_INFINITY;
    };
    let mine = own();
    let shared = nextShared();
    return () => {
      if (mine <= shared) {
        const time = mine;
        mine = own();
        return time;
      }
      const time = shared;
      shared = nextShared();
      return time;
    };
  }
}
