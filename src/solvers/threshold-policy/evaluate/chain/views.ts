/**
 * The queue's length and its phases as three observers see them. They see it at any time; as an arriving page, before
 * its batch enters; as an indexed page, of what it leaves behind. By definition the first weighs each state with its
 * share of time, the second with the rate of pages that arrive in it. The third weighs it with the rate at which
 * services end in it. Every page of a batch counts.
 * Source: Avrachenkov et al. (2012), section 3.
 */

import { blockSize, type Queue } from '../../../queue/queue.ts';
import type { PhaseShares, ThreeViews } from './measure-kinds.ts';

/** Shares of the states of each level; position modulo W·M is ν·M + m. */
export type LevelShares = readonly Float64Array[];

/** A distribution that lists the levels one after the other, as one list a level. */
export function sharesOfLevels(queue: Queue, distribution: Float64Array): LevelShares {
  const n = blockSize(queue);
  return Array.from({ length: queue.topLevel + 1 }, (_, level) => distribution.subarray(level * n, (level + 1) * n));
}

/** The mode at (level, ν·M + m). */
export type ModeOf = (level: number, state: number) => number;

type Weigh = (level: number, state: number) => { readonly weight: number; readonly level: number };

export function queueLengthViews(queue: Queue, shares: LevelShares, modeOf: ModeOf): ThreeViews<number[]> {
  const [any, arriving, leaving] = observers(queue, modeOf).map((weigh) => {
    const law = new Array<number>(queue.topLevel + 1).fill(0);
    eachState(queue, shares, (level, state, share) => {
      const seen = weigh(level, state);
      law[Math.max(0, seen.level)] += share * seen.weight;
    });
    return normalised(law);
  });
  return { atAnyTime: any, atArrivals: arriving, atDepartures: leaving };
}

/** Where each phase of the assembled service stands in the law as it was written, of so many phases. */
interface WrittenService {
  readonly written: readonly number[];
  readonly phases: number;
}

export function phaseViews(
  queue: Queue,
  shares: LevelShares,
  modeOf: ModeOf,
  { written, phases }: WrittenService,
): ThreeViews<PhaseShares> {
  const [any, arriving, leaving] = observers(queue, modeOf).map((weigh): PhaseShares => {
    const arrival = new Array<number>(queue.arrivalPhases).fill(0);
    const service = new Array<number>(phases).fill(0);
    eachState(queue, shares, (level, state, share) => {
      const m = state % queue.service.phases;
      const weight = share * weigh(level, state).weight;
      arrival[(state - m) / queue.service.phases] += weight;
      if (level > 0) service[written[m]] += weight;
    });
    return { arrival: normalised(arrival), service: normalised(service) };
  });
  return { atAnyTime: any, atArrivals: arriving, atDepartures: leaving };
}

function observers(queue: Queue, modeOf: ModeOf): [Weigh, Weigh, Weigh] {
  const { arrivalPhases, service } = queue;
  const pages = queue.modes.map(({ matrices }) =>
    Float64Array.from({ length: arrivalPhases }, (_, phase) =>
      matrices.reduce((rate, matrix, size) => {
        for (let to = 0; to < arrivalPhases; to++) rate += size * matrix[phase * arrivalPhases + to];
        return rate;
      }, 0),
    ),
  );
  return [
    (level) => ({ weight: 1, level }),
    (level, state) => ({ weight: pages[modeOf(level, state)][Math.floor(state / service.phases)], level }),
    (level, state) => ({ weight: level > 0 ? service.exit[state % service.phases] : 0, level: level - 1 }),
  ];
}

function eachState(queue: Queue, shares: LevelShares, visit: (level: number, state: number, share: number) => void) {
  const n = blockSize(queue);
  for (const [level, law] of shares.entries()) {
    for (const [at, share] of law.entries()) visit(level, at % n, share);
  }
}

function normalised(law: readonly number[]): number[] {
  const total = law.reduce((sum, share) => sum + share, 0);
  return law.map((share) => (total > 0 ? share / total : 0));
}
