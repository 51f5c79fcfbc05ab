/**
 * Pages of a host that change together.
 *
 * The host has a process of shared moments, Poisson with rate c·λ*. Here c is the chance of a common change and λ* the
 * largest rate of its pages. At each of them page i changes with probability λᵢ/λ*, and besides it changes by itself at
 * rate (1 − c)·λᵢ. So every page keeps its own rate λᵢ. With equal rates a change of one page is a change of each
 * sibling with probability c.
 */
import { ConditionNotMet } from '../condition.ts';
import type { Random } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';
import type { UpdateStream } from './update-stream.ts';

/** They are held in memory. */
const maxSharedMoments = 5e6;

/** @throws ConditionNotMet where moments at this rate would be too many to hold */
export function requireFew(
  rate: number,
  { start, duration }: { readonly start: number; readonly duration: number },
): void {
  const expected = rate * (duration - start);
  if (expected <= maxSharedMoments) return;
  const why = `makes the pages of a host change together some ${expected.toExponential(1)} times in a replication, and at most ${maxSharedMoments} are held: shorten the duration, or lower the largest rate of the host`;
  throw new ConditionNotMet(['commonChanges'], 'too-many-changes', why);
}

/** The shared moments of one host in one replication, drawn as far back as any page needs. */
export class SharedMoments {
  readonly #times: number[] = [];

  /**
   * @param poll called for every moment
   * @throws ConditionNotMet where there would be too many to hold
   */
  constructor(
    rate: number,
    { start, duration }: { readonly start: number; readonly duration: number },
    random: Random,
    poll: () => void,
  ) {
    if (rate <= 0) return;
    requireFew(rate, { start, duration });
    for (let t = start + standardExponential(random) / rate; t <= duration; t += standardExponential(random) / rate) {
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
